"""Rows as kernels read them: aligned, summed block by block, gathered from anywhere."""

import numba
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from treecore.compiling.kernels import LANES
from treecore.rows import column_sums
from treecore.rows.aligned import aligned, aligned_zeros
from treecore.rows.column_sums import column_means, float64_blocks, means_and_deviations
from treecore.rows.gathered import dots_of_four, sum_scaled_rows


def test_an_array_begins_where_a_cache_line_does():
    numbers = np.arange(60, dtype=np.float32)
    for first in range(20):  # wherever NumPy has put it
        some = numbers[first : first + 40].reshape(8, 5)
        for array in (some, some.T, some.astype(np.float64)):
            found = aligned(array)
            np.testing.assert_array_equal(found, array)
            assert found.ctypes.data % 64 == 0
            assert found.flags.c_contiguous
            assert found.dtype == np.float32
            assert aligned(found) is found


def test_zeros_may_have_any_shape():
    for shape in (0, 7, (3, 5), (0, 5), (2, 3, 4)):
        zeros = aligned_zeros(shape)
        np.testing.assert_array_equal(zeros, np.zeros(shape, np.float32))
        assert zeros.size == 0 or zeros.ctypes.data % 64 == 0


@pytest.mark.parametrize("shape", [(1, 4), (50, 1), (1000, 7)])
@pytest.mark.parametrize("kind", [np.float32, np.int64])
def test_blocks_change_no_bit(shape, kind, monkeypatch):
    monkeypatch.setattr(column_sums, "BLOCK_VALUES", 50)
    X = (100 * np.random.default_rng(0).standard_normal(shape)).astype(kind)
    mean, deviation = means_and_deviations(X)
    assert_array_equal(mean, X.mean(axis=0, dtype=np.float64))
    assert_array_equal(deviation, X.std(axis=0, dtype=np.float64))
    assert_array_equal(np.concatenate(list(float64_blocks(X))), X)


def test_means_are_those_of_present_values(monkeypatch):
    monkeypatch.setattr(column_sums, "BLOCK_VALUES", 6)
    X = np.array([[1.0, np.nan, np.nan], [2.0, np.nan, 4.0], [6.0, np.nan, 6.0]])
    assert_array_equal(column_means(X), [3.0, 0.0, 5.0])
    assert_array_equal(column_means(X, np.array([2.0, 1.0, 1.0])), [2.5, 0.0, 5.0])
    assert_array_equal(column_means(X[:0]), [0.0, 0.0, 0.0])


@numba.njit
def _products_and_sum(W, X, rows, factor, first, out):
    sum_scaled_rows(X, rows, factor, first, rows.shape[0], out)
    return dots_of_four(W, 1, X, rows[0], rows[1], rows[2], rows[3])


@pytest.mark.parametrize("n_rows", [5, 9, 30])
@pytest.mark.parametrize("n_blocks", [1, 2, 15, 16])
def test_four_products_and_a_sum_of_rows_are_those_of_each_row(n_blocks, n_rows):
    rng = np.random.default_rng(n_blocks)
    W, X = (rng.standard_normal((n, n_blocks * LANES), dtype=np.float32) for n in (2, 9))
    rows = rng.integers(0, 9, n_rows).astype(np.uint32)
    factor, out = rng.standard_normal(n_rows, dtype=np.float32), np.ones(X.shape[1], np.float32)
    products = _products_and_sum(W, X, rows, factor, 1, out)
    wide = X.astype(np.float64)
    assert_allclose(products, wide[rows[:4]] @ W[1], rtol=1e-4, atol=1e-4)
    assert_allclose(out, factor[1:] @ wide[rows[1:]], rtol=1e-4, atol=1e-4)
