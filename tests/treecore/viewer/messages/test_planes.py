"""Planes through the features: what lies on a side in space does so on the plane."""

import numpy as np
import pytest

from tests.helpers.planes import dataset, sides_in_space, sides_on_plane
from tests.helpers.strategies import random_tree
from treecore.viewer.messages.planes import (
    feature_plane,
    principal_plane,
    telling_features,
)


@pytest.mark.parametrize("make", [lambda d: feature_plane(d, 3, 1), principal_plane])
def test_points_of_planes_and_rows_on_planes_through_them_are_on_the_same_sides_as_in_space(make):
    data = dataset()
    plane = make(data)
    tree = random_tree(np.random.default_rng(1), n_splits=20, n_features=5)
    tree.threshold[:] *= 30
    points = np.random.default_rng(2).uniform(-50, 50, (200, 2))
    in_space = plane.origin + points @ plane.axes
    same = sides_on_plane(plane.splits(tree)[0], points) == sides_in_space(tree, in_space)
    assert same.mean() > 0.999, "rounding may move a point that lies on a boundary"
    sides = sides_in_space(tree, data.X)
    for row in range(0, data.n_samples, 30):
        own = plane.through(data.X[row])
        np.testing.assert_allclose(own.points(data.X), plane.points(data.X), rtol=1e-4, atol=1e-3)
        at = own.points(data.X[[row]])
        np.testing.assert_allclose(own.origin + at[0] @ own.axes, data.X[row], atol=1e-3)
        assert (sides_on_plane(own.splits(tree)[0], at)[0] == sides[row]).mean() > 0.9


def test_the_features_that_tell_classes_apart_are_shown_first():
    data = dataset(n_features=6)
    data.X[:, 4] += 1000 * data.y
    data.X[:, 1] += 100 * data.y
    data.X[:, 0] = 7.0
    assert set(telling_features(data)) == {1, 4}


def test_the_principal_plane_holds_the_most_variance():
    data = dataset()
    Z = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    kept = principal_plane(data).points(data.X).astype(float).var(axis=0).sum()
    singular = np.linalg.svd(Z, compute_uv=False)
    assert kept == pytest.approx((singular[:2] ** 2).sum() / len(Z), rel=0.01)
