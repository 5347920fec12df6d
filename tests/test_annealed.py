"""Annealed learning: soft routing against its plain twin, its gradient, and its hard limit."""

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import random_joint

from treecore import RunConfig, Trainer, predict
from treecore.losses import HUBER, LOG, SQUARED
from treecore.nongreedy.soft import (
    adam_step,
    class_costs,
    class_gradient,
    number_costs,
    number_gradient,
    power_shares,
    route_softly,
)


def routed(joint, scores, costs, weight, beta):
    """Total, reach and gradient by the kernel."""
    reach = np.zeros((len(scores), len(joint.theta)), np.float32)
    gradient = np.zeros_like(scores)
    total = route_softly(
        joint.left, joint.right, scores, costs, weight, np.float32(beta), reach, gradient
    )
    return total, reach, gradient


def random_routing(seed, n_rows=5):
    rng = np.random.default_rng(seed)
    joint = random_joint(rng, n_splits=int(rng.integers(0, 25)), n_classes=3)
    scores = rng.standard_normal((n_rows, len(joint.left))).astype(np.float32)
    costs = rng.random((n_rows, len(joint.theta))).astype(np.float32)
    weight = rng.random(n_rows).astype(np.float32)
    return joint, scores, costs, weight


@given(seed=st.integers(0, 2**32 - 1), beta=st.floats(0.1, 5.0))
@settings(max_examples=100, deadline=None)
def test_soft_routing_is_that_of_its_twin(seed, beta):
    joint, scores, costs, weight = random_routing(seed)
    total, reach, gradient = routed(joint, scores, costs, weight, beta)
    expected = naive.soft_routing(joint, scores, costs, weight, beta)
    assert total == pytest.approx(expected[0], rel=1e-4, abs=1e-6)
    np.testing.assert_allclose(reach, expected[1], rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(gradient, expected[2], rtol=1e-3, atol=1e-6)


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=50, deadline=None)
def test_chances_add_up_and_the_cost_is_their_mean(seed):
    joint, scores, costs, weight = random_routing(seed)
    total, reach, _ = routed(joint, scores, costs, weight, 1.0)
    np.testing.assert_allclose(reach.sum(axis=1), weight, rtol=1e-4)
    assert total == pytest.approx(float((reach * costs).sum()), rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("seed", range(10))
def test_the_gradient_is_that_of_the_expected_cost(seed):
    joint, scores, costs, weight = random_routing(seed)
    if not scores.size:
        return
    gradient = routed(joint, scores, costs, weight, 1.3)[2]
    step = 1e-4
    for i in np.ndindex(scores.shape):
        wide = scores.astype(np.float64)
        wide[i] += step
        above = naive.soft_routing(joint, wide, costs, weight, 1.3)[0]
        wide[i] -= 2 * step
        below = naive.soft_routing(joint, wide, costs, weight, 1.3)[0]
        assert gradient[i] == pytest.approx((above - below) / (2 * step), rel=1e-2, abs=1e-4)


@pytest.mark.parametrize("seed", range(20))
def test_sharp_turns_are_hard_turns(seed):
    joint, scores, costs, weight = random_routing(seed)
    scores = np.sign(scores) * (1.0 + np.abs(scores))  # no score near 0
    _, reach, _ = routed(joint, scores, costs, weight, 30.0)
    for b in range(len(scores)):
        node = 0 if len(joint.left) else -1
        while node >= 0:
            node = joint.right[node] if scores[b, node] > 0 else joint.left[node]
        assert reach[b, ~node] == pytest.approx(weight[b], rel=1e-5)


@pytest.mark.parametrize("power", [0.01, 0.5, 1.0])
def test_the_power_loss_and_its_gradient(power):
    rng = np.random.default_rng(0)
    theta = rng.standard_normal((4, 3)).astype(np.float32)
    y = rng.integers(3, size=6)
    reach = rng.random((6, 4)).astype(np.float32)
    a = np.float32(power)

    def costs_of(theta):
        share, powered = np.empty_like(theta), np.empty_like(theta)
        power_shares(theta, a, share, powered)
        costs = np.empty((6, 4), np.float32)
        class_costs(powered, a, y, costs)
        return costs, share, powered

    costs, share, powered = costs_of(theta)
    P = np.exp(theta) / np.exp(theta).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(share, P, rtol=1e-5)
    np.testing.assert_allclose(costs, (1 - P[:, y].T ** power) / power, rtol=1e-3, atol=1e-5)
    if power == 0.01:  # near the log loss
        np.testing.assert_allclose(costs, -np.log(P[:, y].T), rtol=0.05)
    gradient, mass = np.empty_like(theta), np.empty_like(theta)
    class_gradient(share, powered, y, reach, mass, gradient)
    step = np.float32(1e-2)
    for i in np.ndindex(theta.shape):
        above, below = theta.copy(), theta.copy()
        above[i] += step
        below[i] -= step
        change = (reach * (costs_of(above)[0].astype(float) - costs_of(below)[0])).sum()
        assert gradient[i] == pytest.approx(change / (2 * step), rel=2e-2, abs=5e-3)


@pytest.mark.parametrize("loss", [SQUARED, HUBER], ids=lambda loss: loss.name)
def test_the_gradient_by_numbers(loss):
    rng = np.random.default_rng(1)
    theta = rng.standard_normal((4, 2)).astype(np.float32)
    y = 2 * rng.standard_normal((6, 2)).astype(np.float32)
    reach = rng.random((6, 4)).astype(np.float32)
    none = np.empty(0, np.int32)

    def total(theta):
        costs = np.empty((6, 4), np.float32)
        number_costs(loss.tables(theta, none, none), theta, y, costs)
        return float((reach * costs.astype(float)).sum())

    gradient = np.empty_like(theta)
    number_gradient(loss.tables(theta, none, none), theta, y, reach, gradient)
    for i in np.ndindex(theta.shape):
        above, below = theta.copy(), theta.copy()
        above[i] += np.float32(1e-2)
        below[i] -= np.float32(1e-2)
        expected = (total(above) - total(below)) / 2e-2
        assert gradient[i] == pytest.approx(expected, rel=2e-2, abs=1e-2)


def test_adam_is_the_textbooks():
    rng = np.random.default_rng(0)
    w = rng.standard_normal(7).astype(np.float32)
    expected, mean, square = w.astype(np.float64), np.zeros(7), np.zeros(7)
    moments = np.zeros(7, np.float32), np.zeros(7, np.float32)
    for step in range(1, 20):
        g = rng.standard_normal(7).astype(np.float32)
        adam_step(w, g, *moments, 0.03, step, 0.3)
        mean = 0.9 * mean + 0.1 * g
        square = 0.99 * square + 0.01 * g.astype(float) ** 2
        move = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
        expected -= 0.03 * (move + 0.3 * expected)
    np.testing.assert_allclose(w, expected, rtol=1e-4, atol=1e-5)


def two_rings(rng, n=400):
    X = rng.standard_normal((n, 2))
    return X, (np.hypot(*X.T) > 1.1).astype(int)


def test_it_learns_and_its_turns_are_hard_in_the_end():
    X, y = two_rings(np.random.default_rng(0))
    trainer = Trainer(RunConfig("annealed", depth=4, rounds=20), X, y)
    first, *_, last = trainer.events()
    assert first.epoch == 0 and last.epoch == 20
    assert last.accuracy > 0.95 > first.accuracy + 0.1
    assert (predict(trainer.tree, X) == y).mean() == pytest.approx(last.accuracy, abs=0.005)


def test_a_row_without_weight_teaches_nothing():
    X, y = two_rings(np.random.default_rng(0), 300)
    weight = np.ones(300)
    weight[:100] = 0.0
    wrong = y.copy()
    wrong[:100] = 1 - wrong[:100]
    config = RunConfig("annealed", depth=3, rounds=3)
    trees = [Trainer(config, X, labels, sample_weight=weight).run() for labels in (y, wrong)]
    for one, other in zip(*trees, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("loss", [SQUARED, HUBER, LOG], ids=lambda loss: loss.name)
def test_extreme_settings_give_sound_trees(loss):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 3)) * [1.0, 1e30, 0.0]
    y = rng.integers(3, size=40) if loss is LOG else rng.standard_normal(40)
    for extreme in ({"eta": 1.0}, {"decay": 10.0}, {"power": 0.01}, {"batch": 1}):
        config = RunConfig("annealed", loss=loss.name, depth=5, rounds=2, sharpness=100, **extreme)
        tree = Trainer(config, X, y).run()
        assert all(np.isfinite(part).all() for part in tree)


def test_numbers_are_learnt():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (600, 2))
    y = np.abs(X[:, 0] + X[:, 1])
    *_, event = Trainer(
        RunConfig("annealed", loss="squared", depth=4, rounds=20, validation=0.3), X, y
    ).events()
    assert event.validation_r2 > 0.9
