"""A run held still: steps by hand are its own steps."""

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cases import examples
from tests.helpers.growing import blobs
from tests.helpers.same import assert_same
from tests.helpers.strategies import random_case
from treecore import RunConfig, Trainer
from treecore.inspection.sgd_debugger import REASSIGN, SGDDebugger
from treecore.inspection.sgd_step import trace_update
from treecore.learners.nongreedy.inference import infer
from treecore.learners.nongreedy.sgd.updates import StepRule
from treecore.learners.nongreedy.sgd.visits import make_stable, sgd_rows


def bench_of(method="sgd", exact=True):
    """A run held still after two passes, and its bench."""
    X, y = blobs(np.random.default_rng(5), 120, 3, 3)
    settings = {"eta": 0.1, "nu": 5.0, "inference": "exact" if exact else "fast"}
    trainer = Trainer(RunConfig(method, depth=3, epochs=9, schedule="constant", **settings), X, y)
    while trainer.learner is None or trainer.learner.epoch < 2:
        trainer.step()
    return trainer, SGDDebugger(trainer.learner, trainer.rows, exact, 0.1, 5.0)


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("method", ["sgd", "stable-sgd"])
def test_steps_by_hand_in_the_runs_order_are_the_run_itself(method, exact):
    trainer, bench = bench_of(method, exact)
    start = bench.joint.W.copy()
    by_hand = bench.after(bench.order[:60])
    np.testing.assert_array_equal(bench.joint.W, start)
    assert trainer.learner.advance(60) == 60
    np.testing.assert_array_equal(by_hand.joint.W, trainer.learner.joint.W)
    np.testing.assert_array_equal(by_hand.joint.theta, trainer.learner.joint.theta)
    assert_same(by_hand.tree(), trainer.learner.tree())


@pytest.mark.parametrize("method", ["sgd", "stable-sgd"])
def test_a_bench_measures_what_the_run_measures(method):
    trainer, bench = bench_of(method)
    bound, loss, turning = bench.measure()
    _, total = trainer.learner.measure(bench.X, bench.y, bench.weight, True)
    assert (loss <= bound).all()
    if method == "sgd":
        assert bound.sum(dtype=np.float64) == pytest.approx(total, rel=1e-6)
    for row in range(0, 120, 7):
        step = bench.trace_update(row)
        assert step.bound_before == bound[row]
        assert step.loss_before == loss[row]
        assert bool(step.turns) == turning[row]


def test_reassigning_brings_everyone_home():
    _, bench = bench_of("stable-sgd")
    away = bench.after(bench.order)
    home = away.after([REASSIGN])
    assert away.measure()[0].sum() > home.measure()[0].sum(), "the plain bound is the lower one"
    assert all(home.trace_update(row).lost == 0 for row in range(20))


SEEDS = st.integers(0, 2**32 - 1)


@examples(150)
@given(seed=SEEDS, exact=st.booleans(), stable=st.booleans())
def test_a_step_taken_apart_ends_where_the_kernel_does(seed, exact, stable):
    rng, joint, X, y, assigned = random_case(seed)
    untouched = copy.deepcopy((joint.W, joint.theta))
    eta, nu = 10.0 ** rng.uniform(-3, 1), 10.0 ** rng.uniform(-1, 1)
    step = trace_update(joint, X[0], y[0], exact, eta, nu, int(assigned[0]) if stable else None)
    for before, now in zip(untouched, (joint.W, joint.theta)):
        np.testing.assert_array_equal(before, now)
    data = joint, X, y, np.ones(1), np.zeros(1, dtype=np.int64)
    held = make_stable(len(X), len(joint.theta), len(joint.W)) if stable else None
    if held is not None:
        held.assigned[:] = assigned
    assert sgd_rows(*data, StepRule(exact, eta, nu), held) == step.search.n_products
    assert held is None or held.bounds[0] == step.bound_before
    np.testing.assert_array_equal(step.tree.W, joint.W)
    np.testing.assert_array_equal(step.tree.theta, joint.theta)
    changed = set(np.flatnonzero((untouched[0] != joint.W).any(axis=1)))
    assert changed <= {turn.split for turn in step.turns}
    for turn in step.turns:
        np.testing.assert_array_equal(turn.after, joint.W[turn.split])
        if not turn.shortened:
            assert (turn.score_after > turn.score_before) == turn.towards_right
    assert not any(turn.forced for turn in step.turns) or stable
    np.testing.assert_array_equal(step.theta_after, joint.theta[step.search.g_leaf])
    bound = infer(joint, X[0], y[0], exact)[2]
    assert step.bound_after >= np.float32(bound)
    assert step.loss_before <= step.bound_before
