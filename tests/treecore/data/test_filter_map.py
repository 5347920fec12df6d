"""The map of learnt filters: its rows, and numbers that do not fit together."""

import dataclasses

import numpy as np
import pytest
from scipy import sparse

from tests.helpers.documents import random_filters
from treecore.data.filter_map import check_filters


@pytest.fixture
def filter_map():
    return random_filters(np.random.default_rng(1))


def test_rows_are_mapped_one_by_one_dense_or_sparse(filter_map):
    X = np.random.default_rng(2).normal(size=(5, 42))
    mapped = filter_map(X)
    assert mapped.shape == (5, filter_map.n_components)
    assert filter_map.n_components == len(filter_map.names(())) == 12
    assert filter_map.names(())[4] == "filter 2 at (1, 2)"
    assert (mapped >= 0).all()
    for x, expected in zip(X, mapped, strict=True):
        np.testing.assert_array_equal(filter_map(x[None])[0], expected)
    np.testing.assert_array_equal(filter_map(sparse.csr_array(X)), mapped)


def test_missing_pixels_and_giants_give_finite_features(filter_map):
    X = np.random.default_rng(3).normal(size=(2, 42))
    X[0, 5] = np.nan
    filled = X.copy()
    filled[0, 5] = filter_map.missing[5]
    np.testing.assert_array_equal(filter_map(X), filter_map(filled))
    assert np.isfinite(filter_map(np.full((1, 42), 1e30))).all()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"width": 5}, "42 features are no image with lines of 5 pixels"),
        ({"width": 0}, "no image with lines of 0"),
        ({"filters": np.zeros((0, 3, 3))}, "at least one"),
        ({"filters": np.zeros((3, 3, 2))}, "must be squares"),
        ({"filters": np.zeros((1001, 1, 1))}, "1000 are the most"),
        ({"filters": np.full((3, 3, 3), np.inf)}, "not finite"),
        ({"bias": np.zeros(2)}, "3 filters need as many biases"),
        ({"missing": np.full(42, np.nan)}, "not finite"),
        ({"unit": 0.0}, "must be positive"),
        ({"pool": 5}, "have no place in an image of 7 x 6"),
        ({"pool": 0}, "have no place"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(filter_map, change, problem):
    check_filters(filter_map)
    with pytest.raises(ValueError, match=problem):
        check_filters(dataclasses.replace(filter_map, **change))
