"""Kernels of hinge forests against their twins: features, descents, moved images, steps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cases import examples
from tests.helpers.hinges import FEATURES, IRIS, KINDS, images, trained
from tests.naive import hinge as naive
from treecore.compiling.random import next_uniform, permute, random_words
from treecore.learners.hinge.augmentation import add_noise, move_image
from treecore.learners.hinge.optimizers import OPTIMIZERS, move_row
from treecore.learners.hinge.random_features import random_trees
from treecore.learners.hinge.traversal import descend, n_nodes


def test_thresholds_of_the_paper_are_uniform_and_its_ferns_ask_twice(rng):
    Z = rng.standard_normal((64, 4)).astype("f4")
    trees = random_trees("fern", 2000, 4, 2, Z, rng, "drawn")
    t = np.sort(trees.threshold.ravel())
    assert np.abs(t - np.linspace(-3, 3, len(t))).max() < 0.15
    twice = np.mean([len(set(row)) < 4 for row in trees.feature])
    assert twice == pytest.approx(1 - 24 / 4**4, abs=0.03)  # 4 of 4 features, with replacement


# -------------------------------------------------------------------------------- the layer


def test_running_means_and_deviations_follow_the_features():
    X, y = IRIS
    trainer = trained(X, y, eta=1e-6, batches=400, validation=0.0)
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
        entire = correlate2d(image.reshape(9, 9), layer.filters[:, c].reshape(3, 3), mode="valid")
        expected = (entire[::2, ::2] - layer.mean[c]) / layer.deviation[c]
        assert z[:, :, c] == pytest.approx(expected, abs=1e-4)


def test_an_inner_product_is_a_convolution_as_large_as_the_image():
    X, y = images(side=5)
    one = trained(X, y, features="inner products", n_features=6)
    other = trained(X, y, features="convolutions", n_features=6, filter_size=5, stride=1)
    assert np.array_equal(one.present.layer.filters, other.present.layer.filters)
    assert one.present.layer.place.tolist() == other.present.layer.place.tolist() == [0]


@examples(80)
@given(
    depth=st.integers(1, 6), fern=st.booleans(), seed=st.integers(0, 2**32 - 1), grid=st.booleans()
)
def test_a_descent_is_its_plain_twin(depth, fern, seed, grid):
    rng = np.random.default_rng(seed)
    nodes = n_nodes("fern" if fern else "forest", depth)
    feature = rng.integers(5, size=nodes).astype(np.int32)
    z, threshold = rng.standard_normal(5).astype("f4"), rng.standard_normal(nodes).astype("f4")
    if grid:  # many ties, of margins with zero and with each other
        z, threshold = np.round(z), np.round(threshold)
    found = descend(z[None], 0, feature[None], threshold[None], 0, depth)
    assert found == naive.descend(z, feature, threshold, depth, fern)
    leaf, _, margin = found
    # Algorithm 3 finds the one leaf whose indicator (eq. 8) can be positive, and its value.
    values = [naive.indicator(z, feature, threshold, depth, fern, j) for j in range(2**depth)]
    assert values[leaf] == abs(margin)
    assert not any(values[:leaf] + values[leaf + 1 :])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("task", ["classes", "numbers"])
def test_a_forest_decides_as_its_plain_twin(kind, features, task):
    X, y = images()
    if task == "numbers":
        y = np.stack([X[:, 24] + X[:, 3], X[:, 10]], axis=1)
    loss = {"classes": "log", "numbers": "squared"}[task]
    forest = trained(X, y, kind=kind, loss=loss, batches=30, **FEATURES[features]).run()
    twins = np.array([naive.decide(forest, x) for x in X[:20].astype("f4")])
    assert np.array_equal(forest.decision(X[:20]), twins)


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


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_the_optimizers_are_those_of_their_papers(name, rng):
    steps = rng.standard_normal((30, 5)).astype("f4")
    p = start = rng.standard_normal(5).astype("f4")
    p, first, second = p.copy(), np.zeros(5, "f4"), np.zeros(5, "f4")
    for t, g in enumerate(steps, 1):
        rate, rate2 = 0.1, 1.0
        if name == "adam":
            rate, rate2 = rate / (1 - 0.9**t), 1 / (1 - 0.999**t)
        move_row(OPTIMIZERS[name], p, g, first, second, np.float32(rate), np.float32(rate2))
    twin = getattr(naive, name)
    expected = [twin(float(start[i]), steps[:, i].astype(float), 0.1) for i in range(5)]
    assert p == pytest.approx(expected, abs=1e-4)
