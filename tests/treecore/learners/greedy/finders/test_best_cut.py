"""The search and the division of sorted rows, against their plain twins."""

import dataclasses
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from tests.helpers.growing import blobs, class_rows, finish, grow, number_rows, rows, table
from tests.helpers.same import assert_same
from tests.naive import greedy as naive
from treecore.core.impurity import Criterion
from treecore.learners.greedy.finders.axis import (
    AxisFinder,
    SortedTable,
    divide_orders,
    search_features,
)
from treecore.learners.greedy.growth import Growth
from treecore.learners.greedy.targets import make_targets

NO_SIGNS = np.empty(0, dtype=np.int8)


def with_holes(X, share):
    return np.where(np.random.default_rng(0).random(X.shape) < share, np.float32(np.nan), X)


def sorted_table(X):
    made = SortedTable(X)
    made.sort_up_to(X.shape[1])
    return made


def found(X, members, targets, features, min_samples_leaf, signs=NO_SIGNS, bounds=None):
    """The best cuts of a node whose rows are a range in the middle of every order."""
    made = sorted_table(X)
    is_member = np.zeros(len(X), dtype=bool)
    is_member[members] = True
    before = np.full((X.shape[1], 3), -1, dtype=np.int32)  # of other nodes
    inside = np.array([order[is_member[order]] for order in made.order])
    order = np.concatenate([before, inside], axis=1)
    cuts = [np.full(X.shape[1], np.inf), *np.zeros((3, X.shape[1]), np.int64)]
    cuts[2] = cuts[2].astype(bool)
    tally = targets.tally(members)
    features = np.array(features)
    rules = signs, bounds, targets.criterion, tally, min_samples_leaf
    node = order, 3, 3 + len(members), *rules
    space = np.empty(len(X), dtype=np.float32), np.empty_like(tally)
    search_features(features, features, made.columns, *node, *cuts, *space)
    return np.array(cuts)


def expected(X, members, targets, features, min_samples_leaf, signs=NO_SIGNS, bounds=None):
    cuts = [np.full(X.shape[1], np.inf), *np.zeros((3, X.shape[1]), np.int64)]
    entire = targets.tally(members)
    rules = signs, bounds, targets.criterion, entire, min_samples_leaf
    naive.search_features(features, X, members, *rules, *cuts)
    return np.array(cuts)


@pytest.mark.parametrize("kind", ["entropy", "gini", "gain_ratio", "numbers"])
def test_the_best_cuts_of_many_rows_are_those_of_naive(kind):
    rng = np.random.default_rng(450)
    X, y = table(rng, 900)
    weight = rng.integers(1, 4, size=900)
    if kind == "numbers":
        numbers = np.column_stack([y + X[:, 6], X[:, 2]]).astype(np.float32)
        targets = make_targets(number_rows(X, numbers, weight), Criterion.ENTROPY)
    else:
        targets = make_targets(class_rows(X, y, 3, weight), Criterion[kind.upper()])
    members = np.sort(rng.permutation(900)[:450]).astype(np.int32)
    features = list(range(X.shape[1]))
    for smallest, share in itertools.product((1, 30), (0.0, 0.1)):
        X = with_holes(X, share)
        twin = expected(X, members, targets, features, smallest)
        assert_array_equal(found(X, members, targets, features, smallest), twin)


@given(rows(), st.data())
def test_a_range_is_divided_as_naive_divides_it(sample, data):
    X, y, _ = sample
    made = sorted_table(X)
    start = data.draw(st.integers(0, len(y) - 1))
    stop = data.draw(st.integers(start + 1, len(y)))
    right = np.array(data.draw(st.lists(st.booleans(), min_size=len(y), max_size=len(y))))
    order, twin = made.order.copy(), made.order.copy()
    space = np.empty(len(y), dtype=np.int32)
    divide_orders(0, len(order), made.columns, order, start, stop, right, space)
    naive.divide_orders(0, len(order), twin, start, stop, right)
    for f, values in enumerate(made.columns):
        ends = values[made.order[f, [start, stop - 1]]]
        if ends[0] == ends[1]:  # a constant feature is left as it is, and stays constant
            twin[f] = made.order[f]
    assert_array_equal(order, twin)


def test_of_equal_splits_the_feature_that_comes_first_in_the_order_wins(rng):
    X, y = blobs(rng, 100, 1, 2)
    for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
        given_rows = class_rows(np.repeat(X, 3, axis=1), y, 2)
        given_rows = dataclasses.replace(given_rows, feature_order=np.array(order))
        tree = finish(grow("axis", given_rows, 4))
        assert set(tree.feature) == {order[0]}


def test_trees_that_share_a_sorted_table_are_those_that_do_not(rng):
    X, y = table(rng, 300)
    shared = SortedTable(X)
    for seed in range(3):
        weight = np.random.default_rng(seed).integers(0, 3, size=300)
        alone = class_rows(X, y, 3, weight)
        together = dataclasses.replace(alone, sorted_table=shared)
        assert_same(finish(grow("axis", together, 6)), finish(grow("axis", alone, 6)))


def test_drawn_features_are_cut_as_sorted_ones_are(rng):
    X, y = blobs(rng, 400, 5, 3)
    X = np.column_stack([X, np.zeros(400, np.float32)])  # which nobody draws: it never varies
    given_rows, rules = class_rows(X, y, 3), {"min_samples_leaf": 40}
    drawn = AxisFinder(5, np.random.default_rng(0))
    tree = finish(Growth(given_rows, Criterion.GINI, 3, drawn, **rules))
    assert_same(tree, finish(grow("axis", given_rows, 3, Criterion.GINI, **rules)))
