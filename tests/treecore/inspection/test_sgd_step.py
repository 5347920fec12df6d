"""A step of SGD taken apart ends, bit for bit, where the kernel does."""

import copy

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cases import examples
from tests.helpers.strategies import random_case
from treecore.inspection.sgd_step import trace_update
from treecore.learners.nongreedy.inference import infer
from treecore.learners.nongreedy.sgd.updates import StepRule
from treecore.learners.nongreedy.sgd.visits import make_stable, sgd_rows

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
