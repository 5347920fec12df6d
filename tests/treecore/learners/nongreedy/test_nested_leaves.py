"""Nested linear leaves: what a branch adds to the model of the branch above it."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from tests.naive.linear import nested
from treecore.core.routing import apply
from treecore.core.tree import Tree, make_tree
from treecore.learners.nongreedy.nested_leaves import nested_fits, settled_models
from treecore.learners.nongreedy.ridge_leaves import RIDGES, RidgeLeaves, ridge_fits

NUMBERS = RidgeLeaves(0.0, 0.1)


def small_tree() -> Tree:
    """Three leaves: x0 > 0 on the right, below it x1 > 0."""
    return make_tree(
        feature=[0, 1],
        threshold=[0.0, 0.0],
        row=[-1, -1],
        left=[~0, ~1],
        right=[1, ~2],
        weights=np.zeros((0, 3)),
        values=np.zeros((3, 2)),
    )


def rows_of(n=90, seed=0):
    rng = np.random.default_rng(seed)
    Z = np.zeros((n, 16), dtype=np.float32)
    Z[:, :3] = rng.standard_normal((n, 3))
    slant = np.where(Z[:, :1] > 0, [[2.0, 0.0]], [[-1.0, 1.0]])
    y = slant * Z[:, 2:3] + 0.3 * rng.standard_normal((n, 2))
    return Z, y.astype(np.float32), rng.exponential(size=n)


def test_models_equal_their_twin():
    tree = small_tree()
    Z, y, weight = rows_of(40)
    leaf = apply(tree, Z[:, :3])
    slopes, intercept = nested_fits(NUMBERS, Z, y, weight, leaf, tree, 3)
    every = np.arange(len(Z))
    members = {~j: np.flatnonzero(leaf == j) for j in range(3)}
    members |= {0: every, 1: np.flatnonzero(leaf > 0)}
    found = nested(Z[:, :3].astype(float), y.astype(float), weight, members, tree, RIDGES)
    for j in range(3):
        assert_allclose(slopes[j], found[j][0], rtol=1e-4, atol=1e-5)
        assert_allclose(intercept[j], found[j][1], rtol=1e-4, atol=1e-5)


def test_a_leaf_of_one_row_or_none_says_what_its_branch_says():
    tree = small_tree()
    Z, y, weight = rows_of()
    leaf = apply(tree, Z[:, :3])
    leaf[leaf == 2] = 1
    slopes, intercept = nested_fits(NUMBERS, Z, y, weight, leaf, tree, 3)
    assert_array_equal(slopes[2], slopes[1])
    leaf[np.flatnonzero(leaf == 1)[0]] = 2
    slopes, intercept = nested_fits(NUMBERS, Z, y, weight, leaf, tree, 3)
    assert_allclose(slopes[2], slopes[1], atol=0.3)
    assert np.abs(slopes[2]).max() > 1, "a ridge of its own would be flat"
    assert np.isfinite(intercept).all()


def test_a_strength_that_is_named_is_that_of_each_leaf_by_itself():
    tree = small_tree()
    Z, y, weight = rows_of()
    leaf = apply(tree, Z[:, :3])
    models = settled_models(NUMBERS, Z, y, weight, leaf, tree, 3, 5.0)
    alone = ridge_fits(Z, y, weight, leaf, 3, 3, [5.0])
    assert_allclose(models.weights[..., :3], alone.slopes[0], rtol=1e-6)
    assert not models.weights[..., 3:].any(), "beyond the features nothing weighs"
