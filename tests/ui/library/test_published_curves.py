"""The published curves beside a sweep are those of the same data."""

import pytest

from ui.library.published_curves import fitting, published


@pytest.mark.parametrize(
    ("data", "dataset"),
    [("mnist_784", "MNIST"), ("connect-4", "Connect4"), ("SensIT", "SensIT"), ("spirals", None)],
)
def test_published_curves_are_those_of_the_same_data(data, dataset):
    assert fitting("depth", data) == dataset


def test_published_values_are_what_the_files_say():
    curves = {curve.name: curve for curve in published("depth")["MNIST"]}
    assert dict(zip(*(curves["Non-greedy"].x, curves["Non-greedy"].y), strict=True))[18] == 0.8994
    assert curves["TAO"].y == (0.9505,)
    assert published("size") == {}
