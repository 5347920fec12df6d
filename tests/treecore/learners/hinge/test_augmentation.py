"""Images that are moved while a hinge forest learns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_digits

from tests.helpers.hinges import trained
from tests.naive import hinge as naive
from treecore.compiling.random import next_uniform, permute, random_words
from treecore.learners.hinge.augmentation import add_noise, move_image


@given(
    width=st.integers(1, 6),
    height=st.integers(1, 6),
    down=st.floats(-7, 7, width=32),
    right=st.floats(-7, 7, width=32),
    seed=st.integers(0, 100),
)
def test_a_moved_image_is_its_plain_twin(width, height, down, right, seed):
    x = np.random.default_rng(seed).standard_normal(width * height).astype("f4")
    found = np.empty_like(x)
    down, right = np.float32(down), np.float32(right)
    move_image(x, width, down, right, found)
    assert np.array_equal(found, naive.move_image(x, width, down, right))


def test_numbers_are_those_of_numpy_also_between_orders():
    ours, theirs = random_words(np.random.default_rng(4)), np.random.default_rng(4)
    order = np.empty(9, dtype=np.int64)
    for _ in range(20):
        found = [next_uniform(ours) for _ in range(7)]
        np.testing.assert_array_equal(np.array(found), theirs.random(7, dtype="f4"))
        permute(ours, order)
        np.testing.assert_array_equal(order, theirs.permutation(9))


@pytest.mark.parametrize("p", [1, 2, 7])
def test_noise_is_its_plain_twin(p):
    words, rng = random_words(np.random.default_rng(p)), np.random.default_rng(p)
    for _ in range(50):
        x = np.ones(p, dtype="f4")
        add_noise(words, 0.5, x)
        np.testing.assert_allclose(x, 1 + naive.noise(rng, 0.5, p), rtol=1e-5, atol=1e-5)


@pytest.mark.jit
def test_forests_that_met_moved_images_know_moved_images():
    X, y = load_digits(return_X_y=True)
    moved = np.empty((400, 64), dtype="f4")
    for image, row in zip(X[1000:1400].astype("f4"), moved):
        move_image(image, 8, np.float32(0.7), np.float32(-0.7), row)
    settings = {"trees": 30, "depth": 5, "batches": 600, "features": "raw", "eta": 0.02}
    errors = {}
    for shift in (0.0, 1.0):
        forest = trained(X[:1000], y[:1000], **settings, shift=shift).run()
        errors[shift] = (forest.predict(moved) != y[1000:1400]).mean()
    assert errors[1.0] < 0.8 * errors[0.0]
