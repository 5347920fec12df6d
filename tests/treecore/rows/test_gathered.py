"""Products and sums of scattered rows are those of one row after another, up to rounding."""

import numba
import numpy as np
import pytest
from numpy.testing import assert_allclose

from treecore.compiling.kernels import LANES
from treecore.rows.gathered import dots_of_four, sum_scaled_rows


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


def test_a_sum_of_no_rows_is_zero():
    X, out = np.ones((2, LANES), np.float32), np.ones(LANES, np.float32)
    rows, factor = np.zeros(4, dtype=np.uint32), np.ones(4, np.float32)
    _products_and_sum(X, X, rows, factor, len(rows), out)
    assert not out.any()
