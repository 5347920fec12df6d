"""Intervals and sets: their coverage, their scores against a naive twin, and what is refused."""

import doctest
import itertools
import math
import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.stats import betabinom
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from treecore import (
    AnnealedTreeClassifier,
    AxisTreeClassifier,
    AxisTreeRegressor,
    BoostedTreeClassifier,
    ObliqueForestClassifier,
    ObliqueForestRegressor,
    ObliqueTreeClassifier,
    ObliqueTreeRegressor,
)
from treecore.estimators import conformal
from treecore.estimators.conformal import MIN_GROUP_ROWS, groups_of_leaves, needed_rows

COVERAGES = (0.3, 0.5, 0.8, 0.9, 0.95, 0.99, 0.993, 0.996)


def drawn(n: int, seed: int):
    """Rows, numbers whose noise grows with the first column, and classes of three."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 3))
    numbers = 3 * X[:, 1] + (1.2 + X[:, 0]) * rng.normal(size=n)
    labels = np.digitize(X[:, 1] + 0.5 * rng.normal(size=n), [-0.4, 0.4])
    return X, numbers, np.array(["a", "b", "c"])[labels]


X, NUMBERS, LABELS = drawn(900, 0)
TRAIN, KEPT = slice(300), slice(300, 900)
REGRESSOR = AxisTreeRegressor(max_depth=4).fit(X[TRAIN], NUMBERS[TRAIN])
CLASSIFIER = AxisTreeClassifier(max_depth=4).fit(X[TRAIN], LABELS[TRAIN])


def calibrated(tree, y, rows=KEPT):
    return pickle.loads(pickle.dumps(tree)).calibrate(X[rows], y[rows])


def naive_groups(tree, n_rows, min_rows):
    """The leaves of each group, by a walk from leaf to leaf and node to node."""
    found = []

    def visit(node):
        """Leaves below a node that have no group yet."""
        waiting = [~node] if node < 0 else visit(tree.left[node]) + visit(tree.right[node])
        if sum(n_rows[leaf] for leaf in waiting) < min_rows:
            return waiting
        found.append(waiting)
        return []

    left = visit(tree.root)
    if left and found:
        # Equal groups: the one that stands nearer to the root, then the one of the smaller number.
        min(found, key=lambda leaves: sum(n_rows[leaf] for leaf in leaves)).extend(left)
    elif left:
        found.append(left)
    return {frozenset(map(int, leaves)) for leaves in found}


@pytest.mark.parametrize("min_rows", [1, 7, 20, 100, 250, 10_000])
@pytest.mark.parametrize("seed", range(4))
def test_groups_equal_those_of_a_walk(min_rows, seed):
    tree = REGRESSOR.tree_
    rng = np.random.default_rng(seed)
    # Different sums for different sets of leaves: no two groups are equally small.
    n_rows = rng.permutation(2 ** np.arange(tree.n_leaves)) % (97 + seed) + rng.integers(0, 3)
    group = groups_of_leaves(tree, n_rows, min_rows)
    sizes = np.bincount(group, n_rows)
    found = {frozenset(np.flatnonzero(group == one).tolist()) for one in np.unique(group)}
    assert found == naive_groups(tree, n_rows, min_rows)
    assert (sizes >= min(min_rows, n_rows.sum())).all()


def naive_width(tree, calibration, coverage, leaf):
    """The score of the rank in the group of a leaf."""
    n_rows = np.bincount(calibration.leaf, minlength=tree.n_leaves)
    (group,) = [g for g in naive_groups(tree, n_rows, MIN_GROUP_ROWS) if leaf in g]
    scores = sorted(calibration.scores[np.isin(calibration.leaf, list(group)), 0])
    return scores[math.ceil((len(scores) + 1) * coverage) - 1]


@pytest.mark.parametrize("coverage", [0.25, 0.5, 0.75, 0.875])
def test_the_width_and_the_set_of_a_leaf_equal_their_naive_twins(coverage):
    tree = calibrated(REGRESSOR, NUMBERS)
    ends = tree.predict_interval(X, coverage)
    width = (ends[:, 1] - ends[:, 0]) / 2
    np.testing.assert_allclose(ends.mean(axis=1), tree.predict(X))
    assert len(np.unique(width.round(9))) > 2
    for leaf, found in zip(tree.apply(X), width, strict=True):
        expected = naive_width(tree.tree_, tree.calibration_, coverage, leaf)
        assert found == pytest.approx(expected)
    tree = calibrated(CLASSIFIER, LABELS)
    rows = zip(tree.predict_set(X, coverage), tree.apply(X), tree.predict_proba(X), strict=True)
    for row, leaf, share in rows:
        limit = naive_width(tree.tree_, tree.calibration_, coverage, leaf)
        assert row.tolist() == [1 - one <= limit or one == max(share) for one in share]


def coverage_interval(n_tables, n_kept, n_new, coverage):
    """Bounds of a mean coverage over tables that chance leaves once in a thousand, for one group.

    The number of new rows inside is beta-binomial (Vovk 2012).
    """
    rank = math.ceil((n_kept + 1) * coverage)
    one = betabinom(n_new, rank, n_kept + 1 - rank)
    spread = 3.3 * one.std() / n_tables**0.5
    return (one.mean() - spread) / n_new, (one.mean() + spread) / n_new


@pytest.mark.parametrize("n_kept", [59, 799])
def test_new_rows_are_covered_as_often_as_they_should(n_kept):
    """Over all rows, and over those of each of the parts of the tree with answers of their own."""
    inside, by_side, in_set = [], [], []
    for seed in range(60):
        X_new, numbers, labels = drawn(n_kept + 500, 1 + seed)
        kept, new = slice(n_kept), slice(n_kept, None)
        tree = REGRESSOR.calibrate(X_new[kept], numbers[kept])
        ends = tree.predict_interval(X_new[new], 0.8)
        is_inside = (ends[:, 0] <= numbers[new]) & (numbers[new] <= ends[:, 1])
        inside.append(is_inside.mean())
        group = groups_of_leaves(
            tree.tree_,
            np.bincount(tree.calibration_.leaf, minlength=tree.tree_.n_leaves),
            MIN_GROUP_ROWS,
        )[tree.apply(X_new[new])]
        by_side.append(is_inside[group == 0].mean())
        sets = CLASSIFIER.calibrate(X_new[kept], labels[kept]).predict_set(X_new[new], 0.8)
        in_set.append(sets[np.arange(500), np.searchsorted(["a", "b", "c"], labels[new])].mean())
    low, high = coverage_interval(60, n_kept, 500, 0.8)
    assert low <= np.mean(inside) <= high + (n_kept == 799) / (MIN_GROUP_ROWS + 1)
    assert low <= np.mean(in_set)
    low, high = coverage_interval(60, min(n_kept, MIN_GROUP_ROWS), 50, 0.8)
    assert low <= np.mean(by_side) <= high


def test_several_outputs_have_an_interval_each():
    y = np.column_stack([NUMBERS, 100 * NUMBERS])
    both = AxisTreeRegressor(max_depth=3).fit(X[TRAIN], y[TRAIN]).calibrate(X[KEPT], y[KEPT])
    ends = both.predict_interval(X, 0.9)
    assert ends.shape == (900, 2, 2)
    np.testing.assert_allclose(ends[:, 1], 100 * ends[:, 0], rtol=1e-6)
    np.testing.assert_allclose(ends.mean(axis=2), both.predict(X))
    column = AxisTreeRegressor(max_depth=3).fit(X[TRAIN], NUMBERS[TRAIN, None])
    assert column.calibrate(X[KEPT], NUMBERS[KEPT]).predict_interval(X).shape == (900, 2)


@pytest.mark.parametrize(
    "tree",
    [
        AxisTreeRegressor(max_depth=2, leaf="linear"),
        ObliqueTreeRegressor(random_state=0, time_budget=1e-6),
        AnnealedTreeClassifier(depth=2, rounds=5, random_state=0),
        ObliqueTreeClassifier(random_state=0, time_budget=1e-6),
    ],
    ids=lambda tree: type(tree).__name__,
)
def test_estimators_of_one_tree_are_calibrated_pickled_and_fitted_anew(tree):
    numeric = "Regressor" in type(tree).__name__
    y = NUMBERS if numeric else LABELS
    tree = clone(tree).fit(X[TRAIN], y[TRAIN])
    before = tree.predict(X)
    assert tree.calibrate(X[KEPT], y[KEPT]) is tree
    np.testing.assert_array_equal(tree.predict(X), before)
    name = "predict_interval" if numeric else "predict_set"
    found = getattr(tree, name)(X, 0.8)
    np.testing.assert_array_equal(getattr(pickle.loads(pickle.dumps(tree)), name)(X, 0.8), found)
    assert not hasattr(clone(tree), "calibration_")
    for other in (type(tree).from_json(tree.to_json()), tree.fit(X[TRAIN], y[TRAIN])):
        with pytest.raises(NotFittedError, match="calibrate"):
            getattr(other, name)(X)


def test_a_piece_of_a_stream_ends_the_calibration():
    tree = AnnealedTreeClassifier(depth=2, rounds=5, random_state=0).fit(X[TRAIN], LABELS[TRAIN])
    tree.calibrate(X[KEPT], LABELS[KEPT]).partial_fit(X[KEPT], LABELS[KEPT])
    assert not hasattr(tree, "calibration_")


def test_forests_have_one_width_for_all_rows():
    frame = pd.DataFrame({"colour": np.where(X[:, 0] > 0, "red", "blue"), "size": X[:, 1]})
    both = np.column_stack([NUMBERS, -2 * NUMBERS])
    forest = ObliqueForestRegressor(n_estimators=4, random_state=0).fit(frame[TRAIN], both[TRAIN])
    assert "were not in training" in sentence(lambda: forest.predict_interval(X), NotFittedError)
    ends = forest.calibrate(frame[KEPT], both[KEPT]).predict_interval(frame, 0.8)
    scores = np.sort(np.abs(both - forest.predict(frame))[KEPT], axis=0)
    expected = scores[int(np.ceil(601 * 0.8)) - 1]
    np.testing.assert_allclose(ends.mean(axis=2), forest.predict(frame))
    np.testing.assert_allclose(np.ptp(ends, axis=2), np.tile(2 * expected, (900, 1)))
    assert not hasattr(forest.fit(frame, both), "calibration_")
    few = ObliqueForestClassifier("axis", n_estimators=2).fit(X, LABELS).calibrate(X, LABELS)
    assert not hasattr(few.fit(X, np.ones(len(X))), "calibration_")  # a forest of one leaf


@pytest.mark.parametrize(
    "forest",
    [ObliqueForestClassifier(n_estimators=4), BoostedTreeClassifier("axis", n_estimators=4)],
)
def test_sets_of_forests_hold_the_class_as_often_as_they_should(forest):
    forest = clone(forest).set_params(random_state=0).fit(X[TRAIN], LABELS[TRAIN])
    chosen = forest.calibrate(X[KEPT], LABELS[KEPT]).predict_set(X[KEPT], 0.9)
    assert chosen[np.arange(600), np.searchsorted(forest.classes_, LABELS[KEPT])].mean() >= 0.9
    assert chosen[np.arange(600), forest.predict_proba(X[KEPT]).argmax(axis=1)].all()
    forest.fit(X[TRAIN], ["a"] * 300).calibrate(X[KEPT], ["a"] * 600)
    assert forest.predict_set(X).tolist() == [[True]] * 900
    tree = AxisTreeClassifier().fit(X[TRAIN], ["a"] * 300).calibrate(X[KEPT], ["a"] * 600)
    assert tree.predict_set(X).tolist() == [[True]] * 900


def test_rows_behind_an_answer_are_the_training_rows_of_its_leaf():
    for tree in (REGRESSOR, CLASSIFIER):
        count = np.bincount(tree.apply(X[TRAIN]), minlength=tree.tree_.n_leaves)
        np.testing.assert_array_equal(tree.n_leaf_samples(X), count[tree.apply(X)])


def sentence(call, error=ValueError) -> str:
    with pytest.raises(error, match=r"^[^\n]+$") as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize("coverage", [0, 1, 1.5, -0.1, True, "0.9", None, np.nan])
def test_a_coverage_lies_between_0_and_1(coverage):
    tree = calibrated(CLASSIFIER, LABELS)
    said = sentence(lambda: tree.predict_set(X, coverage))
    assert said == f"coverage={coverage!r} must be a number above 0 and below 1"


def test_what_cannot_be_calibrated_or_asked_is_said_in_a_sentence():
    unfitted = AxisTreeRegressor()
    for call in (
        lambda: unfitted.calibrate(X, NUMBERS),
        lambda: unfitted.predict_interval(X),
        lambda: unfitted.n_leaf_samples(X),
    ):
        assert "not fitted yet" in sentence(call, NotFittedError)
    fresh = AxisTreeRegressor(max_depth=2).fit(X, NUMBERS)
    said = sentence(lambda: fresh.predict_interval(X), NotFittedError)
    assert "model.fit(X, y).calibrate(X_kept, y_kept), then model.predict_interval(X_new)" in said
    tree = calibrated(REGRESSOR, NUMBERS, slice(300, 360))
    assert sentence(lambda: tree.predict_interval(X, 0.99)) == (
        "coverage=0.99 needs at least 99 calibration rows, and there are 60; calibrate with more "
        "rows, or ask for a coverage of at most 0.983"
    )
    assert tree.predict_interval(X, 0.983).shape == (900, 2)
    assert "which is none of the classes" in sentence(lambda: CLASSIFIER.calibrate(X[:1], ["d"]))
    assert "3 features" in sentence(lambda: tree.predict_interval(X[:, :2]))
    assert "3 features" in sentence(lambda: tree.calibrate(X[:, :2], NUMBERS))
    assert "had 1 before" in sentence(lambda: tree.calibrate(X, np.column_stack([NUMBERS] * 2)))
    assert "inconsistent numbers" in sentence(lambda: tree.calibrate(X, NUMBERS[:5]))


def test_examples_in_docstrings_give_what_they_say():
    found = doctest.testmod(conformal)
    assert found.failed == 0
    assert found.attempted >= 8


@pytest.mark.parametrize("n_kept", [120, 600])
def test_a_larger_coverage_contains_a_smaller_one(n_kept):
    rows = slice(300, 300 + n_kept)
    kept = [c for c in COVERAGES if needed_rows(c) <= n_kept]
    numbers, classes = calibrated(REGRESSOR, NUMBERS, rows), calibrated(CLASSIFIER, LABELS, rows)
    ends = [numbers.predict_interval(X, coverage) for coverage in kept]
    sets = [classes.predict_set(X, coverage) for coverage in kept]
    for inner, outer in itertools.pairwise(ends):
        assert (outer[:, 0] <= inner[:, 0]).all()
        assert (outer[:, 1] >= inner[:, 1]).all()
    for few, many in itertools.pairwise(sets):
        assert (few <= many).all()
