"""The axis-aligned tree agrees with scikit-learn's wherever no tie decides."""

from __future__ import annotations

import naive_greedy as naive
import numpy as np
import pytest
from growing import IMPURITIES, axis_growth, blobs, finish
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

from treecore.losses import class_log_odds


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def gain(left, right, criterion):
    counts = np.array([left + right, left, right])
    n = counts.sum(axis=1)
    node, *sides = (m * naive.impurity(c, m, criterion) for c, m in zip(counts, n, strict=True))
    return (node - sum(sides)) / n[0]


def compare_with_sklearn(X, y, n_classes, criterion, **rules):
    """Walk both trees together; return the splits that agree and the ties drawn differently."""
    depth = rules.pop("depth")
    tree = finish(axis_growth(X, y, n_classes, depth, criterion, **rules))
    rules["min_impurity_decrease"] = rules.pop("min_gain", 0.0)
    theirs = DecisionTreeClassifier(
        criterion=criterion.name.lower(), max_depth=depth, random_state=0, **rules
    )
    theirs = theirs.fit(X, y).tree_
    n_same = n_ties = 0
    pending = [(tree.root, 0, np.arange(len(y)))]
    while pending:
        ours, node, rows = pending.pop()
        n_class = np.bincount(y[rows], minlength=n_classes)
        assert theirs.n_node_samples[node] == len(rows)
        if ours < 0:  # a leaf in both trees, with the same counts
            assert theirs.children_left[node] < 0
            assert_array_equal(tree.values[~ours], class_log_odds(n_class[None])[0])
            continue
        assert theirs.children_left[node] >= 0
        right = X[rows, tree.feature[ours]] > tree.threshold[ours]
        their_right = X[rows, theirs.feature[node]] > theirs.threshold[node]
        if tree.feature[ours] != theirs.feature[node] or (right != their_right).any():
            gains = []
            for side in (right, their_right):
                on_right = np.bincount(y[rows[side]], minlength=n_classes)
                gains.append(gain(n_class - on_right, on_right, criterion))
            assert_allclose(*gains, rtol=0, atol=1e-7)
            n_ties += 1
            continue
        assert_allclose(tree.threshold[ours], theirs.threshold[node], rtol=1.2e-7)
        n_same += 1
        pending.append((tree.left[ours], theirs.children_left[node], rows[~right]))
        pending.append((tree.right[ours], theirs.children_right[node], rows[right]))
    return n_same, n_ties


@pytest.mark.parametrize("criterion", IMPURITIES)
@pytest.mark.parametrize(
    ("shape", "n_classes", "rules"),
    [
        ((2000, 1), 2, {"depth": 3, "min_samples_leaf": 30}),
        ((1000, 5), 3, {"depth": 4, "min_samples_leaf": 25}),
        ((800, 12), 7, {"depth": 6, "min_samples_split": 90}),
        ((3000, 4), 2, {"depth": 12, "min_gain": 0.004}),
    ],
)
def test_the_tree_is_that_of_sklearn(rng, criterion, shape, n_classes, rules):
    # Nodes are kept large, where no two of the splits in question gain exactly the same.
    X, y = blobs(rng, *shape, n_classes)
    n_same, n_ties = compare_with_sklearn(X, y, n_classes, criterion, **rules)
    assert n_same > 3
    assert n_ties == 0


@pytest.mark.parametrize("criterion", IMPURITIES)
@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_the_tree_is_that_of_sklearn_on_jittered_real_data_up_to_ties(rng, criterion, load):
    X, y = load(return_X_y=True)
    X = (X + 0.7 * X.std(axis=0) * rng.normal(size=X.shape)).astype(np.float32)
    n_classes = y.max() + 1
    for depth, min_samples_leaf in ((3, 9), (20, 1)):
        n_same, n_ties = compare_with_sklearn(
            X, y, n_classes, criterion, depth=depth, min_samples_leaf=min_samples_leaf
        )
        assert n_same > max(2, n_ties)
