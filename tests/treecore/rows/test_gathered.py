"""Products and sums of scattered rows have the bits of one row after another."""

import numba
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from treecore.compiling.kernels import LANES, dot
from treecore.rows.gathered import dots_of_four, dots_of_pairs, sum_scaled_rows


@numba.njit
def _products_and_sum(W, X, rows, factor, first, out):
    sum_scaled_rows(X, rows, factor, first, rows.shape[0], out)
    return dots_of_four(W, 1, X, rows[0], rows[1], rows[2], rows[3])


@pytest.mark.parametrize("n_blocks", [1, 2, 15, 16])
def test_four_products_and_a_sum_of_rows_are_those_of_each_row(n_blocks):
    rng = np.random.default_rng(n_blocks)
    W, X = (rng.standard_normal((n, n_blocks * LANES), dtype=np.float32) for n in (2, 9))
    rows = np.array([8, 0, 3, 3, 1], dtype=np.uint32)
    factor, out = rng.standard_normal(5, dtype=np.float32), np.ones(X.shape[1], np.float32)
    products = _products_and_sum(W, X, rows, factor, 1, out)
    assert products == tuple(dot(W[1], X[row]) for row in rows[:4])
    expected = np.zeros_like(out)
    for row, scale in zip(rows[1:], factor[1:], strict=True):
        expected += scale * X[row]
    assert_array_equal(out, expected)


@numba.njit
def _pairs(W, X, numbers):
    k, l, m, n, a, b, c, d = numbers
    return dots_of_pairs(W, X, k, l, m, n, a, b, c, d)


@pytest.mark.parametrize("width", [1, 3, 15, 16, 17, 31, 126, 784])
def test_products_of_four_pairs_are_those_of_each_pair(width):
    rng = np.random.default_rng(width)
    W, X = (rng.standard_normal((n, width), dtype=np.float32) for n in (3, 5))
    splits, rows = (2, 0, 2, 1), (4, 1, 0, 4)  # the last row ends where the table does
    expected = tuple(dot(W[k], X[i]) for k, i in zip(splits, rows, strict=True))
    assert _pairs(W, X, splits + rows) == expected


def test_a_sum_of_no_rows_is_zero():
    X, out = np.ones((2, LANES), np.float32), np.ones(LANES, np.float32)
    rows, factor = np.zeros(4, dtype=np.uint32), np.ones(4, np.float32)
    _products_and_sum(X, X, rows, factor, len(rows), out)
    assert not out.any()
