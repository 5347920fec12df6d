"""Annealed learning: soft routing against its plain twin, its gradient, and its hard limit."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.helpers.cases import examples
from tests.helpers.routing import route, split_gradients
from tests.helpers.strategies import random_joint, random_rows, random_tree
from tests.naive import nongreedy as naive
from treecore import RunConfig, Trainer, evaluate, predict
from treecore.learners.nongreedy.annealed.adam import adam_step, step_splits
from treecore.learners.nongreedy.annealed.leaf_costs import ClassCosts, NumberCosts
from treecore.learners.nongreedy.annealed.power_loss import (
    class_gradient,
    power_costs,
    power_shares,
)
from treecore.learners.nongreedy.annealed.soft_routing import UNREACHED, make_routing
from treecore.learners.nongreedy.inference import plain_leaf
from treecore.learners.nongreedy.joint_tree import make_joint
from treecore.losses import ABSOLUTE, HUBER, SQUARED

SEEDS = st.integers(0, 2**32 - 1)


def random_routing(seed, n_rows=5):
    """A random tree, and rows with classes, weights and costs."""
    rng = np.random.default_rng(seed)
    joint = random_joint(rng, scale=2.0, n_splits=int(rng.integers(0, 25)), n_classes=3)
    X, y = random_rows(rng, joint, n_rows)
    costs = rng.random((3, len(joint.theta))).astype(np.float32)
    return joint, X, y, costs, rng.random(n_rows).astype(np.float32)


def routed(joint, x, costs, beta):
    """Expected cost, gradient by the scores and chances of the leaves, by the kernels."""
    reach = np.zeros((1, len(costs)), np.float32)
    of_leaves = ClassCosts(np.zeros(1, np.int64), costs[None], reach)
    expected, routing = route(joint, x[None], of_leaves, np.ones(1, np.float32), np.float32(beta))
    gradient = np.zeros(len(joint.left))
    visited = np.flatnonzero(routing.n_entries[: len(gradient)])
    gradient[visited] = routing.factor[routing.first[visited]]
    return expected, gradient, reach[0]


@given(seed=SEEDS, beta=st.floats(0.1, 5.0))
def test_soft_routing_is_that_of_its_twin(seed, beta):
    joint, X, _, costs, _ = random_routing(seed)
    for x in X:
        scores = [float(naive.dot(w, x)) for w in joint.W]
        found = routed(joint, x, costs[0], beta)
        expected = naive.soft_routing(joint, scores, costs[0], beta, UNREACHED)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-5)


@examples(10)
@given(seed=SEEDS)
def test_the_gradient_is_that_of_the_expected_cost(seed):
    joint, X, _, costs, _ = random_routing(seed)
    costs = costs.astype(float)
    for x in X:
        scores = np.array([float(naive.dot(w, x)) for w in joint.W])
        gradient = naive.soft_routing(joint, scores, costs[0], 1.3, 0.0)[1]
        for i in range(len(scores)):
            step = np.where(np.arange(len(scores)) == i, 1e-4, 0.0)
            above, below = (
                naive.soft_routing(joint, scores + sign * step, costs[0], 1.3, 0.0)[0]
                for sign in (1, -1)
            )
            assert gradient[i] == pytest.approx((above - below) / 2e-4, rel=1e-4, abs=1e-8)


@examples(20)
@given(seed=SEEDS)
def test_sharp_turns_are_hard_turns(seed):
    joint, X, _, costs, _ = random_routing(seed)
    for x in X:
        assume(all(abs(naive.dot(w, x)) > 1e-4 for w in joint.W))
        expected, _, reach = routed(joint, x, costs[0], 1e6)
        leaf = plain_leaf(joint, x)
        assert reach[leaf] == pytest.approx(1)
        # What leaks into other leaves, a millionth, counts by what those cost.
        assert expected == pytest.approx(float(costs[0, leaf]), abs=1e-6 * float(costs.max()))


@examples(20)
@given(seed=SEEDS)
def test_gradients_of_a_mini_batch_are_weighted_sums(seed):
    joint, X, y, costs, weight = random_routing(seed)
    weight[0] = 0
    rows, beta = np.array([3, 0, 1, 1]), np.float32(1.5)
    mass, gradient = np.zeros_like(costs), np.ones_like(joint.W)
    batch = joint, X[rows], ClassCosts(y[rows], costs, mass), weight[rows], beta
    total, routing = route(*batch, make_routing(len(joint.left), 4))  # which has to grow
    split_gradients(X[rows], routing, gradient)
    expected_W, expected_mass, expected_total = np.zeros(joint.W.shape), np.zeros(mass.shape), 0.0
    for row in rows:
        cost, by_score, reach = routed(joint, X[row], costs[y[row]], beta)
        expected_total += weight[row] * cost
        expected_mass[y[row]] += weight[row] * reach
        expected_W += weight[row] * np.outer(by_score, X[row])
    assert total == pytest.approx(expected_total, rel=1e-5)
    np.testing.assert_allclose(mass, expected_mass, rtol=1e-4, atol=1e-7)
    np.testing.assert_allclose(gradient, expected_W, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("power", [0.01, 0.5, 1.0])
def test_the_power_loss_and_its_gradient(power, rng):
    theta = rng.standard_normal((4, 3)).astype(np.float32)
    mass = rng.random((3, 4)).astype(np.float32)

    def costs_of(theta):
        share, powered, costs = np.empty((3, 3, 4), np.float32)
        power_shares(theta, np.float32(power), share, powered, np.empty(4, np.float32), np.empty(4))
        power_costs(powered, np.float32(power), costs)
        return costs, share, powered

    costs, share, powered = costs_of(theta)
    P = np.exp(theta) / np.exp(theta).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(share, P.T, rtol=1e-5)
    np.testing.assert_allclose(costs, (1 - P.T**power) / power, rtol=1e-3, atol=1e-4)
    if power == 0.01:  # near the log loss
        np.testing.assert_allclose(costs, -np.log(P.T), rtol=0.05)
    gradient = np.empty_like(theta)
    class_gradient(share, powered, mass, np.empty(4, np.float32), gradient)
    for i in np.ndindex(theta.shape):
        above, below = theta.copy(), theta.copy()
        above[i] += np.float32(1e-2)
        below[i] -= np.float32(1e-2)
        change = (mass * (costs_of(above)[0].astype(float) - costs_of(below)[0])).sum()
        assert gradient[i] == pytest.approx(change / 2e-2, rel=2e-2, abs=5e-3)


@pytest.mark.parametrize("loss", [SQUARED, HUBER, ABSOLUTE], ids=lambda loss: loss.name)
def test_the_gradients_by_numbers(loss):
    rng = np.random.default_rng(1)
    tree = random_tree(rng, n_splits=3, share_axis=0.0, n_classes=2)
    W = np.zeros((3, 16), np.float32)
    W[:, :4] = rng.standard_normal((3, 4))
    joint = make_joint(tree, W, loss)
    X, _ = random_rows(rng, joint, 6)
    y = 2 * rng.standard_normal((6, 2)).astype(np.float32)
    weight = rng.random(6).astype(np.float32)
    by_theta, by_W = np.zeros_like(joint.theta), np.zeros_like(W)

    def total():
        by_theta[:] = 0
        costs = NumberCosts(joint.tables, y, joint.theta, by_theta)
        found, routing = route(joint, X, costs, weight, np.float32(1.0))
        split_gradients(X, routing, by_W)
        return found

    total()
    for array, gradient in ((joint.theta, by_theta.copy()), (joint.W, by_W.copy())):
        for i in np.ndindex(array.shape):
            before = array[i]
            array[i] = before + np.float32(1e-2)
            above = total()
            array[i] = before - np.float32(1e-2)
            below = total()
            array[i] = before
            assert gradient[i] == pytest.approx((above - below) / 2e-2, rel=3e-2, abs=2e-2)


def test_adam_is_the_textbooks(rng):
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


@examples(20)
@given(seed=SEEDS)
def test_splits_step_by_their_gradients(seed):
    joint, X, y, costs, weight = random_routing(seed, n_rows=30)
    assume(len(joint.left) > 0)
    rows, beta = np.random.default_rng(seed).permutation(30)[:21], np.float32(1.5)
    X, weight = X[rows], weight[rows]
    _, routing = route(joint, X, ClassCosts(y[rows], costs, np.zeros_like(costs)), weight, beta)
    gradient = np.zeros_like(joint.W)
    for split, begin in enumerate(routing.first):
        for e in range(begin, begin + routing.n_entries[split]):
            gradient[split] += routing.factor[e] * X[routing.row[e]]
    stepped, alone = joint.W.copy(), joint.W.copy()
    moments, others = np.zeros((2, *alone.shape), np.float32), np.zeros((2, alone.size), np.float32)
    for step in (1, 2):
        work = np.zeros(alone.shape[1], np.float32), *moments
        step_splits(stepped, X, routing, work, 0.03, step, 0.3)
        adam_step(alone.ravel(), gradient.ravel(), *others, 0.03, step, 0.3)
    np.testing.assert_allclose(stepped, alone, rtol=1e-3, atol=1e-4)


def two_rings(rng, n=400):
    X = rng.standard_normal((n, 2))
    return X, (np.hypot(*X.T) > 1.1).astype(int)


@pytest.mark.jit
def test_it_learns_and_its_turns_are_hard_in_the_end():
    X, y = two_rings(np.random.default_rng(0))
    trainer = Trainer(RunConfig("annealed", depth=4, rounds=40), X, y)
    first, *_, last = trainer.events()
    assert first.done == 0
    assert last.done == 40
    assert last.accuracy > 0.95 > first.accuracy + 0.1
    assert (predict(trainer.model, X) == y).mean() == pytest.approx(last.accuracy, abs=0.005)


@pytest.mark.jit
def test_probabilities_are_believable_and_no_favourite_has_changed(rng):
    X = rng.standard_normal((900, 5))
    y = np.where(rng.random(900) < 0.2, rng.integers(2, size=900), (X[:, 0] > 0).astype(int))
    trainer = Trainer(RunConfig("annealed", rounds=20, smoothing=1.0), X[:600], y[:600])
    trainer.run()
    loss = evaluate(trainer.model, X[600:], y[600:]).loss
    assert loss < 1.2 * np.log(2), "hardly worse than knowing nothing, though learnt by heart"
    theta, values = trainer.learner.joint.theta, trainer.model.values
    np.testing.assert_array_equal(values.argmax(axis=1), theta.argmax(axis=1))
    raw = evaluate(trainer.model._replace(values=theta), X[600:], y[600:])
    assert raw.loss > 1.3 * loss
    assert raw.accuracy == evaluate(trainer.model, X[600:], y[600:]).accuracy


@pytest.mark.jit
def test_a_start_of_its_own_choice_is_complete_where_there_are_rows_for_it():
    X, y = two_rings(np.random.default_rng(0), 300)
    wide = np.hstack([X, np.random.default_rng(1).standard_normal((300, 8))])
    grown = {"axis", "annealed"}
    # In the plane a leaf needs 4.5 rows, with nine features or more 15.
    for table, depth, stages in (
        (X, 6, {"annealed"}),
        (X, 7, grown),
        (wide, 4, {"annealed"}),
        (wide, 5, grown),
    ):
        trainer = Trainer(RunConfig("annealed", depth=depth, rounds=1), table, y)
        assert {event.stage for event in trainer.events()} == stages
