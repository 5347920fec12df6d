"""The axis-aligned tree agrees with scikit-learn's wherever no tie decides."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.helpers.growing import IMPURITIES, blobs, class_rows, finish, grow, number_rows, slopes
from tests.naive import greedy as naive
from treecore.core.impurity import Criterion


def impurity(rows, members, criterion):
    """Weight of some rows, times their impurity."""
    weight = rows.weight[members]
    if rows.loss.task == "classification":
        counts = np.bincount(rows.y[members], weight, rows.n_outputs)
        return weight.sum() * naive.impurity(counts, weight.sum(), criterion)
    y = rows.y[members].astype(np.float64)
    mean = np.average(y, axis=0, weights=weight)
    return (weight[:, None] * (y - mean) ** 2).sum() / rows.n_outputs


def gain(rows, members, right, criterion):
    parts = members, members[right], members[~right]
    node, *sides = (impurity(rows, part, criterion) for part in parts)
    return (node - sum(sides)) / rows.weight[members].sum()


def goes_right(x, threshold, missing_left):
    return np.where(np.isnan(x), not missing_left, x > threshold)


def compare_with_sklearn(rows, criterion, **rules):
    """Walk both trees together; return the splits that agree and the ties drawn differently."""
    depth = rules.pop("depth")
    tree = finish(grow("axis", rows, depth, criterion, **rules))
    rules["min_impurity_decrease"] = rules.pop("min_gain", 0.0)
    classes = rows.loss.task == "classification"
    kind = DecisionTreeClassifier if classes else DecisionTreeRegressor
    theirs = kind(
        criterion=criterion.name.lower() if classes else "squared_error",
        max_depth=depth,
        random_state=0,
        **rules,
    )
    theirs = theirs.fit(rows.X, rows.y, sample_weight=rows.weight).tree_
    n_same = n_ties = 0
    pending = [(tree.root, 0, np.arange(len(rows.y)))]
    while pending:
        ours, node, members = pending.pop()
        assert theirs.n_node_samples[node] == len(members)
        if ours < 0:  # a leaf in both trees, with the same rows
            assert theirs.children_left[node] < 0
            leaf, part = np.zeros(len(members), np.int32), rows.take(members)
            values = part.loss.constants(leaf, part.y, part.weight, 1, rows.n_outputs, 1.0)
            assert_array_equal(tree.values[~ours], values[0])
            continue
        assert theirs.children_left[node] >= 0
        right = goes_right(rows.X[members, tree.feature[ours]], tree.threshold[ours],
                           tree.missing_left[ours])  # fmt: skip
        their_right = goes_right(rows.X[members, theirs.feature[node]], theirs.threshold[node],
                                 theirs.missing_go_to_left[node])  # fmt: skip
        if tree.feature[ours] != theirs.feature[node] or (right != their_right).any():
            gains = [gain(rows, members, side, criterion) for side in (right, their_right)]
            assert_allclose(*gains, rtol=0, atol=1e-7)
            n_ties += 1
            continue
        if np.isfinite(theirs.threshold[node]):  # else it parts what is missing from all others
            assert_allclose(tree.threshold[ours], theirs.threshold[node], rtol=1.2e-7)
        n_same += 1
        pending.append((tree.left[ours], theirs.children_left[node], members[~right]))
        pending.append((tree.right[ours], theirs.children_right[node], members[right]))
    return n_same, n_ties


@pytest.mark.parametrize("criterion", IMPURITIES)
@pytest.mark.parametrize(
    ("shape", "n_classes", "rules"),
    [
        ((2000, 1), 2, {"depth": 3, "min_samples_leaf": 30}),
        ((1000, 5), 3, {"depth": 4, "min_samples_leaf": 25}),
        ((800, 12), 7, {"depth": 6, "min_samples_leaf": 45}),
        ((3000, 4), 2, {"depth": 12, "min_gain": 0.004}),
    ],
)
def test_the_tree_is_that_of_sklearn(rng, criterion, shape, n_classes, rules):
    # Nodes are kept large, where no two of the splits in question gain exactly the same.
    X, y = blobs(rng, *shape, n_classes)
    for weight in (None, rng.integers(1, 6, size=len(y))):
        rows = class_rows(X, y, n_classes, weight)
        n_same, n_ties = compare_with_sklearn(rows, criterion, **rules)
        assert n_same > 3
        assert n_ties == 0


@pytest.mark.parametrize("n_outputs", [1, 3])
@pytest.mark.parametrize(
    ("shape", "rules"),
    [
        ((2000, 1), {"depth": 4, "min_samples_leaf": 30}),
        ((1000, 5), {"depth": 5, "min_samples_leaf": 10}),
        ((800, 12), {"depth": 6, "min_samples_leaf": 20}),
    ],
)
def test_the_tree_of_numbers_is_that_of_sklearn(rng, n_outputs, shape, rules):
    X, y = slopes(rng, *shape, n_outputs)
    for weight in (None, rng.integers(1, 6, size=len(y))):
        n_same, n_ties = compare_with_sklearn(number_rows(X, y, weight), Criterion.GINI, **rules)
        assert n_same > 10
        assert n_ties == 0


@pytest.mark.parametrize("share", [0.05, 0.4])
def test_missing_values_go_where_those_of_sklearn_do(rng, share):
    for shape in ((1000, 2), (800, 6)):
        X, y = blobs(rng, *shape, 3)
        gone = rng.random(X.shape) < share
        gone[:, 0] |= y == 1  # that it is missing tells of the class
        X = np.where(gone, np.float32(np.nan), X)
        numbers = (y[:, None] + rng.standard_normal((len(y), 2))).astype(np.float32)
        weight = rng.integers(1, 6, size=len(y))
        for rows in (class_rows(X, y, 3), class_rows(X, y, 3, weight), number_rows(X, numbers)):
            n_same, n_ties = compare_with_sklearn(
                rows, Criterion.GINI, depth=5, min_samples_leaf=20
            )
            assert n_same > 5
            assert n_ties == 0


@pytest.mark.parametrize("n_outputs", [1, 3])
def test_the_least_gain_of_numbers_is_that_of_sklearn(rng, n_outputs):
    X, y = slopes(rng, 3000, 4, n_outputs)
    for weight in (None, rng.integers(1, 6, size=len(y))):
        smallest = 0.004 * n_outputs  # where outputs are several, scikit-learn takes their mean
        rows = number_rows(X, y, weight)
        ours = finish(grow("axis", rows, 12, Criterion.GINI, min_gain=smallest))
        theirs = DecisionTreeRegressor(max_depth=12, min_impurity_decrease=0.004)
        assert theirs.fit(X, y, weight).tree_.n_leaves == ours.n_leaves > 10


@pytest.mark.parametrize("criterion", IMPURITIES)
def test_weights_of_any_kind_lead_to_the_tree_of_sklearn(rng, criterion):
    # Rounded to a total of a million units: splits that are not all but tied do not notice.
    X, y = blobs(rng, 1000, 5, 3)
    for weight in (rng.exponential(size=1000), 10.0 ** rng.uniform(-6, 3, size=1000)):
        rows = class_rows(X, y, 3, weight / weight.mean())
        n_same, _ = compare_with_sklearn(rows, criterion, depth=4, min_samples_leaf=25)
        assert n_same > 5


@pytest.mark.parametrize("criterion", IMPURITIES)
@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_the_tree_is_that_of_sklearn_on_jittered_real_data_up_to_ties(rng, criterion, load):
    X, y = load(return_X_y=True)
    X = (X + 0.7 * X.std(axis=0) * rng.normal(size=X.shape)).astype(np.float32)
    n_classes = y.max() + 1
    for depth, min_samples_leaf in ((3, 9), (20, 1)):
        n_same, n_ties = compare_with_sklearn(
            class_rows(X, y, n_classes), criterion, depth=depth, min_samples_leaf=min_samples_leaf
        )
        assert n_same > max(2, n_ties)
