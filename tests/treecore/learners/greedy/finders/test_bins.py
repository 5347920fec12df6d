"""Features in bins: against the plain twin, and what holds for any table."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from tests.helpers.growing import rows, table
from tests.helpers.same import assert_same
from tests.naive import greedy as naive
from treecore.learners.greedy.finders import bins as bins_module
from treecore.learners.greedy.finders.bins import (
    MOST,
    BinnedTable,
    Bins,
    bin_features,
    sort_by_value,
)
from treecore.learners.greedy.finders.sorting import sort_space


def binned(X, bin_with):
    bins = Bins.empty(X.shape[1], len(X))
    bin_with(X, 0, 1, bins)
    bin_with(X, 1, X.shape[1], bins)
    return bins._replace(edges=bins.edges + 0)  # -0.0 begins a bin as 0.0 does


@given(rows())
def test_few_values_have_a_bin_each_as_naive_says(sample):
    X, _, _ = sample
    bins = binned(X, bin_features)
    assert_same(bins, binned(X, naive.bin_features))
    assert_array_equal(bins.n_bins, [len(np.unique(column)) for column in X.T])
    assert not bins.several.any()


@pytest.mark.parametrize("n", [256, 257, 511, 512, 513, 3000])
def test_bins_of_long_columns_are_those_of_naive_and_keep_the_order_of_values(n):
    X, _ = table(np.random.default_rng(n), n)
    bins = binned(X, bin_features)
    assert_same(bins, binned(X, naive.bin_features))
    for column, codes, n_bins in zip(X.T, bins.codes.T, bins.n_bins, strict=True):
        order = np.argsort(column, kind="stable")
        steps = np.diff(codes[order].astype(int))
        assert ((steps == 0) | (steps == 1)).all()
        assert (steps[np.diff(column[order]) == 0] == 0).all()
        assert (codes.min(), codes.max()) == (0, n_bins - 1)
        assert n_bins <= MOST


@given(st.integers(0, 60), st.integers(0, 10), st.integers(0, 2**32 - 1))
def test_part_of_some_values_is_sorted_and_equal_ones_keep_their_order(n, beside, seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(-9, 9, size=n + 2 * beside).astype(np.float32)
    places = np.arange(len(values), dtype=np.int32)
    expected = places.copy()
    expected[beside : beside + n] = beside + np.argsort(values[beside : beside + n], kind="stable")
    before = values.copy()
    spare = np.empty(n, np.float32), np.empty(n, np.int32)
    sort_by_value(values, places, beside, beside + n, sort_space(n), *spare)
    assert_array_equal(places, expected)
    assert_array_equal(values, before[expected])


def test_bins_by_a_sample_keep_the_order_of_values_and_say_which_hold_several(monkeypatch):
    monkeypatch.setattr(bins_module, "SAMPLE", 256)
    X, _ = table(np.random.default_rng(0), 3000)
    X[:, 4] = np.arange(3000) % 12 == 0  # whose sample is of one value
    X[1::12, 4] = np.random.default_rng(1).random(250)
    bins = binned(X, bin_features)
    for f, (column, codes) in enumerate(zip(X.T, bins.codes.T, strict=True)):
        order = np.argsort(column, kind="stable")
        assert (np.diff(codes[order].astype(int)) >= 0).all()
        same = np.diff(column[order]) == 0
        assert (np.diff(codes[order].astype(int))[same] == 0).all()
        several = [len(np.unique(column[codes == b])) > 1 for b in range(MOST)]
        assert_array_equal(bins.several[f], several)
        assert codes.max() < bins.n_bins[f] <= MOST


def test_trees_that_grow_side_by_side_put_no_feature_into_bins_twice(monkeypatch):
    put = []

    def slowly(X, first, last, bins):
        time.sleep(0.005)  # so that the others come meanwhile
        put.extend(range(first, last))

    monkeypatch.setattr(bins_module, "bin_features", slowly)
    shared = BinnedTable(np.zeros((4, 8), dtype=np.float32))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(shared.bin_up_to, [1, 3, 2, 5, 4, 8, 6, 7]))
    assert put == list(range(8))
    assert shared.n_binned == 8
