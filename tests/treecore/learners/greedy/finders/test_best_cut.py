"""The search and the division of sorted rows, against their plain twins."""

import dataclasses
import itertools

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal

from tests.helpers.growing import (
    blobs,
    class_rows,
    finish,
    grow,
    growth_by,
    number_rows,
    rows,
    table,
)
from tests.helpers.same import assert_same
from tests.naive import greedy as naive
from treecore.core.impurity import Criterion
from treecore.learners.greedy.finders.axis import (
    CUT,
    AxisFinder,
    SortedTable,
    divide_orders,
    draw_features,
    make_search,
    search_features,
    sorted_rows,
)
from treecore.learners.greedy.finders.sorting import sort_rows, sort_space
from treecore.learners.greedy.targets import make_criterion


def with_holes(X, share):
    return np.where(np.random.default_rng(0).random(X.shape) < share, np.float32(np.nan), X)


def sorted_table(X):
    made = SortedTable(X)
    made.sort_up_to(X.shape[1])
    return made


def found(X, members, criterion, smallest):
    """The best cuts of a node whose rows are a range in the middle of every order."""
    made = sorted_table(X)
    is_member = np.zeros(len(X), dtype=bool)
    is_member[members] = True
    before = np.full((X.shape[1], 3), -1, dtype=np.int32)  # of other nodes
    inside = np.array([order[is_member[order]] for order in made.order])
    search, _ = make_search(class_rows(X, np.zeros(len(X), int), 1), made, AxisFinder())
    search = search._replace(order=np.concatenate([before, inside], axis=1))
    tally = criterion.tally(members)
    rules = criterion, tally, smallest, np.empty_like(tally)
    search_features(0, X.shape[1], 3, members, search, None, None, None, 0, rules)
    return search.cuts


@pytest.mark.parametrize("kind", ["entropy", "gini", "gain_ratio", "numbers"])
def test_the_best_cuts_of_many_rows_are_those_of_naive(kind):
    rng = np.random.default_rng(450)
    X, y = table(rng, 900)
    weight = rng.integers(1, 4, size=900)
    if kind == "numbers":
        numbers = np.column_stack([y + X[:, 6], X[:, 2]]).astype(np.float32)
        criterion = make_criterion(number_rows(X, numbers, weight), Criterion.ENTROPY)
    else:
        criterion = make_criterion(class_rows(X, y, 3, weight), Criterion[kind.upper()])
    members = np.sort(rng.permutation(900)[:450]).astype(np.int32)
    for smallest, share in itertools.product((1, 30), (0.0, 0.1)):
        X = with_holes(X, share)
        made = found(X, members, criterion, smallest)
        twin = naive.search_features(X, members, criterion, criterion.tally(members), smallest)
        can = twin["score"] < np.inf
        assert_array_equal(made["score"], twin["score"])
        for name in CUT.names:
            assert_array_equal(made[name][can], twin[name][can])


@given(rows(max_samples=200), st.data())
def test_rows_are_sorted_as_numpy_sorts_them(sample, data):
    X, _, _ = sample
    X = with_holes(X, data.draw(st.sampled_from([0.0, 0.3])))
    members = np.random.default_rng(0).permutation(len(X)).astype(np.int32)
    line, values = np.empty(len(X), dtype=np.int32), np.empty(len(X), dtype=np.float32)
    sort_rows(X[:, 0].copy(), members, line, values, sort_space(len(X)))
    assert_array_equal(line, members[np.argsort(X[members, 0], kind="stable")])


@given(arrays(np.float32, st.integers(0, 60), elements=st.floats(width=32)))
@example(np.array([1, -np.nan, 0.0, -0.0, -np.inf, np.nan, np.inf, -1e-45, 0.0], np.float32))
def test_a_column_is_sorted_as_numpy_sorts_it(column):
    assert_array_equal(sorted_rows(column), np.argsort(column, kind="stable"))


@given(rows(), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_features_are_drawn_as_numpy_draws_them(sample, n_wanted, seed):
    X, y, n_classes = sample
    if not n_wanted < X.shape[1]:
        return
    rng, given_rows = np.random.default_rng(seed), class_rows(X, y, n_classes)
    search, draws = make_search(given_rows, SortedTable(X), AxisFinder(n_wanted, rng))
    members = np.arange(0, len(X), 2, dtype=np.int32)
    for _ in range(3):
        n_found = draw_features(draws, search, members)
        expected = naive.drawn_features(rng, np.arange(X.shape[1]), X, members, n_wanted)
        assert draws.drawn[:n_found].tolist() == expected


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
    tree = finish(growth_by(drawn, given_rows, 3, Criterion.GINI, **rules))
    assert_same(tree, finish(grow("axis", given_rows, 3, Criterion.GINI, **rules)))
