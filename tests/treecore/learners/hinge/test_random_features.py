"""The random features of a hinge forest: convolutions are SciPy's."""

import numpy as np
import pytest

from tests.helpers.hinges import FEATURES, images, trained
from tests.naive import hinge as naive


def test_convolutions_are_those_of_scipy():
    from scipy.signal import correlate2d

    X, y = images(side=9)
    forest = trained(X, y, **FEATURES["convolutions"], batches=20).run()
    layer = forest.layer
    image = X[0].astype("f4") * layer.scale[0]
    z = naive.features(layer, X[0].astype("f4")).reshape(4, 4, 3)
    for c in range(3):
        entire = correlate2d(image.reshape(9, 9), layer.filters[:, c].reshape(3, 3), mode="valid")
        expected = (entire[::2, ::2] - layer.mean[c]) / layer.deviation[c]
        assert z[:, :, c] == pytest.approx(expected, abs=1e-4)


def test_an_inner_product_is_a_convolution_as_large_as_the_image():
    X, y = images(side=5)
    one = trained(X, y, features="inner products", n_features=6)
    other = trained(X, y, features="convolutions", n_features=6, filter_size=5, stride=1)
    assert np.array_equal(one.present.layer.filters, other.present.layer.filters)
    assert one.present.layer.place.tolist() == other.present.layer.place.tolist() == [0]
