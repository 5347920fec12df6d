"""Filters over images: the kernels against their plain twin, and what filters are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cases import examples
from tests.naive import filters as naive
from treecore.core.filters import FilterShape, empty_planes, filter_features

SEEDS = st.integers(0, 2**32 - 1)


def drawn(seed):
    """A shape with a place for its filters, images, filters and biases."""
    rng = np.random.default_rng(seed)
    size, pool = int(rng.integers(1, 7)), int(rng.integers(1, 4))
    height, width = (int(n) for n in size + pool - 1 + rng.integers(0, 6, size=2))
    shape = FilterShape(height, width, int(rng.integers(1, 4)), size, pool)
    X = rng.normal(size=(3, height * width)).astype(np.float32)
    filters = rng.normal(size=(shape.n_filters, size, size)).astype(np.float32)
    return shape, X, filters, rng.normal(size=shape.n_filters).astype(np.float32)


def made(shape, X, filters, bias):
    """Features and their sources, by the kernel."""
    features = np.full((len(X), shape.n_features), np.nan, dtype=np.float32)
    source = np.full(features.shape, -2, dtype=np.int32)
    filter_features(X, filters, bias, shape, features, source, empty_planes(shape))
    return features, source


@examples(40)
@given(seed=SEEDS)
def test_features_are_those_of_the_twin(seed):
    shape, X, filters, bias = drawn(seed)
    features, source = made(shape, X, filters, bias)
    for x, row, at in zip(X, features, source, strict=True):
        expected, sources = naive.features(x.reshape(shape[:2]), filters, bias, shape.pool)
        np.testing.assert_array_equal(row, expected)
        places = [-1 if s is None else s[0] * shape.width + s[1] for s in sources]
        assert at.tolist() == places


@examples(20)
@given(seed=SEEDS)
def test_answers_are_inner_products_with_parts_of_the_image(seed):
    shape, X, filters, bias = drawn(seed)
    shape = shape._replace(pool=1)
    features, _ = made(shape, X, filters, np.full_like(bias, 100.0))
    windows = np.lib.stride_tricks.sliding_window_view(
        X.reshape(-1, shape.height, shape.width), (shape.size, shape.size), axis=(1, 2)
    )
    expected = np.einsum("nijab,cab->nijc", windows, filters).reshape(len(X), -1)
    np.testing.assert_allclose(features - 100.0, expected, atol=1e-4)


def test_an_image_moved_by_a_patch_moves_its_features():
    rng = np.random.default_rng(0)
    shape = FilterShape(12, 12, 3, 3, 2)
    image = np.zeros((12, 12), dtype=np.float32)
    image[3:7, 3:7] = rng.normal(size=(4, 4))
    filters = rng.normal(size=(3, 3, 3)).astype(np.float32)
    bias = np.zeros(3, dtype=np.float32)
    both = np.stack([image, np.roll(image, (2, 2), axis=(0, 1))]).reshape(2, -1)
    features, _ = made(shape, both, filters, bias)
    here, there = features.reshape(2, *shape.places, 3)
    np.testing.assert_array_equal(there[1:, 1:], here[:-1, :-1])
    assert here.any()


@pytest.mark.parametrize(
    ("shape", "places"),
    [((28, 28, 20, 5, 4), (6, 6)), ((8, 8, 4, 3, 2), (3, 3)), ((5, 9, 2, 5, 2), (0, 2))],
)
def test_places_are_the_patches_that_fit(shape, places):
    shape = FilterShape(*shape)
    assert shape.places == places
    assert shape.n_features == places[0] * places[1] * shape.n_filters
