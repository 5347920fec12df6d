"""Mini-batches and momentum: kernel against twin, and what they have in common with Algorithm 1."""

import copy

import numpy as np
import pytest
from sklearn.datasets import load_iris

from tests.helpers.cases import case
from tests.helpers.same import assert_same
from tests.helpers.strategies import random_joint, random_rows, random_weights
from tests.naive import nongreedy as naive
from treecore import RunConfig, Trainer
from treecore.core.tree import check_tree
from treecore.learners.nongreedy.sgd.batches import make_batches
from treecore.learners.nongreedy.sgd.updates import StepRule
from treecore.learners.nongreedy.sgd.visits import make_stable, sgd_rows, visit_batches
from treecore.learners.nongreedy.weight_rows import row_norms
from treecore.losses import LOSSES

SGD_METHODS = ["sgd", "stable-sgd"]
NOWHERE = np.empty(0, dtype=np.int32)


def visit(joint, X, y, weight, order, assigned=NOWHERE, *, batch, momentum, eta=0.2, nu=2.0):
    """A pass of the kernel; returns the batches, and the sum of the bounds of Stable SGD."""
    batches, stable = make_batches(joint.W, batch, momentum), None
    if len(assigned):
        stable = make_stable(len(X), len(joint.theta), len(joint.W))
        stable.assigned[:] = assigned
    rule = StepRule(True, eta, nu, -0.001, 5)
    visit_batches(joint, X, y, weight, order, rule, batches, stable)
    return batches, None if stable is None else stable.bounds[0]


@pytest.mark.jit
@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
@pytest.mark.parametrize("stable", [False, True])
def test_a_pass_matches_naive_to_the_last_bit(stable, loss):
    for batch, momentum in ((1, 0.9), (7, 0.0), (8, 0.5), (100, 0.9)):
        with case(batch=batch, momentum=momentum):
            rng = np.random.default_rng(batch)
            joint = random_joint(rng, n_splits=15, loss=loss)
            X, y = random_rows(rng, joint, 60)
            weight, order = random_weights(rng, 60), rng.permutation(60)
            assigned = rng.integers(16, size=60).astype(np.int32) if stable else NOWHERE
            twin = copy.deepcopy(joint)
            batches, bounds = visit(
                joint, X, y, weight, order, assigned, batch=batch, momentum=momentum
            )
            rule = StepRule(True, 0.2, 2.0, -0.001, 5)
            total, velocity = naive.batch_rows(
                twin, X, y, weight, order, assigned, rule, batch, momentum
            )
            found = joint.W, batches.velocity, joint.theta
            assert_same(found, (twin.W, velocity, twin.theta))
            assert bounds is None or bounds == pytest.approx(total, rel=1e-6)
            assert not batches.gradient.any()
            assert not batches.waiting.any()
            assert batches.queue[-1] == 0


def test_batches_of_one_without_momentum_are_algorithm_1_up_to_rounding():
    rng = np.random.default_rng(1)
    joint = random_joint(rng, n_splits=15)
    X, y = random_rows(rng, joint, 60)
    weight, order = random_weights(rng, 60), rng.permutation(60)
    plain = copy.deepcopy(joint)
    sgd_rows(plain, X, y, weight, order, StepRule(True, 0.2, 2.0, -0.001, 5))
    visit(joint, X, y, weight, order, batch=1, momentum=0.0)
    np.testing.assert_allclose(joint.W, plain.W, atol=1e-5)
    np.testing.assert_allclose(joint.theta, plain.theta, atol=1e-5)


def test_the_step_of_a_batch_is_the_mean_of_its_examples_steps():
    rng = np.random.default_rng(2)
    joint = random_joint(rng, scale=0.3, spread=4.0, n_splits=15)
    X, y = random_rows(rng, joint, 20)
    ones, moved = np.ones(20), []
    for row in range(20):
        alone = copy.deepcopy(joint)
        visit(alone, X, y, ones, np.array([row]), batch=1, momentum=0.0, nu=1e6)
        moved.append(alone.W - joint.W)
    before = joint.W.copy()
    visit(joint, X, y, ones, np.arange(20), batch=20, momentum=0.0, nu=1e6)
    assert np.abs(moved).max() > 0.01
    np.testing.assert_allclose(joint.W - before, np.mean(moved, axis=0), atol=1e-6)


def test_a_velocity_sums_up_steps_in_a_geometric_series():
    """One example again and again, without decisions that change: momentum 1/2 doubles the way."""
    joint = random_joint(np.random.default_rng(0), n_splits=1, spread=50.0)
    joint.W[:] = 0.0
    X, _ = random_rows(np.random.default_rng(1), joint, 1)
    joint.W[0] = (
        10 * X[0] * (1 if joint.theta[~joint.left[0], 0] < joint.theta[~joint.right[0], 0] else -1)
    )
    y = np.zeros(1, dtype=np.int64)
    before, order = joint.W.copy(), np.zeros(12, dtype=np.int64)
    ways = []
    for momentum in (0.0, 0.5):
        tree = copy.deepcopy(joint)
        visit(tree, X, y, np.ones(1), order, batch=1, momentum=momentum, eta=0.02, nu=1e6)
        ways.append(np.linalg.norm(tree.W - before))
    assert ways[0] > 0
    assert 1.6 < ways[1] / ways[0] < 2.0


@pytest.mark.parametrize("method", SGD_METHODS)
def test_portions_never_cut_a_batch(method):
    X, y = load_iris(return_X_y=True)
    for more in ({"batch": 7}, {"batch": 16, "momentum": 0.9}, {"momentum": 0.5}):
        with case(**more):
            config = RunConfig(method, depth=3, epochs=4, seed=2, **more)
            entire = Trainer(config, X, y).run()
            trainer = Trainer(config, X, y)
            while not trainer.finished:
                trainer.step(0.01)
            assert_same(trainer.model, entire)


@pytest.mark.parametrize("method", SGD_METHODS)
@pytest.mark.parametrize("more", [{"batch": 8, "eta": 0.5}, {"batch": 4, "momentum": 0.9}])
def test_iris_is_learnt_in_batches(method, more):
    X, y = load_iris(return_X_y=True)
    *_, last = Trainer(RunConfig(method, depth=3, epochs=60, nu=50, **more), X, y).events()
    assert last.accuracy > 0.9
    assert last.bound >= last.loss


@pytest.mark.parametrize("loss", LOSSES)
def test_heavy_steps_never_leave_the_numbers(loss):
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(60, 3)), rng.integers(3, size=60)
    weight = np.where(np.arange(60) == 7, 1e12, 1.0)
    heavy = {"eta": 10, "batch": 3, "momentum": 0.99, "schedule": "constant"}
    for nu in (0.01, 1e4):
        with case(nu=nu):
            config = RunConfig("sgd", loss=loss, depth=5, epochs=20, nu=nu, **heavy)
            trainer = Trainer(config, X, y, sample_weight=weight)
            check_tree(trainer.run())
            assert (row_norms(trainer.learner.joint.W) <= np.sqrt(nu) * (1 + 1e-5)).all()
