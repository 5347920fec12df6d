"""Linear leaves that are settled: what each leaf adds to the model of all rows."""

import numpy as np
from numpy.testing import assert_allclose

from tests.naive.linear import settled
from treecore.learners.nongreedy.leaf_family import scores_of
from treecore.learners.nongreedy.ridge_leaves import RIDGES, RidgeLeaves
from treecore.learners.nongreedy.settled_leaves import settled_models


def rows_of(n=90, seed=0):
    """Three leaves, with a slope of their own on top of one that all rows share."""
    rng = np.random.default_rng(seed)
    Z = np.zeros((n, 16), dtype=np.float32)
    Z[:, :3] = rng.standard_normal((n, 3))
    leaf = rng.integers(3, size=n).astype(np.int32)
    slant = np.array([[2.0, 0.0], [-1.0, 1.0], [0.5, 0.0]])[leaf]
    y = slant * Z[:, 2:3] + Z[:, :1] + 0.3 * rng.standard_normal((n, 2))
    return Z, y.astype(np.float32), rng.exponential(size=n), leaf


def test_models_equal_their_twin():
    Z, y, weight, leaf = rows_of(60)
    models = settled_models(RidgeLeaves(), Z, y, weight, leaf, 3, 3)
    slopes, intercept = settled(Z[:, :3].astype(float), y.astype(float), weight, leaf, 3, RIDGES)
    assert_allclose(models.weights[..., :3], slopes, rtol=1e-3, atol=1e-4)
    assert_allclose(models.intercept, intercept, rtol=1e-3, atol=1e-4)
    assert not models.weights[..., 3:].any(), "beyond the features nothing weighs"


def test_a_leaf_of_one_row_or_none_says_nearly_what_all_rows_say():
    Z, y, weight, leaf = rows_of()
    leaf[leaf == 2] = 1
    leaf[0] = 2
    everywhere = np.zeros_like(leaf)
    entire = settled_models(RidgeLeaves(), Z, y, weight, everywhere, 1, 3)
    models = settled_models(RidgeLeaves(), Z, y, weight, leaf, 4, 3)
    assert_allclose(models.weights[3], entire.weights[0], atol=1e-6)
    assert_allclose(models.weights[2], entire.weights[0], atol=0.3)
    assert np.isfinite(scores_of(models, Z, leaf)).all()


def test_noise_adds_nothing():
    rng = np.random.default_rng(1)
    Z = rng.standard_normal((80, 16)).astype(np.float32)
    y = rng.standard_normal((80, 1)).astype(np.float32)
    y -= y.mean()
    models = settled_models(RidgeLeaves(), Z, y, np.ones(80), rng.integers(4, size=80), 4, 3)
    assert np.abs(models.weights).max() < 0.05
