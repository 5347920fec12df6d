"""A run held still: steps by hand are its own steps."""

import numpy as np
import pytest

from tests.helpers.same import assert_same
from tests.helpers.traces import bench_of
from treecore.inspection.sgd_debugger import REASSIGN


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
