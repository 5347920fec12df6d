"""Ridge regression in every leaf: the least squares of its rows, and what it leaves out."""

import numpy as np
from numpy.testing import assert_allclose

from tests.naive.linear import left_out, ridge
from treecore.learners.nongreedy.leaf_family import ranges_by_leaf
from treecore.learners.nongreedy.ridge_leaves import RidgeLeaves, _fits


def random_rows(n=60, p=4, q=2, n_leaves=3):
    rng = np.random.default_rng(0)
    Z = np.zeros((n, 16), dtype=np.float32)
    Z[:, :p] = rng.standard_normal((n, p))
    y = (Z[:, :p] @ rng.standard_normal((p, q)) + rng.standard_normal((n, q))).astype(np.float32)
    return Z, y, rng.exponential(size=n), rng.integers(n_leaves, size=n).astype(np.int32)


def test_every_leaf_is_the_ridge_regression_of_its_rows():
    Z, y, weight, leaf = random_rows()
    fitted = _fits(Z, y, weight, leaf, 4, 4, [1e-6, 3.0])
    for j in range(3):
        here = leaf == j
        rows = Z[here, :4].astype(float), y[here].astype(float), weight[here]
        for r, strength in enumerate([1e-6, 3.0]):
            slopes, intercept = ridge(*rows, strength)
            assert_allclose(fitted[0][r, j], slopes, rtol=1e-6, atol=1e-9)
            assert_allclose(fitted[1][r, j], intercept, rtol=1e-6, atol=1e-9)
    assert not fitted[0][:, 3].any(), "no row, no model"
    assert not fitted[1][:, 3].any()


def test_left_out_errors_are_those_of_models_that_have_not_seen_the_row():
    """Exact where the mean moves with the row as well: weights are 1 for the plain formula."""
    Z, y, weight, leaf = random_rows()
    *_, found = _fits(Z, y, weight, leaf, 3, 4, [0.5, 20.0])
    for r, strength in enumerate([0.5, 20.0]):
        wanted = 0.0
        for j in range(3):
            here = leaf == j
            rows = Z[here, :4].astype(float), y[here].astype(float), weight[here]
            wanted += left_out(*rows, strength)
        assert_allclose(found[r], wanted, rtol=1e-6)


def test_a_line_gets_the_least_strength():
    Z = np.random.default_rng(1).standard_normal((80, 16)).astype(np.float32)
    nowhere, nothing = np.zeros(80, dtype=np.int32), np.zeros((80, 1))
    slopes, _ = RidgeLeaves().step(Z, Z[:, :1], np.ones(80), nowhere, 1, 3, nothing)
    assert_allclose(slopes[0, 0], [1, 0, 0], atol=1e-3)


def test_equal_columns_and_more_columns_than_rows_are_no_trouble():
    Z = np.ones((3, 16), dtype=np.float32)
    y = np.array([[0.0], [1.0], [2.0]], dtype=np.float32)
    fitted = _fits(Z, y, np.ones(3), np.zeros(3, np.int32), 1, 16, [1e-3])
    assert_allclose(fitted[0][0, 0], 0, atol=1e-9)
    assert_allclose(fitted[1][0, 0], 1)


def test_ranges_are_those_of_rows_with_weight_widened_by_a_share():
    y = np.array([[0.0], [2.0], [9.0]], dtype=np.float32)
    leaf = np.zeros(3, dtype=np.int32)
    low, high = ranges_by_leaf(y, np.array([1.0, 1.0, 0.0]), leaf, 2)
    assert_allclose(low, [[-0.2], [0]])
    assert_allclose(high, [[2.2], [0]])
