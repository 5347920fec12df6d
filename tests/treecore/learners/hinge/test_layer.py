"""What a hinge forest starts from and reads: thresholds, features, changed images."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_digits

from tests.helpers.cases import examples
from tests.helpers.hinges import FEATURES, IRIS, KINDS, images, trained
from tests.helpers.same import assert_same
from tests.naive import hinge as naive
from treecore.learners.hinge.augmentation import draw_augmentation, move_image
from treecore.learners.hinge.random_features import random_trees
from treecore.learners.hinge.traversal import descend

# -------------------------------------------------------------------------------- the start


@examples(20)
@given(seed=st.integers(0, 1000), kind=st.sampled_from(KINDS))
def test_every_decision_is_in_reach_at_the_start(seed, kind):
    rng = np.random.default_rng(seed)
    Z, depth = rng.standard_normal((64, 3)).astype("f4"), 7
    trees = random_trees(kind, 5, depth, 2, Z, rng)
    for feature, threshold in zip(trees.feature, trees.threshold):
        # In each node's region of space, what its ancestors left of the feature is not used up.
        for v in range(len(feature)):
            low, high = Z[:, feature[v]].min(), Z[:, feature[v]].max()
            child = v
            while child and kind == "forest":
                node = (child - 1) // 2
                if feature[node] == feature[v]:
                    if child == 2 * node + 1:
                        high = min(high, threshold[node])
                    else:
                        low = max(low, threshold[node])
                child = node
            assert low <= threshold[v] <= high


def test_rows_reach_far_more_leaves_than_by_thresholds_drawn_blindly():
    rng = np.random.default_rng(0)
    Z, depth = rng.standard_normal((1000, 20)).astype("f4"), 8
    trees = random_trees("forest", 10, depth, 1, Z, rng)
    blind = trees._replace(threshold=rng.uniform(-3, 3, trees.threshold.shape).astype("f4"))

    def reached(trees):
        return np.mean(
            [
                len(
                    {
                        descend(Z, b, trees.feature, trees.threshold, m, depth)[0]
                        for b in range(1000)
                    }
                )
                for m in range(10)
            ]
        )

    assert reached(trees) > 2 * reached(blind)


# -------------------------------------------------------------------------------- the layer


def test_running_means_and_deviations_follow_the_features():
    X, y = IRIS
    trainer = trained(X, y, pace=0.05, eta=1e-6, batches=400, validation=0.0)
    trainer.run()
    forest = trainer.present
    plain = forest.layer._replace(mean=np.zeros(7, np.float32), deviation=np.ones(7, np.float32))
    answers = np.array([naive.features(plain, x) for x in X.astype("f4")])
    assert np.abs(forest.layer.mean - answers.mean(axis=0)).max() < 0.3
    assert forest.layer.deviation == pytest.approx(answers.std(axis=0), rel=0.2)


@pytest.mark.parametrize("features", ["raw", "inner products"])
def test_columns_of_one_scale_keep_their_proportions(features):
    X, y = IRIS
    layer = trained(X, y, features=features, scale="one", validation=0.0, batches=5).present.layer
    assert layer.centre == pytest.approx(X.mean(axis=0), rel=1e-6)
    assert layer.scale == pytest.approx(np.full(4, X.var(axis=0).mean() ** -0.5), rel=1e-5)
    layer = trained(X, y, features=features, validation=0.0, batches=5).present.layer
    assert layer.scale == pytest.approx(1 / X.std(axis=0), rel=1e-5)


def test_convolutions_are_those_of_scipy():
    from scipy.signal import correlate2d

    X, y = images(side=9)
    forest = trained(X, y, **FEATURES["convolutions"], batches=20).run()
    layer = forest.layer
    image = X[0].astype("f4") * layer.scale[0]
    z = naive.features(layer, X[0].astype("f4")).reshape(4, 4, 3)
    for c in range(3):
        whole = correlate2d(image.reshape(9, 9), layer.filters[:, c].reshape(3, 3), mode="valid")
        expected = (whole[::2, ::2] - layer.mean[c]) / layer.deviation[c]
        assert z[:, :, c] == pytest.approx(expected, abs=1e-4)


def test_an_inner_product_is_a_convolution_as_large_as_the_image():
    X, y = images(side=5)
    one = trained(X, y, features="inner products", n_features=6)
    other = trained(X, y, features="convolutions", n_features=6, filter_size=5, stride=1)
    assert np.array_equal(one.present.layer.filters, other.present.layer.filters)
    assert one.present.layer.place.tolist() == other.present.layer.place.tolist() == [0]


# -------------------------------------------------------------------------------- changes


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


def test_a_move_by_whole_pixels_rolls_the_image_and_between_two_it_is_their_mean():
    x = np.zeros((6, 5), dtype="f4")
    x[2:4, 2:4] = [[1, 2], [3, 4]]
    found = np.empty(30, dtype="f4")
    move_image(x.ravel(), 5, np.float32(2), np.float32(-1), found)
    whole = np.roll(x, (2, -1), axis=(0, 1))
    assert np.array_equal(found.reshape(6, 5), whole)
    move_image(x.ravel(), 5, np.float32(1.5), np.float32(-1), found)
    assert np.array_equal(found.reshape(6, 5), (whole + np.roll(whole, -1, axis=0)) / 2)
    move_image(x.ravel(), 5, np.float32(6), np.float32(0), found)
    assert not found.any()


def test_changes_depend_on_the_seed_and_the_number_of_the_mini_batch_alone():
    one = draw_augmentation(0.5, 2.0, 8, 40, 64, 7, range(10))
    assert one.noise.std() == pytest.approx(0.5, rel=0.02)
    assert np.abs(one.moves).max() == pytest.approx(2, abs=0.05)
    assert np.abs(one.moves).max() <= 2
    later = draw_augmentation(0.5, 2.0, 8, 40, 64, 7, range(6, 10))
    assert_same(one[:2], tuple(np.concatenate([a[:6], b]) for a, b in zip(one[:2], later[:2])))
    other = draw_augmentation(0.5, 2.0, 8, 40, 64, 8, range(10))
    assert not np.array_equal(one.moves, other.moves)


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
