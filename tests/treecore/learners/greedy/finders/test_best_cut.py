"""The best cut of a feature, from bins or from sorted rows, against the plain twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from tests.helpers.growing import CRITERIA, class_rows, number_rows, rows, table, training
from tests.naive import greedy as naive
from treecore.core.impurity import Criterion
from treecore.learners.greedy.criteria import extent, least_score, move_bin, score, start_totals
from treecore.learners.greedy.finders import best_cut as best_cut_module
from treecore.learners.greedy.finders.best_cut import CutSpace, search_features
from treecore.learners.greedy.finders.bins import Bins, bin_features
from treecore.learners.greedy.targets import make_targets


def bins_of(X, n_kept=None):
    bins = Bins.empty(X.shape[1], len(X), n_kept)
    bin_features(X, 0, X.shape[1], bins)
    return bins


def found(X, members, bins, targets, features, min_samples_leaf, competing=False):
    cuts = [np.full(X.shape[1], np.inf), *np.zeros((2, X.shape[1]), np.int64)]
    tally = targets.tally(members)
    space = CutSpace.of(len(members), tally)
    while lacking := search_features(
        np.array(features),
        X,
        members,
        bins,
        targets.criterion.take(members),
        tally,
        min_samples_leaf,
        np.inf,
        competing,
        *cuts,
        space,
    ):
        assert lacking > len(space.spare_values)
        space = CutSpace.of(len(members), tally, lacking)
    return np.array(cuts)


def expected(X, members, targets, features, min_samples_leaf):
    cuts = [np.full(X.shape[1], np.inf), *np.zeros((2, X.shape[1]), np.int64)]
    whole = targets.tally(members)
    naive.search_features(features, X, members, targets.criterion, whole, min_samples_leaf, *cuts)
    return np.array(cuts)


@given(rows(), st.sampled_from(CRITERIA), st.integers(1, 4), st.data())
def test_the_best_cuts_of_few_rows_are_those_of_naive(sample, criterion, least, data):
    X, y, n_classes = sample
    targets = make_targets(data.draw(training(X, y, n_classes)), criterion)
    features = data.draw(st.lists(st.integers(0, X.shape[1] - 1), min_size=1, unique=True))
    members = data.draw(st.permutations(range(len(y))))
    members = np.array(members[: data.draw(st.integers(1, len(y)))], dtype=np.int32)
    comp = found(X, members, bins_of(X), targets, features, least)
    assert_array_equal(comp, expected(X, members, targets, features, least))


@pytest.mark.parametrize("kind", ["entropy", "gini", "gain_ratio", "numbers"])
@pytest.mark.parametrize("n", [90, 450, 900])
def test_the_best_cuts_of_many_rows_are_those_of_naive(kind, n):
    rng = np.random.default_rng(n)
    X, y = table(rng, 900)
    weight = rng.integers(1, 4, size=900) if n == 450 else None
    if kind == "numbers":
        numbers = np.column_stack([y + X[:, 6], X[:, 2]]).astype(np.float32)
        targets = make_targets(number_rows(X, numbers, weight), Criterion.ENTROPY)
    else:
        targets = make_targets(class_rows(X, y, 3, weight), Criterion[kind.upper()])
    bins = bins_of(X)
    members = np.sort(rng.permutation(900)[:n]).astype(np.int32)
    features = list(range(X.shape[1]))
    for least in (1, 30):
        twin = expected(X, members, targets, features, least)
        assert_array_equal(found(X, members, bins, targets, features, least), twin)
        # Where features compete, the winner is the same, and no other one is better than it is.
        scores, n_left, _ = found(X, members, bins, targets, features, least, competing=True)
        best = twin[0].argmin()
        assert (scores.argmin(), n_left[best]) == (best, twin[1][best])
        assert (scores >= twin[0]).all()


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_cuts_are_the_same_where_a_few_bins_are_summed_and_sorted_at_a_time(kind, monkeypatch):
    X, y = table(np.random.default_rng(2), 2000)
    targets = make_targets(class_rows(X, y, 3), Criterion.GINI)
    if kind == "numbers":
        targets = make_targets(number_rows(X, y[:, None].astype(np.float32)), Criterion.GINI)
    more = targets, list(range(X.shape[1])), 1
    data = X, np.arange(2000, dtype=np.int32), bins_of(X), *more
    whole = found(*data), found(*data, competing=True)
    for n_kept in range(X.shape[1]):
        some = X, data[1], bins_of(X, n_kept), *more
        assert_array_equal((found(*some), found(*some, competing=True)), whole)
    for name in ("_SORTED", "_IN_BIN", "_PIECE"):
        monkeypatch.setattr(best_cut_module, name, 1)
    for n_kept in (X.shape[1], 2):
        some = X, data[1], bins_of(X, n_kept), *more
        assert_array_equal((found(*some), found(*some, competing=True)), whole)


@given(st.integers(0, 2**32 - 1), st.sampled_from([*CRITERIA, None]))
def test_no_cut_within_a_bin_scores_lower_than_its_bound(seed, criterion):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(2, 40)), int(rng.integers(1, 5))
    X, y = np.zeros((n, 1), np.float32), rng.integers(k, size=n)
    weight = rng.integers(1, 4, size=n)
    made = class_rows(X, y, k, weight)
    if criterion is None:
        made = number_rows(X, rng.standard_normal((n, k)).astype(np.float32) ** 3, weight)
    targets = make_targets(made, criterion or Criterion.GINI)
    first, last = np.sort(rng.integers(0, n + 1, size=2))
    parts = (0, n), (first, last), (last, n)
    tally, of_bin, right = (targets.tally(np.arange(*part, dtype=np.int32)) for part in parts)
    tallies = of_bin[None]
    criterion = targets.criterion
    before = plain(start_totals)(criterion, tally, right)
    after = plain(move_bin)(criterion, tally, right, tallies, 0, before)
    limits = np.empty((2, len(tally) - 1))
    plain(extent)(criterion, limits)
    bound = plain(least_score)(criterion, tally, right, tallies, 0, before, after, limits)
    for middle in range(first, last + 1):
        if 0 < middle < n:
            inside = targets.tally(np.arange(middle, n, dtype=np.int32))
            totals = plain(start_totals)(criterion, tally, inside)
            assert plain(score)(criterion, tally, inside, totals) >= bound


def plain(function):
    """The code of a dispatched function without the compiler."""
    return lambda criterion, *rest: function.dispatch(type(criterion))(criterion, *rest)
