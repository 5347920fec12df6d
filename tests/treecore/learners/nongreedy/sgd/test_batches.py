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
from treecore.learners.nongreedy.sgd.batches import make_batches
from treecore.learners.nongreedy.sgd.updates import StepRule
from treecore.learners.nongreedy.sgd.visits import make_stable, sgd_rows, visit_batches
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


@pytest.mark.parametrize("method", SGD_METHODS)
@pytest.mark.parametrize("more", [{"batch": 8, "eta": 0.5}, {"batch": 4, "momentum": 0.9}])
def test_iris_is_learnt_in_batches(method, more):
    X, y = load_iris(return_X_y=True)
    *_, last = Trainer(RunConfig(method, depth=3, epochs=60, nu=50, **more), X, y).events()
    assert last.accuracy > 0.9
    assert last.bound >= last.loss
