"""What kernels may rely on in every loss, and calibration by its definition."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.helpers.cases import case, examples
from tests.helpers.strategies import random_joint, random_targets
from tests.naive import nongreedy as naive
from treecore.compiling.kernels import kernel
from treecore.losses import ABSOLUTE, HUBER, LOG, SQUARED, cost_below, find_loss, gradient_step
from treecore.losses.calibration import reliability

QUANTILE = find_loss("quantile:0.9")
OF_NUMBERS = [SQUARED, HUBER, ABSOLUTE, QUANTILE]
NUMBERS = pytest.mark.parametrize("loss", OF_NUMBERS, ids=lambda loss: loss.name)
ALL = pytest.mark.parametrize("loss", [LOG, *OF_NUMBERS], ids=lambda loss: loss.name)
seeds = st.integers(0, 2**32 - 1)


@kernel
def costs_below(tables, y, out):
    for split in range(out.shape[0]):
        out[split] = cost_below(tables, split, y)


@kernel
def teach_once(tables, theta, leaf, y, rate):
    gradient_step(tables, theta, leaf, y, rate)


def mean_loss(loss, theta, y, weight):
    leaf = np.zeros(len(y), dtype=np.int32)
    return np.average(loss.of_rows(np.float32(theta), leaf, y), weights=weight)


@ALL
def test_the_loss_of_rows_is_the_formula(loss, rng):
    joint = random_joint(rng, spread=3.0, n_splits=15, n_classes=4, loss=loss)
    y, leaf = random_targets(rng, joint, 50), rng.integers(16, size=50, dtype=np.int32)
    expected = [naive.cost(joint, place, target) for place, target in zip(leaf, y)]
    np.testing.assert_array_equal(loss.of_rows(joint.theta, leaf, y), expected)


@ALL
@examples(50)
@given(seed=seeds)
def test_the_step_on_a_leaf_is_the_gradient_of_its_loss(loss, seed):
    rng = np.random.default_rng(seed)
    joint = random_joint(rng, n_splits=3, n_classes=3, loss=loss)
    (y,) = random_targets(rng, joint, 1)
    before, small, rate = joint.theta[0].astype(float), 1e-3, 1e-2
    assume(loss is LOG or (abs(before - y) > rate).all())  # a step ends at the target
    slopes = []
    for q in range(3):
        ends = [
            naive.loss_of_values(joint, before + sign * small * np.eye(3)[q], y) for sign in (1, -1)
        ]
        slopes.append((ends[0] - ends[1]) / (2 * small))
    teach_once(joint.tables, joint.theta, 0, y, rate)
    # Huber's slope has a corner where the difference straddles it: 2 * small is what that can hide.
    np.testing.assert_allclose((before - joint.theta[0]) / rate, slopes, atol=2 * small)


@NUMBERS
def test_no_rate_carries_a_value_beyond_its_target(loss):
    for rate in (0.6, 1.0, 1e6):
        with case(rate=rate):
            joint = random_joint(np.random.default_rng(0), n_splits=3, loss=loss)
            y = np.array([0.5, -100.0, 3.0], dtype=np.float32)
            before = joint.theta[0].copy()
            teach_once(joint.tables, joint.theta, 0, y, rate)
            low, high = np.minimum(before, y), np.maximum(before, y)
            assert ((low <= joint.theta[0]) & (joint.theta[0] <= high)).all()


@ALL
@examples(60)
@given(seed=seeds, spread=st.floats(1e-3, 1e3))
def test_no_leaf_below_a_split_costs_more_than_its_bound(loss, seed, spread):
    rng = np.random.default_rng(seed)
    joint = random_joint(
        rng, n_splits=12, n_classes=int(rng.integers(1, 5)), spread=spread, loss=loss
    )
    (y,) = random_targets(rng, joint, 1)
    bounds = np.empty(len(joint.left), dtype=np.float32)
    costs_below(joint.tables, y, bounds)
    for leaf, path in naive.paths(joint).items():
        for split, _ in path:
            assert naive.cost(joint, leaf, y) <= bounds[split]


def test_the_bound_of_the_log_loss_is_the_greatest_loss_below():
    joint = random_joint(np.random.default_rng(0), n_splits=30, n_classes=4)
    below = {split: [] for split in range(30)}
    for leaf, path in naive.paths(joint).items():
        for split, _ in path:
            below[split].append(leaf)
    for split, leaves in below.items():
        largest = joint.tables.leaf_loss[leaves].max(axis=0)
        np.testing.assert_array_equal(joint.tables.subtree_loss[split], largest)


@ALL
@examples(25)
@given(seed=seeds)
def test_constants_minimise_the_weighted_loss(loss, seed):
    """No step in any direction from a leaf's constant lowers the (convex) loss of its rows."""
    rng = np.random.default_rng(seed)
    joint = random_joint(rng, n_splits=1, n_classes=3, loss=loss)
    y, weight = random_targets(rng, joint, 30), rng.exponential(size=30)
    leaf = np.zeros(30, dtype=np.int32)
    (best,) = loss.constants(leaf, y, weight, 1, 3, 1e-9)
    smallest = mean_loss(loss, best[None], y, weight)
    for direction in rng.standard_normal((20, 3)):
        assert mean_loss(loss, best[None] + 0.05 * direction, y, weight) >= smallest - 1e-6


@pytest.mark.parametrize("level", [0.05, 0.5, 0.9])
def test_constants_of_a_quantile_are_numpys_of_an_inverted_distribution(level, rng):
    y, leaf = rng.normal(size=(997, 1)).astype(np.float32), np.zeros(997, dtype=np.int32)
    loss = find_loss(f"quantile:{level}")
    found = loss.constants(leaf, y, np.ones(997), 1, 1, 0.0)
    assert found[0, 0] == np.quantile(y, level, method="inverted_cdf")
    twice = loss.constants(leaf[:2], y[:2], np.array([1.0, 1e6]), 1, 1, 0.0)
    assert twice[0, 0] == y[1, 0]
    half = find_loss("quantile:0.5").of_rows(found, leaf, y)
    np.testing.assert_allclose(2 * half, ABSOLUTE.of_rows(found, leaf, y), rtol=1e-6)


@pytest.mark.parametrize(
    "name",
    ["quantile", "quantile:0", "quantile:1", "quantile:1.5", "quantile:nan", "mean", 3, None],
)
def test_what_is_no_loss_is_refused_in_one_sentence(name):
    with pytest.raises(ValueError, match=r"^loss=.* must be one of log, .* above 0 and below 1$"):
        find_loss(name)


@pytest.mark.parametrize("loss", [SQUARED, HUBER], ids=lambda loss: loss.name)
def test_an_empty_leaf_says_the_mean_and_a_rare_one_leans_to_it(loss):
    leaf, y = np.array([1, 1, 2], dtype=np.int32), np.array([[0.5], [0.5], [0.5]], dtype=np.float32)
    values = loss.constants(leaf, y, np.ones(3), 4, 1, 1.0)[:, 0]
    assert values[0] == values[3] == 0.0
    np.testing.assert_allclose(values[1:3], [0.5 * 2 / 3, 0.5 / 2], rtol=1e-5)


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


def test_no_rows_have_no_error_and_bad_arguments_a_sentence():
    assert np.isnan(reliability(np.empty((0, 2)), np.empty(0, dtype=int)).error)
    with pytest.raises(ValueError, match="one row for each class index"):
        reliability(np.ones((2, 2)), np.zeros(3, dtype=int))
    with pytest.raises(ValueError, match="n_bins=0 must be 1 or more"):
        reliability(np.ones((1, 1)), np.zeros(1, dtype=int), 0)
