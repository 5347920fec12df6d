"""Complete trees to start from, and those that are too large."""

import numpy as np
import pytest

from tests.helpers.same import assert_same
from treecore import RunConfig, Trainer
from treecore.core.routing import apply
from treecore.core.tree import single_leaf
from treecore.data.validation import read_training
from treecore.learners.nongreedy.start import random_tree
from treecore.losses import LOSSES
from treecore.selection.lesson import learn


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


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_a_grown_tree_is_filled_up_below_its_leaves(task, rng):
    """Rows of one leaf of the filled tree are rows of one leaf of the grown one."""
    X = rng.normal(size=(80, 3)).astype(np.float32)
    y = (X[:, 0] > 1).astype(int) if task == "classification" else X[:, :1] > 1
    loss = LOSSES["log" if task == "classification" else "squared"]
    rows, _ = read_training(X, y, None, "none", loss, 2 if task == "classification" else None)
    for depth in (1, 2):
        grown = learn("axis", rows, None, 0, depth=depth)
        filled = random_tree(rows, 4, 1.0, np.random.default_rng(1), grown=grown)
        assert filled.n_leaves == 2**4
        before, after = apply(grown, rows.X), apply(filled, rows.X)
        assert len(np.unique(after)) > grown.n_leaves
        for leaf in np.unique(after):
            assert len(np.unique(before[after == leaf])) == 1
    leaf = single_leaf(grown.values[0], 3)
    drawn = (random_tree(rows, 3, 1.0, np.random.default_rng(2), grown=g) for g in (leaf, None))
    assert_same(*drawn)


def test_sgd_fills_its_start_where_that_is_asked_for():
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = (X[:, 0] > 0).astype(int)
    config = RunConfig("sgd", depth=4, start="axis", shape="complete", epochs=1)
    assert Trainer(config, X, y).run().n_leaves == 2**4
    assert Trainer(config.replace(shape="grown"), X, y).run().n_leaves == 2
