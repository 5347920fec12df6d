"""Algorithm 1: kernel against twin, its invariants, and the coordinates it works in."""

import contextlib
import copy
import io
import itertools
import math
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cases import case
from tests.helpers.same import assert_same
from tests.helpers.strategies import random_joint, random_rows, random_tree, random_weights
from tests.naive import nongreedy as naive
from treecore.compiling.schedules import SCHEDULES, share_left
from treecore.core.routing import apply
from treecore.core.scaling import DEVIATION_FLOOR, RADIUS, Scaling
from treecore.learners.nongreedy.inference import plain_leaf
from treecore.learners.nongreedy.joint_tree import make_joint
from treecore.learners.nongreedy.sgd.updates import StepRule
from treecore.learners.nongreedy.sgd.visits import sgd_rows
from treecore.learners.nongreedy.start import random_tree as random_start
from treecore.losses import LOG, LOSSES
from treecore.rows.training_rows import TrainingRows

ONES = np.ones(1000)


def rows_of(X, y, n_classes):
    return TrainingRows(X.astype(np.float32), y, np.ones(len(y)), n_classes, LOG)


@pytest.mark.jit
@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_a_pass_matches_naive_to_the_last_bit(loss):
    for seed, exact in itertools.product(range(6), (False, True)):
        with case(seed=seed, exact=exact):
            rng = np.random.default_rng(seed)
            joint = random_joint(rng, n_splits=int(rng.integers(0, 20)), n_classes=3, loss=loss)
            X, y = random_rows(rng, joint, 60)
            weight = random_weights(rng, 60) if seed % 2 else ONES[:60]
            twin = copy.deepcopy(joint)
            order, rule = rng.permutation(60), StepRule(exact, 0.3, 2.0, -0.002, 5)
            sgd_rows(joint, X, y, weight, order, rule)
            naive.sgd_rows(twin, X, y, weight, order, rule)
            assert_same((joint.W, joint.theta), (twin.W, twin.theta))


@given(
    seed=st.integers(0, 2**32 - 1),
    nu=st.floats(0.01, 1e4),
    eta=st.floats(1e-5, 10.0),
    exact=st.booleans(),
    loss=st.sampled_from(list(LOSSES.values())),
)
def test_rows_obey_nu_and_bounds_stay_up_to_date(seed, nu, eta, exact, loss):
    rng = np.random.default_rng(seed)
    joint = random_joint(rng, scale=0.0, n_splits=15, loss=loss)
    X, y = random_rows(rng, joint, 40)
    sgd_rows(joint, X, y, ONES, np.arange(40), StepRule(exact, eta, nu))
    norms = (joint.W.astype(float) ** 2).sum(axis=1)
    assert (norms <= nu * (1 + 1e-5)).all()
    fresh = loss.tables(joint.theta, joint.left, joint.right)
    assert_same(joint.tables, fresh)
    assert np.isfinite(joint.W).all()
    assert np.isfinite(joint.theta).all()


def test_a_step_on_W_follows_the_gradient_of_the_bound():
    """Where g and h stay what they are, the bound falls by eta times the squared gradient."""
    rng = np.random.default_rng(5)
    joint = random_joint(rng, scale=0.1, spread=5.0, n_splits=7)
    X, y = random_rows(rng, joint, 1)
    leaf, before, _ = naive.infer_exact(joint, X[0], y[0])
    scores = [naive.dot(w, X[0]) for w in joint.W]
    wrong = [s for s, right in naive.paths(joint)[leaf] if (scores[s] > 0) != right]
    assert wrong, "this example should push some split"
    eta = 1e-4
    theta = joint.theta.copy()
    sgd_rows(joint, X, y, ONES, np.array([0]), StepRule(True, eta, 1e6))
    joint.theta[:] = theta  # undo the leaf's step: only W is at issue
    scores = [naive.dot(w, X[0]) for w in joint.W]
    after = naive.leaf_value(joint, scores, naive.paths(joint)[leaf], leaf, y[0])
    squared_gradient = len(wrong) * 4 * float(X[0] @ X[0])
    assert before - after == pytest.approx(eta * squared_gradient, rel=0.02)


def test_schedules_start_at_one_and_never_rise():
    for number, name in enumerate(SCHEDULES):
        rates = [share_left(number, progress) for progress in np.linspace(0, 1, 11)]
        assert rates[0] == 1.0
        assert all(a >= b for a, b in itertools.pairwise(rates)), name
    assert share_left(SCHEDULES.index("linear"), 0.25) == 0.75
    halves = [share_left(SCHEDULES.index("cosine"), progress) for progress in (0.5, 1.0)]
    assert halves == pytest.approx([0.5, 0.0])


