"""Complete trees to start from, and those that are too large."""

import numpy as np
import pytest

from treecore import RunConfig, Trainer


@pytest.mark.parametrize("method", ["sgd", "stable-sgd", "annealed", "tao"])
def test_a_complete_tree_beyond_memory_is_refused_in_a_sentence(method):
    for depth, n_features in ((17, 2), (15, 10_000)):
        X = np.random.default_rng(0).normal(size=(6, n_features))
        trainer = Trainer(RunConfig(method, depth=depth, start="random"), X, np.arange(6) % 2)
        with pytest.raises(ValueError, match="lower the depth, or start from a grown tree"):
            trainer.step()


def test_a_grown_start_may_be_deeper():
    X = np.random.default_rng(0).normal(size=(60, 2))
    config = RunConfig("annealed", depth=18, start="axis", rounds=1)
    assert Trainer(config, X, np.arange(60) % 2).run().n_splits >= 5
