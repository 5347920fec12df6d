"""Ridge regression in every leaf: the least squares of its rows, and what it leaves out."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from tests.naive.linear import left_out, ridge
from treecore.learners.nongreedy.leaf_family import ranges_by_leaf
from treecore.learners.nongreedy.ridge_leaves import chosen_fits, ridge_fits


def random_rows(n=60, p=4, q=2, n_leaves=3):
    rng = np.random.default_rng(0)
    Z = np.zeros((n, 16), dtype=np.float32)
    Z[:, :p] = rng.standard_normal((n, p))
    y = (Z[:, :p] @ rng.standard_normal((p, q)) + rng.standard_normal((n, q))).astype(np.float32)
    return Z, y, rng.exponential(size=n), rng.integers(n_leaves, size=n).astype(np.int32)


def test_every_leaf_is_the_ridge_regression_of_its_rows():
    Z, y, weight, leaf = random_rows()
    fits = ridge_fits(Z, y, weight, leaf, 4, 4, [1e-6, 3.0])
    for j in range(3):
        here = leaf == j
        rows = Z[here, :4].astype(float), y[here].astype(float), weight[here]
        for r, strength in enumerate([1e-6, 3.0]):
            slopes, intercept = ridge(*rows, strength)
            assert_allclose(fits.slopes[r, j], slopes, rtol=1e-6, atol=1e-9)
            assert_allclose(fits.intercept[r, j], intercept, rtol=1e-6, atol=1e-9)
    assert not fits.slopes[:, 3].any(), "no row, no model"
    assert not fits.intercept[:, 3].any()


def test_left_out_errors_are_those_of_models_that_have_not_seen_the_row():
    """Exact where the mean moves with the row as well: weights are 1 for the plain formula."""
    Z, y, weight, leaf = random_rows()
    fits = ridge_fits(Z, y, weight, leaf, 3, 4, [0.5, 20.0])
    for j in range(3):
        here = leaf == j
        rows = Z[here, :4].astype(float), y[here].astype(float), weight[here]
        for r, strength in enumerate([0.5, 20.0]):
            assert_allclose(fits.left_out[r, j], left_out(*rows, strength), rtol=1e-6)


def test_sparse_slopes_are_the_optimum_and_tell_what_they_leave_out():
    """Where a slope is, its gradient and its pull balance; elsewhere the pull is the greater."""
    Z, y, weight, _ = random_rows(q=1)
    nowhere, ridge, l1 = np.zeros(60, dtype=np.int32), 0.5, 60.0
    rows = Z, y, weight, nowhere, 1, 8
    fits = ridge_fits(*rows, [ridge], l1)
    b = fits.slopes[0, 0, 0]
    rest = y[:, 0] - Z[:, :8] @ b - fits.intercept[0, 0, 0]
    pull = 2 * (weight * rest) @ Z[:, :8] - 2 * ridge * b
    kept = b != 0
    assert 0 < kept.sum() <= 4, "the last four columns are empty, others say little"
    assert_allclose(pull[kept], l1 * np.sign(b[kept]), rtol=1e-5)
    assert (np.abs(pull[~kept]) <= l1).all()
    left = 0.0
    for i in range(60):
        others = np.arange(60) != i
        one = ridge_fits(*(part[others] for part in rows[:4]), 1, 8, [ridge], l1)
        left += weight[i] * (y[i, 0] - Z[i, :8] @ one.slopes[0, 0, 0] - one.intercept[0, 0, 0]) ** 2
    assert_allclose(fits.left_out[0, 0], left, rtol=0.1)  # some rows change what is kept


def test_noise_gets_the_greatest_strength_and_a_line_the_least():
    rng = np.random.default_rng(1)
    Z = rng.standard_normal((80, 16)).astype(np.float32)
    y = np.where(np.arange(80) < 40, Z[:, 0], rng.standard_normal(80))[:, None].astype(np.float32)
    leaf = (np.arange(80) >= 40).astype(np.int32)
    ridges = [1e-3, 1.0, 1e5]
    slopes, _, ridge = chosen_fits(ridge_fits(Z, y, np.ones(80), leaf, 2, 3, ridges), ridges)
    assert_array_equal(ridge, [1e-3, 1e5])
    assert_allclose(slopes[0, 0], [1, 0, 0], atol=1e-3)


def test_equal_columns_and_more_columns_than_rows_are_no_trouble():
    Z = np.ones((3, 16), dtype=np.float32)
    y = np.array([[0.0], [1.0], [2.0]], dtype=np.float32)
    fits = ridge_fits(Z, y, np.ones(3), np.zeros(3, np.int32), 1, 16, [1e-3])
    assert_allclose(fits.slopes[0, 0], 0, atol=1e-9)
    assert_allclose(fits.intercept[0, 0], 1)


def test_ranges_are_those_of_rows_with_weight_widened_by_a_share():
    y = np.array([[0.0], [2.0], [9.0]], dtype=np.float32)
    leaf = np.zeros(3, dtype=np.int32)
    low, high = ranges_by_leaf(y, np.array([1.0, 1.0, 0.0]), leaf, 2, 0.5)
    assert_array_equal(low, [[-1], [0]])
    assert_array_equal(high, [[3], [0]])
