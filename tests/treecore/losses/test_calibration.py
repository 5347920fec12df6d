"""Reliability and the expected calibration error, against their definitions."""

import numpy as np
import pytest

from treecore.losses.calibration import reliability


def drawn(n, k, seed):
    rng = np.random.default_rng(seed)
    probabilities = rng.dirichlet(np.ones(k), n)
    return probabilities, rng.integers(k, size=n)


@pytest.mark.parametrize("n_bins", [1, 4, 10])
def test_it_is_the_mean_distance_of_confidence_and_accuracy_row_by_row(n_bins):
    probabilities, y = drawn(200, 3, 1)
    found = reliability(probabilities, y, n_bins)
    expected = 0.0
    for low, high in zip(found.edges[:-1], found.edges[1:], strict=True):
        inside = [i for i, p in enumerate(probabilities) if low < p.max() <= high]
        if inside:
            sure = np.mean([probabilities[i].max() for i in inside])
            right = np.mean([probabilities[i].argmax() == y[i] for i in inside])
            expected += len(inside) / 200 * abs(sure - right)
    assert found.error == pytest.approx(expected)
    assert found.rows.sum() == 200
    assert np.isnan(found.confidence[found.rows == 0]).all()


def test_a_sure_and_right_model_has_none_and_a_sure_and_wrong_one_all():
    sure = np.eye(3)[[0, 1, 2]]
    assert reliability(sure, np.array([0, 1, 2])).error == 0.0
    assert reliability(sure, np.array([1, 2, 0])).error == 1.0


def test_one_bin_compares_the_means_alone():
    probabilities, y = drawn(50, 4, 2)
    right = (probabilities.argmax(axis=1) == y).mean()
    found = reliability(probabilities, y, 1)
    assert found.error == pytest.approx(abs(probabilities.max(axis=1).mean() - right))


def test_no_rows_have_no_error_and_bad_arguments_a_sentence():
    assert np.isnan(reliability(np.empty((0, 2)), np.empty(0, dtype=int)).error)
    with pytest.raises(ValueError, match="one row for each class index"):
        reliability(np.ones((2, 2)), np.zeros(3, dtype=int))
    with pytest.raises(ValueError, match="n_bins=0 must be 1 or more"):
        reliability(np.ones((1, 1)), np.zeros(1, dtype=int), 0)
