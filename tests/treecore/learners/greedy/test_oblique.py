"""Oblique greedy growth by random hyperplanes, OC1 and CO2."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tests.helpers.bagged import DIGITS
from tests.helpers.cases import examples
from tests.helpers.growing import (
    FINDERS,
    IMPURITIES,
    axis_growth,
    blobs,
    class_rows,
    finish,
    grow,
    growth_by,
    rows,
    training,
)
from tests.naive import greedy as naive
from treecore.core.impurity import Criterion
from treecore.core.routing import apply
from treecore.learners.greedy.criteria import gain_of
from treecore.learners.greedy.finders import oblique
from treecore.learners.greedy.finders.co2 import CO2Finder, hold_rows, start_stump, write_targets
from treecore.learners.greedy.finders.oc1 import OC1Finder
from treecore.learners.greedy.finders.perturbation import NodeProjection
from treecore.learners.greedy.finders.random_oblique import RandomFinder
from treecore.learners.greedy.settings import CO2Settings, OC1Settings
from treecore.learners.greedy.targets import make_criterion
from treecore.learners.nongreedy.sgd.updates import StepRule
from treecore.learners.nongreedy.sgd.visits import sgd_rows
from treecore.losses.log import LOG
from treecore.losses.metrics import evaluate
from treecore.losses.squared import SQUARED
from treecore.rows.training_rows import TrainingRows
from treecore.training import RunConfig, Trainer

properties = examples(40)


@pytest.fixture(params=FINDERS)
def name(request):
    return request.param


def growth(name, X, y, n_classes, depth, criterion=Criterion.ENTROPY, seed=0, **rules):
    return grow(name, class_rows(X, y, n_classes), depth, criterion, seed, **rules)


# --- kernels against their twins -----------------------------------------------------------


@properties
@given(rows(), st.sampled_from(IMPURITIES), st.integers(1, 3), st.integers(0, 2**32 - 1), st.data())
def test_the_best_cut_along_directions_matches_naive(
    sample, criterion, min_samples_leaf, seed, data
):
    X, y, n_classes = sample
    rng = np.random.default_rng(seed)
    members = rng.permutation(len(y))[: rng.integers(1, len(y) + 1)].astype(np.int32)
    directions = rng.integers(-2, 3, size=(4, X.shape[1])).astype(np.float32)
    directions[rng.integers(4)] = 3e38  # products overflow
    train = data.draw(training(X, y, n_classes))
    made_of = make_criterion(train, criterion)
    tally = made_of.tally(members)
    space = oblique.NodeSpace.of(len(members), len(tally), len(directions))
    for to_beat, n in ((np.inf, 4), (1.0, 3)):
        more = made_of, tally, min_samples_leaf, to_beat
        made = oblique.cut_directions(X, members, directions, n, *more, space)
        assert made == naive.cut_directions(X, members, directions[:n], *more)


def test_raw_directions_stay_in_range_and_keep_their_ratios():
    for weights, scales, expected in (
        ([1, -2, 0], [1, 3, 0], [0.5, -3, 0]),
        ([0, 0, 0], [1, 3, 0], [0, 0, 0]),
        ([1e200, 1e200, 1], [1, 3, 0], [1, 3, 0]),
        ([1, -2, 0], [1e38, 1e45, 1], [0.5e30 * 1e-7, -1e30, 0]),
    ):
        weights, scales = np.array(weights, dtype=float), np.array(scales, dtype=float)
        raw = np.empty(3, dtype=np.float32)
        oblique.write_direction(weights, scales, oblique.largest_of(weights, 3), raw)
        assert_allclose(raw, expected, rtol=1e-6)
        assert_array_equal(raw, naive.raw_direction(weights, scales))


@pytest.mark.parametrize("kind", ["random", "sequential", "drawn"])
@pytest.mark.parametrize("seed", range(4))
def test_a_node_is_split_as_by_naive(kind, seed):
    rng = np.random.default_rng(seed)
    X, y = blobs(rng, 40, 3, 3)
    train = class_rows(X, y, 3, rng.integers(1, 4, size=40))
    every, drawn = np.arange(40, dtype=np.int32), np.random.default_rng(seed)
    finder = RandomFinder(6, drawn)
    if kind != "random":
        order = "sequential" if kind == "sequential" else "random"
        settings = OC1Settings(order=order, restarts=1, jumps=2, start="random")
        finder = OC1Finder(settings, drawn)
    learner = growth_by(finder, train, 1, Criterion.GINI, min_samples_leaf=2)
    criterion, tally = learner.run.criterion, learner.run.tally[0].copy()
    scales, drawn = oblique.feature_scales(train), np.random.default_rng(seed)
    if kind == "random":
        directions = naive.random_directions(drawn, 6, scales)
    else:
        centres = np.array([naive.upper_median(x, train.weight) for x in X.T], dtype=np.float64)
        ground = NodeProjection(
            every, X.T.copy(), centres, scales, criterion, tally, 2, oblique.NodeSpace.of(40, 3)
        )
        directions = naive.climb_hills(drawn, ground, 2, 2, kind == "sequential")
    tree = finish(learner, budget=1)
    found = naive.cut_directions(X, every, directions, criterion, tally, 2, np.inf)
    assert_allclose(tree.weights[0], directions[found[1]], rtol=1e-5)
    assert found[2] <= tree.threshold[0] < found[3]


def begin_at(stump, X, rows, feature, threshold):
    """Turn CO2 to a node, as its kernel does."""
    hold_rows(stump.here, X, rows, stump.weights)
    tables, here = stump.joint.tables, stump.here
    write_targets(tables, stump.targets, rows, here.weight, here.y, here.sums)
    start_stump(stump.joint, here, X, rows, feature, threshold, stump.nu)


@pytest.mark.parametrize("seed", range(3))
def test_a_split_of_co2_is_turned_as_by_naive(seed):
    rng = np.random.default_rng(seed)
    X, y = blobs(rng, 60, 3, 3)
    train, every = class_rows(X, y, 3), np.arange(60, dtype=np.int32)
    finder = CO2Finder(CO2Settings(nu=10.0, eta=0.1, epochs=5), np.random.default_rng(seed))
    learner, axis = growth_by(finder, train, 1), grow("axis", train, 1)
    tree, _ = finish(learner, budget=50), finish(axis)
    root, stump = axis.run.nodes[0], finder.search_of(train, 3)
    begin_at(stump, X, every, root["feature"], root["threshold"])

    def visit(order, eta, slope):
        rule = StepRule(True, eta, stump.nu, slope)
        sgd_rows(stump.joint, *stump.here[:3], order, rule)

    direction = naive.turned_direction(np.random.default_rng(seed), stump, visit)
    criterion, tally = axis.run.criterion, axis.run.tally[0]
    score, *_ = naive.cut_directions(X, every, [direction], criterion, tally, 1, np.inf)
    assert gain_of(criterion, tally, score) > root["fall"] / len(y)
    assert_allclose(tree.weights[0], direction, rtol=1e-6)


@pytest.mark.parametrize("task", ["classes", "numbers"])
@pytest.mark.parametrize("n_features", [1, 3, 90])
def test_a_node_of_co2_begins_as_the_naive_twin_scales_it(rng, task, n_features):
    X = (rng.normal(size=(80, n_features)) * 10.0 ** rng.integers(-3, 4, n_features)).astype("f4")
    X[:, -1:] = 1e6 if n_features > 1 else X[:, -1:]  # a constant feature
    y = rng.integers(0, 3, 80) if task == "classes" else (5 + rng.normal(size=(80, 2))).astype("f4")
    loss = LOG if task == "classes" else SQUARED
    train = TrainingRows(X, y, rng.uniform(0.5, 3, 80), 3 if loss is LOG else 2, loss)
    rows = np.sort(rng.permutation(80)[:50]).astype(np.int32)
    stump = CO2Finder(CO2Settings(nu=7.0), rng).search_of(train, 3)
    begin_at(stump, X, rows, 0, float(np.median(X[rows, 0])))
    Z, targets, weight, W, theta = naive.turning_stump(train, rows, 0, np.median(X[rows, 0]), 7.0)
    for ours, theirs in zip(stump.here[:3], (Z, targets, weight), strict=True):
        assert_allclose(ours[:50], theirs, rtol=1e-5, atol=1e-6)
    assert_allclose(stump.joint.W, W, rtol=1e-5, atol=1e-6)
    assert_allclose(stump.joint.theta, theta, rtol=1e-5, atol=1e-6)


# --- what holds for any tree ---------------------------------------------------------------


@pytest.mark.jit
def test_units_of_features_do_not_matter(name, rng):
    X, y = blobs(rng, 300, 5, 3)
    units = np.float32(2.0) ** np.array([-20, -3, 0, 9, 30], dtype=np.float32)  # exact
    plain, scaled = (finish(growth(name, Z, y, 3, 4)) for Z in (X, X * units))
    assert_array_equal(apply(plain, X), apply(scaled, X * units))


@pytest.mark.parametrize("together", [False, True])
def test_a_kernel_measures_scales_as_they_are_when_it_begins(together, rng):
    X = (rng.normal(size=(200, 4)) * [1, 1000, 0, 1e-3] + [0, 5, 3, 1e4]).astype(np.float32)
    X[0, 0] = 1e3  # the deviation is below its floor
    expected, scales = oblique.feature_scales(class_rows(X, np.arange(200) % 2, 2)), np.empty(4)
    oblique.write_scales(X, together, scales)
    assert_array_equal(scales, (expected > 0) if together else expected)


def test_random_directions_divide_features_by_their_deviations_only_where_asked(rng):
    X, y = blobs(rng, 200, 3, 3)
    X *= np.float32([1, 1000, 0])
    weights = {}
    for scaling in ("each", "together"):
        config = RunConfig("random-oblique", depth=1, n_directions=1, scaling=scaling)
        weights[scaling] = Trainer(config, X, y).run().weights[0]
    ratio = weights["together"][:2] / weights["each"][:2]
    assert_allclose(ratio[1] / ratio[0], X[:, 1].std() / X[:, 0].std(), rtol=1e-3)
    assert weights["together"][2] == 0


# --- what they are for ---------------------------------------------------------------------


@pytest.mark.parametrize(("name", "advantage"), [("oc1", 0.05), ("co2", 0.1)])
@pytest.mark.jit
def test_digits_are_read_better_at_the_same_depth(name, advantage):
    X, X_test, y, y_test = DIGITS
    X = X.astype(np.float32)
    axis = finish(axis_growth(X, y, 10, 6, Criterion.ENTROPY))
    ours = finish(growth(name, X, y, 10, 6))
    ours, axis = (evaluate(tree, X_test, y_test).accuracy for tree in (ours, axis))
    assert ours > axis + advantage
