"""Rows that repeat are merged, however they were written."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array

from tests.helpers.same import assert_same
from treecore.core.routing import as_rows
from treecore.rows.deduplicate import deduplicate_rows, row_digests

SMALL = st.sampled_from([0.0, -0.0, 1.0, 1.0 + 1e-12, 2.5, np.nan])


@given(arrays(np.float64, st.tuples(st.integers(1, 12), st.integers(1, 3)), elements=SMALL))
def test_rows_share_a_digest_where_trees_cannot_tell_them_apart(X):
    y = np.arange(len(X)) % 2
    names = [tuple(name) for name in row_digests(X, y)]
    rows = [tuple(x) for x in np.nan_to_num(np.column_stack([X.astype(np.float32), y]), nan=-7.0)]
    for i in range(len(X)):
        for j in range(len(X)):
            assert (names[i] == names[j]) == (rows[i] == rows[j])


@given(st.integers(0, 1000), st.booleans())
def test_a_merged_table_does_not_know_how_it_was_written(seed, sparse):
    rng = np.random.default_rng(seed)
    n = rng.integers(1, 10)
    X = rng.integers(0, 3, size=(n, 3)).astype(float)
    y = rng.integers(0, 2, size=n)
    weight = rng.integers(0, 4, size=n)
    weight[0] = 2  # so that there is something, and something to merge
    again = rng.permutation(np.repeat(np.arange(n), weight))
    table = (lambda X: as_rows(csr_array(X))) if sparse else (lambda X: X)
    one = deduplicate_rows(table(X), y, weight.astype(float))
    other = deduplicate_rows(table(X[again]), y[again], None)
    assert_same(one, other)
    assert one[2].sum() == weight.sum()
    merged = {(*x, c): w for x, c, w in zip(_dense(one[0]), one[1], one[2])}
    for key in merged:
        same = [(*x, c) == key for x, c in zip(X, y)]
        assert merged[key] == weight[same].sum()


def _dense(X):
    return (
        X
        if isinstance(X, np.ndarray)
        else csr_array((X.values, X.where, X.start), (len(X.start) - 1, X.n_columns)).toarray()
    )


def test_a_table_of_different_rows_is_left_as_it_is():
    X, y = np.random.default_rng(0).normal(size=(50, 3)), np.zeros(50)
    for weight in (None, np.ones(50)):
        result = deduplicate_rows(X, y, weight)
        assert result[0] is X
        assert result[2] is None
    held = deduplicate_rows(X, y, np.arange(50) % 2)
    np.testing.assert_array_equal(held[0], X[1::2])
    assert held[2] is None