@pytest.mark.parametrize("share_axis", [0.0, 0.5, 1.0])
def test_scaling_and_folding_back_keep_every_decision(share_axis):
    rng = np.random.default_rng(6)
    X = (rng.standard_normal((200, 5)) * [1, 10, 0.1, 100, 3] + [0, 5, 1, -40, 1000]).astype("f4")
    tree = random_tree(rng, n_splits=15, n_features=5, share_axis=share_axis)
    tree.threshold[:] = [
        np.median(X @ tree.weights[r] if f < 0 else X[:, f]) for f, r in zip(tree.feature, tree.row)
    ]
    scaling = Scaling.fit(X)
    back = scaling.to_raw_tree(scaling.rows_of(tree), tree, tree.values)
    assert np.mean(apply(back, X) != apply(tree, X)) < 0.02  # rows on a boundary may cross it


def test_training_coordinates_are_centred_and_of_unit_deviation():
    rng = np.random.default_rng(7)
    X = rng.standard_normal((500, 6)) * [1e-6, 1, 1e6, 5, 0, 1e30] + [0, 100, 0, 0, 7, 0]
    scaling = Scaling.fit(X)
    Z = scaling.transform(X)
    np.testing.assert_allclose(Z[:, :6].mean(axis=0), 0, atol=1e-3)
    assert (Z[:, 4] == 0).all(), "a constant feature says nothing"
    assert (Z[:, 6] == -1).all()
    assert (Z[:, 7:] == 0).all()
    np.testing.assert_allclose(Z[:, [0, 1, 2, 3, 5]].std(axis=0), 1.0, rtol=1e-3)


def test_long_rows_are_shortened_to_the_radius_and_rare_values_are_no_giants():
    rng = np.random.default_rng(7)
    X = rng.standard_normal((500, 300))
    X[:, 0] = np.arange(500) == 3  # set in one row only
    scaling = Scaling.fit(X)
    Z = scaling.transform(X)
    assert math.sqrt((Z**2).sum(axis=1).mean()) == pytest.approx(RADIUS, rel=1e-3)
    assert np.ptp(Z[:, 0]) <= 1.001 * scaling.factor / DEVIATION_FLOOR


def test_a_random_start_shares_the_rows_out_to_all_leaves():
    rng = np.random.default_rng(8)
    X, y = rng.standard_normal((256, 4)), rng.integers(3, size=256)
    tree = random_start(rows_of(X, y, 3), 5, 1.0, rng)
    counts = np.bincount(apply(tree, X), minlength=tree.n_leaves)
    assert counts.min() >= 6
    assert counts.max() <= 10


def test_no_row_lies_on_a_random_split():
    """The tree that reads raw features decides as the one that learns does."""
    for n_rows, depth in itertools.product((1, 2, 75, 76), (1, 4, 8)):
        with case(n_rows=n_rows, depth=depth):
            rng = np.random.default_rng(n_rows)
            X, y = rng.integers(0, 4, size=(n_rows, 3)).astype(float), np.arange(n_rows) % 2
            tree = random_start(rows_of(X, y, 2), depth, 1.0, rng)
            scaling = Scaling.fit(X)
            joint = make_joint(tree, scaling.rows_of(tree))
            Z = scaling.transform(X)
            np.testing.assert_array_equal(apply(tree, X), [plain_leaf(joint, z) for z in Z])


def test_a_random_start_is_the_same_on_every_processor():
    """BLAS adds in an order of the processor's; three of them used to give three trees."""
    program = (
        "import sys, numpy as np; from treecore import RunConfig, Trainer;"
        "X = np.random.default_rng(0).normal(size=(300, 30)); y = (X[:, 0] > X[:, 1]).astype(int);"
        "tree = Trainer(RunConfig('sgd', depth=5, epochs=3), X, y).run();"
        "sys.stdout.write(b''.join(array.tobytes() for array in tree[:-1]).hex())"
    )
    own = io.StringIO()
    with contextlib.redirect_stdout(own):
        exec(program, {})
    another = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"OPENBLAS_CORETYPE": "Prescott"},  # without AVX, as no processor today
        capture_output=True,
        text=True,
        check=True,
    )
    assert another.stdout == own.getvalue()
