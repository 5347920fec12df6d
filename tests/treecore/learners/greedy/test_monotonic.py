"""A constrained tree never falls where it must not, and fits as well as scikit-learn's."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.helpers.growing import CRITERIA, class_rows, finish, grow, number_rows, slopes
from tests.helpers.same import assert_same
from tests.naive import greedy as naive
from treecore import RunConfig, Trainer
from treecore.core.impurity import Criterion
from treecore.core.routing import apply
from treecore.learners.greedy.monotonic import check_monotonic
from treecore.learners.greedy.targets import make_criterion
from treecore.learners.states import load_state, state_of
from treecore.losses import HUBER, SQUARED


def constrained(rows, signs):
    return dataclasses.replace(rows, monotonic=np.array(signs, dtype=np.int8))


def answers(tree, X):
    """Numbers; of classes the log-odds of the second one, which rise with its probability."""
    values = tree.values.astype(np.float64)[apply(tree, np.ascontiguousarray(X, np.float32))]
    return values[:, 0] if values.shape[1] == 1 else values[:, 1] - values[:, 0]


def n_falls(tree, rng, X, signs, n=300):
    """Pairs of random rows, moved upward in constrained features, whose answer falls."""
    lower = np.column_stack([rng.choice(column, n) for column in np.nan_to_num(X).T])
    other = np.column_stack([rng.choice(column, n) for column in np.nan_to_num(X).T])
    rises = np.maximum((other - lower) * signs, 0) * signs * (rng.random(lower.shape) < 0.6)
    return int((answers(tree, lower + rises) < answers(tree, lower)).sum())


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(["entropy", "gini", "gain_ratio", "squared", "huber"]),
    st.sampled_from([0.001, 1.0, 20.0]),
    st.sampled_from([0, 5, 40]),
    st.sampled_from([0.0, 0.3]),
    st.sampled_from(["none", "whole", "any"]),
)
def test_the_answer_never_falls_as_a_constrained_feature_rises(
    seed, kind, smoothing, max_leaf_nodes, holes, weights
):
    rng = np.random.default_rng(seed)
    n, p = int(rng.integers(2, 300)), int(rng.integers(1, 5))
    X = rng.normal(size=(n, p)).astype(np.float32)
    X = np.where(rng.random(p) < 0.5, X, np.round(2 * X))  # half of the columns have few values
    signs = rng.integers(-1, 2, size=p)
    y = np.sin(3 * X).sum(axis=1) + (X * rng.normal(size=p)).sum(axis=1) + rng.standard_cauchy(n)
    X = np.where(rng.random(X.shape) < holes, np.float32(np.nan), X).astype(np.float32)
    weight = {"none": None, "whole": rng.integers(0, 4, size=n) + (np.arange(n) == 0),
              "any": rng.exponential(size=n)}[weights]  # fmt: skip
    if kind in ("squared", "huber"):
        y = (y / (np.abs(y).mean() + 1e-9)).astype(np.float32)[:, None]
        rows = number_rows(X, y, weight, HUBER if kind == "huber" else SQUARED)
        criterion = Criterion.GINI
    else:
        rows = class_rows(X, (y > 0).astype(np.int64), 2, weight)
        criterion = Criterion[kind.upper()]
    rows = constrained(rows, signs)
    rules = {"smoothing": smoothing, "max_leaf_nodes": max_leaf_nodes}
    learner = grow("axis", rows, 8, criterion, **rules)
    while not learner.finished:
        assert n_falls(learner.tree(), rng, X, signs) == 0  # nor while it grows
        learner.advance(10**9)
    assert n_falls(learner.tree(), rng, X, signs, 3000) == 0


@given(st.integers(0, 2**32 - 1), st.booleans(), st.sampled_from(CRITERIA), st.booleans())
def test_the_splits_are_those_of_naive(seed, classes, criterion, with_holes):
    rng = np.random.default_rng(seed)
    n, p = int(rng.integers(2, 60)), int(rng.integers(1, 4))
    X = np.round(2 * rng.normal(size=(n, p))).astype(np.float32)
    y = np.sin(X).sum(axis=1) + rng.normal(size=n)
    if with_holes:
        X = np.where(rng.random(X.shape) < 0.2, np.float32(np.nan), X)
    rows = class_rows(X, (y > 0).astype(np.int64), 2)
    if not classes:
        rows = number_rows(X, np.round(4 * y).astype(np.float32)[:, None])
    signs = rng.integers(-1, 2, size=p)
    tree = finish(grow("axis", constrained(rows, signs), 5, criterion))
    twin = naive.axis_splits(X, make_criterion(rows, criterion), 5, 1, signs)
    assert list(zip(tree.feature, tree.threshold, strict=True)) == [split[:2] for split in twin]


@given(arrays(np.int64, 3, elements=st.integers(-1, 1)), st.sampled_from([0, 12]))
def test_a_tree_that_stops_and_goes_on_is_the_same(signs, max_leaf_nodes):
    rng = np.random.default_rng(5)
    X, y = slopes(rng, 200, 3, 1)
    rows, rules = constrained(number_rows(X, y), signs), {"max_leaf_nodes": max_leaf_nodes}
    entire = finish(grow("axis", rows, 6, **rules))
    learner = grow("axis", rows, 6, **rules)
    for _ in range(5):
        learner.advance(300)
        state = state_of(learner)
        learner = grow("axis", rows, 6, **rules)
        load_state(learner, state)
    assert_same(finish(learner), entire)


@pytest.mark.jit
@pytest.mark.parametrize("max_leaf_nodes", [0, 30])
def test_it_fits_the_training_rows_as_well_as_sklearn(rng, max_leaf_nodes):
    # Where a value lies outside its bounds, scikit-learn makes no cut on a constrained feature.
    limit = {"max_depth": 8, "max_leaf_nodes": max_leaf_nodes or None, "random_state": 0}
    signs, rules = [1, -1, 0, 1, 0], {"smoothing": 1e-3, "max_leaf_nodes": max_leaf_nodes}
    scores = []
    for _ in range(10):
        X, y = slopes(rng, 1000, 5, 1)
        theirs = DecisionTreeRegressor(monotonic_cst=signs, **limit).fit(X, y[:, 0])
        ours = finish(grow("axis", constrained(number_rows(X, y), signs), 8, **rules))
        r2 = 1 - (answers(ours, X) - y[:, 0]).var() / y.var()
        classes = (y[:, 0] > 0).astype(np.int64)
        scores.append([r2, theirs.score(X, y[:, 0])])
        theirs = DecisionTreeClassifier(monotonic_cst=signs, **limit).fit(X, classes)
        rows = constrained(class_rows(X, classes, 2), signs)
        ours = finish(grow("axis", rows, 8, Criterion.GINI, **rules))
        scores[-1] += [((answers(ours, X) > 0) == classes).mean(), theirs.score(X, classes)]
    of_numbers, their_numbers, of_classes, their_classes = np.mean(scores, axis=0)
    assert abs(of_numbers - their_numbers) < 0.03
    assert abs(of_classes - their_classes) < 0.03


def test_a_stump_is_that_of_sklearn(rng):
    X, y = slopes(rng, 300, 4, 1)
    for signs in ([1, 1, 1, 1], [-1, -1, -1, -1], [1, -1, 1, -1]):
        theirs = DecisionTreeRegressor(max_depth=1, monotonic_cst=signs).fit(X, y[:, 0]).tree_
        ours = finish(grow("axis", constrained(number_rows(X, y), signs), 1, smoothing=1e-3))
        assert_array_equal(ours.feature, theirs.feature[:1])
        assert abs(ours.threshold[0] - theirs.threshold[0]) < 1e-6


def test_what_cannot_be_constrained_is_refused(rng):
    X, y = slopes(rng, 30, 2, 2)
    one, classes = number_rows(X, y[:, :1]), class_rows(X, np.arange(30) % 3, 3)
    for given_rows, signs, sentence in (
        (number_rows(X, y), [1, 0], "needs one number a row, and y has 2"),
        (classes, [1, 0], "needs two classes, and y has 3"),
        (one, [1], "one for each of 2 features"),
        (one, [2, 0], "only -1, 0 and 1"),
    ):
        with pytest.raises(ValueError, match=sentence):
            check_monotonic(constrained(given_rows, signs))
    for name in ("random-oblique", "oc1", "co2", "tao", "sgd"):
        with pytest.raises(ValueError, match="is for axis-aligned and annealed trees"):
            Trainer(RunConfig(name), X, np.arange(30) % 2, monotonic=np.array([1, 0], np.int8))
