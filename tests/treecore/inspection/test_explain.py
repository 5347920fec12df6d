"""The traces against the kernels: the same decisions, and the same bits at the end of them."""

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cases import examples
from tests.helpers.growing import blobs
from tests.helpers.same import assert_same
from tests.helpers.strategies import random_joint, random_rows, random_tree
from tests.naive import nongreedy as naive
from treecore import RunConfig, Trainer
from treecore.core.impurity import Criterion
from treecore.core.routing import apply
from treecore.core.tree import OBLIQUE
from treecore.data.validation import read_training
from treecore.inspection.bound_profile import bound_profile
from treecore.inspection.inference import BranchOutcome, candidates, trace_search
from treecore.inspection.manual_split import manual_split_cost, with_manual_split
from treecore.inspection.oc1_move import (
    node_projection,
    plane_at,
    raw_split,
    split_coefficients,
    try_coefficient,
)
from treecore.inspection.sgd_debugger import REASSIGN, SGDDebugger
from treecore.inspection.sgd_step import trace_update
from treecore.inspection.tao_node import (
    improve_split,
    leaves_below,
    relabel,
    tao_order,
    tree_cost,
    with_split,
)
from treecore.learners.greedy.finders.perturbation import perturb
from treecore.learners.nongreedy.inference import infer
from treecore.learners.nongreedy.sgd.sgd import sgd_rows
from treecore.learners.nongreedy.sgd.stable import stable_rows
from treecore.losses import LOG, LOSSES

SEEDS = st.integers(0, 2**32 - 1)


def random_case(seed):
    """A tree of any shape, scale and loss, one example, and an assigned leaf."""
    rng = np.random.default_rng(seed)
    joint = random_joint(
        rng,
        loss=list(LOSSES.values())[seed % len(LOSSES)],
        scale=10.0 ** rng.uniform(-2, 1),
        spread=10.0 ** rng.uniform(-1, 1),
        n_splits=int(rng.integers(0, 40)),
        max_depth=int(rng.integers(1, 9)),
        n_classes=int(rng.integers(2, 6)),
    )
    X, y = random_rows(rng, joint, 1)
    return rng, joint, X, y, int(rng.integers(len(joint.theta)))


@examples(150)
@given(seed=SEEDS, exact=st.booleans())
def test_the_traced_search_is_the_kernels(seed, exact):
    _, joint, X, y, _ = random_case(seed)
    joint.score[:] = np.nan
    kernel = infer(joint, X[0], y[0], exact)
    visited = {split: s for split, s in enumerate(joint.score) if not np.isnan(s)}
    traced = trace_search(joint, X[0], y[0], exact)
    assert (traced.h_leaf, traced.g_leaf, traced.bound, traced.n_products) == kernel
    scored = {look.node: look.score for look in traced.visited if look.score is not None}
    assert scored == visited, "the kernel scored the same splits and got the same numbers"
    textbook = naive.infer_exact if exact else naive.infer_fast
    assert traced.textbook == textbook(joint, X[0], y[0])[2]


@given(seed=SEEDS, exact=st.booleans())
def test_what_was_dropped_could_not_win_and_every_leaf_is_accounted_for(seed, exact):
    _, joint, X, y, _ = random_case(seed)
    search = trace_search(joint, X[0], y[0], exact)
    table = {c.leaf: c for c in candidates(joint, X[0], y[0], exact)}
    seen = set()
    for look in search.visited:
        below = leaves_below(joint, look.node)
        if look.outcome is BranchOutcome.DROPPED:
            assert look.ceiling - look.penalty <= look.best
            assert all(table[leaf].value <= look.best for leaf in below)
        if look.outcome in (BranchOutcome.DROPPED, BranchOutcome.PATH_LEAF, BranchOutcome.TAKEN):
            assert seen.isdisjoint(below)
            seen.update(below)
        if look.outcome is BranchOutcome.TAKEN:
            assert table[~look.node].value > look.best
    assert seen == set(table) or not exact
    assert table[search.h_leaf].penalty == 0


