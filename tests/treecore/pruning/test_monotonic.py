"""A monotonic tree is monotonic again after any pruning, and one of oblique splits at last."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.same import assert_same
from tests.helpers.strategies import random_tree
from treecore import AxisTreeClassifier, AxisTreeRegressor, OC1TreeRegressor
from treecore.core.routing import apply
from treecore.pruning import (
    cost_complexity_path,
    prune_dead,
    prune_impurity,
    prune_reduced_error,
    restore_order,
)

SIGNS = np.array([1, -1, 0])


def fitted(seed, numeric):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 3))
    y = X[:, 0] + np.sin(3 * X).sum(axis=1) + rng.normal(size=200)
    kind, y = (AxisTreeRegressor, y) if numeric else (AxisTreeClassifier, (y > 0).astype(int))
    return kind(7, monotonic_cst=SIGNS).fit(X, y).tree_, X, y


def n_falls(tree, seed):
    rng = np.random.default_rng(seed)
    lower = rng.normal(size=(3000, 3)).astype(np.float32)
    upper = (lower + np.abs(rng.normal(size=lower.shape)) * SIGNS).astype(np.float32)
    values = tree.values.astype(np.float64)
    answers = values[:, 0] if values.shape[1] == 1 else values[:, 1] - values[:, 0]
    return int((answers[apply(tree, upper)] < answers[apply(tree, lower)]).sum())


@given(st.integers(0, 10**6), st.booleans())
def test_the_order_holds_after_every_pruning(seed, numeric):
    tree, X, y = fitted(seed, numeric)
    task = "regression" if numeric else "classification"
    assert n_falls(tree, seed) == 0
    assert_same(restore_order(tree, SIGNS, task=task), tree)
    path = cost_complexity_path(tree, X, y, task=task, smoothing=5.0)
    impure = 0.3 * y.var()
    other = y[::-1]
    pruned = [
        path.tree(len(path) // 2),
        prune_impurity(tree, X, y, impure, task=task),
        prune_reduced_error(tree, X, other, task=task),
        prune_dead(tree, np.ones((tree.n_leaves, 1 if numeric else 2)), task=task),
    ]
    for smaller in pruned:
        restored = restore_order(smaller, SIGNS, task=task)
        assert restored.n_leaves == smaller.n_leaves
        assert n_falls(restored, seed) == 0


@given(st.integers(0, 10**6), st.booleans())
def test_oblique_trees_are_brought_into_order(seed, numeric):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, n_splits=12, n_features=3, n_classes=1 if numeric else 2)
    tree = tree._replace(missing=rng.normal(size=3).astype(np.float32))
    task = "regression" if numeric else "classification"
    restored = restore_order(tree, SIGNS, task=task)
    assert n_falls(restored, seed) == 0
    assert_same(restore_order(restored, SIGNS, task=task), restored)
    np.testing.assert_array_equal(restored.weights[:, 2], tree.weights[:, 2])


def test_what_has_no_order_is_refused():
    tree, X, y = fitted(0, True)
    with pytest.raises(ValueError, match="for each of the 3 features"):
        restore_order(tree, [1, 0], task="regression")
    with pytest.raises(ValueError, match="for each of the 3 features"):
        restore_order(tree, [1, 0, 2], task="regression")
    with pytest.raises(ValueError, match="two classes or one number"):
        restore_order(tree, SIGNS)
    oblique = OC1TreeRegressor(2, random_state=0).fit(X, y).tree_
    assert_same(restore_order(oblique, SIGNS * 0, task="regression"), oblique)
