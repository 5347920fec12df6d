"""What learning is taken apart on: random examples, and a run held still after some passes."""

import numpy as np

from tests.helpers.growing import blobs
from tests.helpers.strategies import random_joint, random_rows
from treecore import RunConfig, Trainer
from treecore.inspection.sgd_debugger import SGDDebugger
from treecore.losses import LOSSES


def random_case(seed):
    """A tree of any shape, scale and loss, one example, and an assigned leaf."""
    rng = np.random.default_rng(seed)
    joint = random_joint(
        rng,
        loss=list(LOSSES.values())[seed % len(LOSSES)],
        scale=10.0 ** rng.uniform(-2, 1),
        spread=10.0 ** rng.uniform(-1, 1),
        n_splits=int(rng.integers(0, 40)),
        max_depth=int(rng.integers(1, 9)),
        n_classes=int(rng.integers(2, 6)),
    )
    X, y = random_rows(rng, joint, 1)
    return rng, joint, X, y, int(rng.integers(len(joint.theta)))


def bench_of(method="sgd", exact=True, passes=2):
    rng = np.random.default_rng(5)
    X, y = blobs(rng, 120, 3, 3)
    inference = "exact" if exact else "fast"
    config = RunConfig(
        method, depth=3, epochs=9, eta=0.1, nu=5.0, schedule="constant", inference=inference
    )
    trainer = Trainer(config, X, y)
    while trainer.learner is None or trainer.learner.epoch < passes:
        trainer.step()
    return trainer, SGDDebugger(trainer.learner, trainer.rows, exact, 0.1, 5.0)
