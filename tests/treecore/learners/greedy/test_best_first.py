"""Growth best first: the split that lowers the impurity most is made next."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.helpers.growing import blobs, slopes
from tests.helpers.same import assert_same
from treecore import RunConfig, Trainer, apply, predict
from treecore.core.tree import tree_depth
from treecore.training.registry import METHODS

GREEDY = ["axis", "random-oblique", "oc1", "co2"]


def grow(X, y, method="axis", **settings):
    return Trainer(RunConfig(method, **({"depth": 20} | settings)), X, y).run()


def loss_of(tree, X, y):
    """Weighted Gini impurity of the leaves."""
    counts = np.zeros((tree.n_leaves, y.max() + 1))
    np.add.at(counts, (apply(tree, X), y), 1)
    n = counts.sum(axis=1)
    return (n - (counts**2).sum(axis=1) / np.maximum(n, 1)).sum()


@pytest.mark.parametrize("n_leaves", [2, 3, 8, 25])
def test_classes_are_divided_as_scikit_learn_does(n_leaves):
    X, y = blobs(np.random.default_rng(0), 400, 5, 3)
    ours = grow(X, y, criterion="gini", max_leaf_nodes=n_leaves)
    theirs = DecisionTreeClassifier(max_leaf_nodes=n_leaves, random_state=0).fit(X, y)
    assert ours.n_leaves == theirs.get_n_leaves() == n_leaves
    purities = [loss_of(ours, X, y), (theirs.tree_.impurity * theirs.tree_.n_node_samples)[
        theirs.tree_.children_left < 0
    ].sum()]  # fmt: skip
    assert_allclose(*purities, rtol=1e-9)


def test_numbers_are_divided_as_scikit_learn_does():
    X, y = slopes(np.random.default_rng(1), 300, 4, 1)
    ours = Trainer(RunConfig("axis", loss="squared", depth=20, max_leaf_nodes=12), X, y).run()
    theirs = DecisionTreeRegressor(max_leaf_nodes=12, random_state=0).fit(X, y)
    leaf = apply(ours, X)
    means = np.array([y[leaf == k].mean() for k in range(12)])[leaf]
    assert_allclose(means, theirs.predict(X), atol=1e-6)


@pytest.mark.parametrize("method", GREEDY)
def test_a_limit_that_is_not_reached_changes_no_answer(method):
    X, y = blobs(np.random.default_rng(2), 150, 3, 2)
    free = grow(X, y, method, depth=3, min_samples_leaf=10)
    if method == "axis":  # the others draw numbers in the order of their nodes
        wide = grow(X, y, method, depth=3, min_samples_leaf=10, max_leaf_nodes=9)
        assert wide.n_leaves == free.n_leaves
        np.testing.assert_array_equal(predict(wide, X), predict(free, X))
    for n_leaves in (1, 2, 5):
        tree = grow(X, y, method, depth=3, min_samples_leaf=10, max_leaf_nodes=n_leaves)
        assert tree.n_leaves <= n_leaves
        assert tree_depth(tree) <= 3


def test_a_leaf_more_divides_one_leaf():
    X, y = blobs(np.random.default_rng(3), 300, 4, 3)
    trees = [grow(X, y, max_leaf_nodes=k) for k in range(1, 12)]
    falls = []
    for small, large in pairwise(trees):
        assert large.n_leaves == small.n_leaves + 1
        pairs = {(a, b) for a, b in zip(apply(small, X), apply(large, X), strict=True)}
        parents = [a for a, _ in pairs]
        assert sorted(map(parents.count, set(parents)))[-2:] in ([1, 2], [2])
        falls.append(loss_of(small, X, y) - loss_of(large, X, y))
    assert min(falls) >= 0


def test_the_limit_is_seen_while_it_grows():
    X, y = blobs(np.random.default_rng(4), 300, 4, 3)
    trainer = Trainer(RunConfig("axis", depth=20, max_leaf_nodes=6), X, y)
    leaves = [(event.done, trainer.model.n_leaves) for event in trainer.events()]
    assert leaves[-1][0] == METHODS["axis"].n_epochs(trainer.config.settings) == 5
    assert [n for _, n in leaves][-1] == 6
    assert all(n <= done + 1 for done, n in leaves)
    assert_same(trainer.model, grow(X, y, max_leaf_nodes=6))