@given(seed=SEEDS, exact=st.booleans())
def test_the_greatest_candidate_is_the_bound(seed, exact):
    _, joint, X, y, _ = random_case(seed)
    search = trace_search(joint, X[0], y[0], exact)
    table = candidates(joint, X[0], y[0], exact)
    assert len(table) == len(joint.theta)
    values = [c.value for c in table]
    assert values == sorted(values, reverse=True)
    allowed = [c for c in table if c.allowed]
    assert allowed[0].value == search.bound
    assert search.g_leaf in [c.leaf for c in allowed if c.value == search.bound]
    for c in table:
        assert c.value == c.loss - c.penalty
        way = dict(naive.paths(joint)[c.leaf])
        scores = [naive.dot(w, X[0]) for w in joint.W]
        assert set(c.against) == {i for i, right in way.items() if (scores[i] > 0) != right}


@examples(150)
@given(seed=SEEDS, exact=st.booleans(), stable=st.booleans())
def test_a_step_taken_apart_ends_where_the_kernel_does(seed, exact, stable):
    rng, joint, X, y, assigned = random_case(seed)
    untouched = copy.deepcopy((joint.W, joint.theta))
    eta, nu = 10.0 ** rng.uniform(-3, 1), 10.0 ** rng.uniform(-1, 1)
    step = trace_update(joint, X[0], y[0], exact, eta, nu, assigned if stable else None)
    for before, now in zip(untouched, (joint.W, joint.theta)):
        np.testing.assert_array_equal(before, now)
    data = joint, X, y, np.ones(1), np.zeros(1, dtype=np.int64)
    if stable:
        sums, side = np.zeros(2), np.zeros(len(joint.W), dtype=np.int8)
        assigned_to = np.array([assigned], dtype=np.int32)
        stable_rows(*data, assigned_to, exact, eta, 0.0, 0, nu, side, sums)
        assert tuple(sums) == (step.bound_before, step.search.n_products)
    else:
        assert sgd_rows(*data, exact, eta, 0.0, 0, nu) == step.search.n_products
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


def bench_of(method="sgd", exact=True, passes=2):
    rng = np.random.default_rng(5)
    X, y = blobs(rng, 120, 3, 3)
    inference = "exact" if exact else "fast"
    config = RunConfig(
        method, depth=3, epochs=9, eta=0.1, nu=5.0, schedule="constant", inference=inference
    )
    trainer = Trainer(config, X, y)
    while trainer.learner is None or trainer.learner.epoch < passes:
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


def test_a_larger_scale_tightens_the_bound_towards_the_loss_and_makes_it_flat():
    _, bench = bench_of()
    found = bound_profile(bench, np.geomspace(0.1, 1000, 15))
    np.testing.assert_allclose(found.loss, found.loss[0], rtol=1e-6)
    assert (np.diff(found.bound) <= 1e-6).all()
    assert (found.bound >= found.loss - 1e-6).all()
    assert found.bound[0] > 1.5 * found.bound[-1]
    assert found.bound[-1] == pytest.approx(found.loss[-1], rel=0.05)
    assert found.turning[-1] < 0.1 < found.turning[0]


@pytest.mark.parametrize("start", ["random", "axis"])
def test_taos_nodes_one_by_one_are_a_pass_of_tao(start):
    X, y = blobs(np.random.default_rng(2), 200, 4, 3)
    config = RunConfig("tao", depth=3, epochs=5, start=start, seed=4)
    trainer = Trainer(config, X, y)
    while trainer.learner is None or trainer.learner.name != "tao":
        trainer.step()
    learner, rows = trainer.learner, trainer.rows
    tree = learner.tree()
    seen = {"taken": 0, "left": 0}
    for split in tao_order(tree):
        step = improve_split(tree, rows, split, C=10.0, max_iter=100, seed=learner._seed)
        wrong = np.sum(rows.weight[predicted(tree, rows) != rows.y])
        assert np.sum(rows.weight[predicted(step.tree, rows) != rows.y]) == pytest.approx(
            wrong + (step.wrong_after - step.wrong_before) * step.accepted
        )
        seen["taken" if step.accepted else "left"] += 1
        tree = step.tree
    tree = relabel(tree, rows, 1.0)
    while learner.epoch < 1:
        learner.advance(1)
    if not learner.finished:
        np.testing.assert_array_equal(apply(learner.tree(), rows.X), apply(tree, rows.X))
        np.testing.assert_array_equal(learner.tree().values, tree.values)
        np.testing.assert_array_equal(learner.tree().threshold, tree.threshold)
    assert seen["taken"] > 0


