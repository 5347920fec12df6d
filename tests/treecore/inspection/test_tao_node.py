"""Nodes of TAO, one by one, are a pass of TAO."""

import numpy as np
import pytest

from tests.helpers.growing import blobs
from tests.helpers.strategies import random_tree
from treecore import RunConfig, Trainer
from treecore.core.routing import apply
from treecore.data.validation import read_training
from treecore.inspection.tao_node import (
    improve_split,
    relabel,
    tao_order,
    tree_cost,
    with_split,
)
from treecore.losses import LOG


@pytest.mark.parametrize(
    ("loss", "start"),
    [
        ("log", "random"),
        ("log", "axis"),
        *((l, "random") for l in ("squared", "huber", "absolute")),
    ],
)
def test_taos_nodes_one_by_one_are_a_pass_of_tao(loss, start):
    X, y = blobs(np.random.default_rng(2), 200, 4, 3)
    y = y if loss == "log" else np.sin(X[:, 0]) + 0.3 * X[:, 1]
    trainer = Trainer(RunConfig("tao", depth=3, epochs=5, start=start, loss=loss), X, y)
    while trainer.learner is None or trainer.learner.name != "tao":
        trainer.step()
    learner, rows = trainer.learner, trainer.rows
    tree, n_accepted = learner.tree(), 0
    C, max_iter = learner._C_of_pass(), learner._settings.max_iter
    for split in tao_order(tree):
        step = improve_split(tree, rows, split, C=C, max_iter=max_iter)
        changed = (step.wrong_after - step.wrong_before) / rows.weight.sum()
        learnt = step.weights is not None
        proposed = with_split(tree, split, step.weights, step.threshold) if learnt else tree
        difference = tree_cost(proposed, rows) - tree_cost(tree, rows)
        assert difference == pytest.approx(changed, abs=1e-6)
        n_accepted += step.accepted
        tree = step.tree
    tree = relabel(tree, rows, 1.0)
    while learner.epoch < 1:
        learner.advance(1)
    assert n_accepted > 0
    np.testing.assert_array_equal(apply(learner.tree(), rows.X), apply(tree, rows.X))
    np.testing.assert_array_equal(learner.tree().values, tree.values)
    np.testing.assert_array_equal(learner.tree().threshold, tree.threshold)


def test_a_node_without_care_points_or_with_one_wish_needs_no_fit():
    X, y = blobs(np.random.default_rng(1), 60, 2, 2, noise=0.0)
    rows, _ = read_training(X, y, None, "none", LOG, 2)
    tree = random_tree(np.random.default_rng(3), n_splits=3, n_features=2, n_classes=2)
    same = tree._replace(values=np.tile(tree.values[:1], (4, 1)))
    step = improve_split(same, rows, 0, C=1.0, max_iter=10)
    assert len(step.care) == 0
    assert not step.accepted
    assert step.tree is same
    # Where all rows are of one class, all care points want the side that says so.
    alone, _ = read_training(X[y == 0], y[y == 0], None, "none", LOG, 2)
    stump = random_tree(np.random.default_rng(3), n_splits=1, n_features=2, n_classes=2)
    stump = stump._replace(values=np.array([[1, 0], [0, 1]], dtype=np.float32))
    step = improve_split(stump, alone, 0, C=1.0, max_iter=10)
    assert step.one_sided
    assert step.accepted
    assert step.wrong_after == 0
    assert not step.weights.any()
