"""What learning is taken apart on: a run held still after some passes."""

import numpy as np

from tests.helpers.growing import blobs
from treecore import RunConfig, Trainer
from treecore.inspection.sgd_debugger import SGDDebugger


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