def predicted(tree, rows):
    return tree.values.argmax(axis=1)[apply(tree, rows.X)]


def test_a_node_without_care_points_or_with_one_wish_needs_no_fit():
    X, y = blobs(np.random.default_rng(1), 60, 2, 2, noise=0.0)
    rows, _ = read_training(X, y, None, "none", LOG, 2)
    tree = random_tree(np.random.default_rng(3), n_splits=3, n_features=2, n_classes=2)
    same = tree._replace(values=np.tile(tree.values[:1], (4, 1)))
    step = improve_split(same, rows, 0, C=1.0, max_iter=10, seed=0)
    assert len(step.care) == 0
    assert not step.accepted
    assert step.tree is same
    # Where all rows are of one class, all care points want the side that says so.
    alone, _ = read_training(X[y == 0], y[y == 0], None, "none", LOG, 2)
    stump = random_tree(np.random.default_rng(3), n_splits=1, n_features=2, n_classes=2)
    stump = stump._replace(values=np.array([[1, 0], [0, 1]], dtype=np.float32))
    step = improve_split(stump, alone, 0, C=1.0, max_iter=10, seed=0)
    assert step.one_sided
    assert step.accepted
    assert step.wrong_after == 0
    assert not step.weights.any()


def test_another_question_at_one_split_leaves_the_others_alone():
    rng = np.random.default_rng(8)
    tree = random_tree(rng, n_splits=6)
    for split in range(6):
        w = rng.standard_normal(3).astype(np.float32)
        changed = with_split(tree, split, w, np.float32(0.5))
        assert changed.feature[split] == OBLIQUE
        np.testing.assert_array_equal(changed.weights[changed.row[split]], w)
        others = np.arange(6) != split
        np.testing.assert_array_equal(changed.feature[others], tree.feature[others])
        np.testing.assert_array_equal(changed.threshold[others], tree.threshold[others])


@pytest.mark.parametrize("loss", ["squared", "huber"])
def test_taos_nodes_of_numbers_are_a_pass_of_tao_and_never_cost_more(loss):
    X, _ = blobs(np.random.default_rng(2), 200, 4, 3)
    y = np.sin(X[:, 0]) + 0.3 * X[:, 1]
    trainer = Trainer(RunConfig("tao", depth=3, epochs=5, start="random", seed=4, loss=loss), X, y)
    while trainer.learner is None or trainer.learner.name != "tao":
        trainer.step()
    learner, rows = trainer.learner, trainer.rows
    tree = learner.tree()
    C, max_iter = learner._C_of_pass(), learner._settings.max_iter
    for split in tao_order(tree):
        step = improve_split(tree, rows, split, C=C, max_iter=max_iter, seed=learner._seed)
        changed = (step.wrong_after - step.wrong_before) / rows.weight.sum()
        difference = tree_cost(step.proposed, rows) - tree_cost(tree, rows)
        assert difference == pytest.approx(changed, abs=1e-6)
        tree = step.tree
    tree = relabel(tree, rows, 1.0)
    while learner.epoch < 1:
        learner.advance(1)
    assert not learner.finished
    np.testing.assert_array_equal(learner.tree().values, tree.values)
    np.testing.assert_array_equal(learner.tree().threshold, tree.threshold)


@examples(60)
@given(seed=SEEDS, kind=st.sampled_from(["entropy", "gini", "numbers"]))
def test_moves_of_oc1_are_the_kernels(seed, kind):
    rng = np.random.default_rng(seed)
    n, p, k = int(rng.integers(1, 40)), int(rng.integers(1, 5)), int(rng.integers(2, 5))
    X = rng.standard_normal((n, p)).astype(np.float32)
    if seed % 2:
        X = X.round(0)  # ties, and rows at the median that never move
    y = rng.integers(k, size=n)
    rows = np.flatnonzero(rng.random(n) < 0.8)
    rows = rows if rows.size else np.arange(n)
    if kind == "numbers":
        y, k = rng.standard_normal((n, 2)).astype(np.float32), 2
    criterion = Criterion.GINI if kind == "gini" else Criterion.ENTROPY
    ground = node_projection(X, y, rows, k, criterion, int(rng.integers(1, 4)))
    plane = plane_at(ground, rng.standard_normal(p + 1))
    kernels = copy.deepcopy(plane)
    for coefficient in rng.integers(p + 1, size=8):
        coin = rng.random()
        move = try_coefficient(plane, ground, int(coefficient), coin)
        tried = np.array([coefficient]), np.array([coin])
        _, n_moved, _ = perturb(*tried, kernels, ground, 10**9)
        assert n_moved == move.moves
        for mine, own in zip(move.plane, kernels):
            np.testing.assert_array_equal(mine, own)
        assert (np.diff(move.crossings) >= 0).all()
        if move.best is not None:
            assert move.impurity_best <= move.impurities.min() + 1e-9
            right = plane.heights[ground.rows] > 0
            if kind == "numbers" and 0 < right.sum() < len(right):
                own = y[ground.rows].astype(np.float64)
                parts = own[right], own[~right]
                sides = sum(((part - part.mean(0)) ** 2).sum() for part in parts)
                share = sides / ((own - own.mean(0)) ** 2).sum()
                if np.isfinite(move.impurity_before):
                    assert move.impurity_before == pytest.approx(share, abs=1e-9)
        plane = move.plane


def test_a_hyperplane_of_oc1_is_the_split_it_was_made_of():
    rng = np.random.default_rng(4)
    X, y = blobs(rng, 80, 3, 2)
    tree = random_tree(rng, n_splits=4, n_features=3, n_classes=2)
    ground = node_projection(X, y, np.arange(80), 2, Criterion.ENTROPY)
    for split in range(4):
        plane = plane_at(ground, split_coefficients(tree, split, ground))
        weights, threshold = raw_split(plane, ground)
        axis = tree.feature[split]
        w = np.eye(3)[axis] if axis >= 0 else tree.weights[tree.row[split]]
        wanted = X @ w.astype(np.float64) - tree.threshold[split]
        for scores in (X @ weights - threshold, plane.heights):
            np.testing.assert_array_equal(scores > 0, wanted > 0)


@pytest.mark.parametrize("method", ["sgd", "stable-sgd"])
def test_asking_what_is_asked_changes_nothing_and_another_question_one_split_alone(method):
    trainer, bench = bench_of(method)
    rows, tree = trainer.rows, bench.tree()
    for split in range(tree.n_splits):
        w, b = tree.weights[tree.row[split]], float(tree.threshold[split])
        same = with_manual_split(bench, split, w, b)
        np.testing.assert_allclose(same.joint.W, bench.joint.W, rtol=1e-4, atol=1e-5)
        other = with_manual_split(bench, split, -w, -b)
        kept = np.arange(tree.n_splits) != split
        np.testing.assert_array_equal(other.joint.W[kept], bench.joint.W[kept])
        before, after = manual_split_cost(bench, rows, split), manual_split_cost(other, rows, split)
        np.testing.assert_array_equal(after.here, before.here)
        assert (before.right != after.right)[before.here].mean() > 0.99, "sides are swapped"
        assert (before.leaf == after.leaf)[~before.here].all()
        longer = with_manual_split(bench, split, w, b, 50.0)
        told = manual_split_cost(longer, rows, split)
        assert told.loss == pytest.approx(before.loss)
        assert told.good == before.good
        assert told.bound >= told.loss - 1e-6
