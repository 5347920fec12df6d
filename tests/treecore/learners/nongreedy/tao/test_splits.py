"""TAO's reduced problems: the two solvers of an oblique split, the exact one of a cut."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, csr_matrix, random_array
from scipy.special import expit
from sklearn.datasets import load_diabetes, load_digits

from tests.helpers.cases import examples
from tests.naive import tao as naive_tao
from treecore import RunConfig, Trainer, evaluate
from treecore.core.routing import as_rows
from treecore.core.scaling import Scaling, have_one_unit
from treecore.core.thresholds import threshold_between
from treecore.core.tree import OBLIQUE
from treecore.learners.nongreedy.tao.columns import take_columns
from treecore.learners.nongreedy.tao.exact_cut import (
    best_cut,
    threshold_beyond,
    value_range,
)
from treecore.learners.nongreedy.tao.logistic import OFFSET_SCALE, SOLVERS, coordinates
from treecore.learners.nongreedy.tao.newton import NewtonSpace, fit_weights
from treecore.losses import SQUARED


def in_training_coordinates(scaling, X, found):
    """Rows, and a split's weights, as solvers see them: dense, offset included."""
    p = scaling.n_features
    Z = (X.astype(float) - scaling.mean) * (scaling.factor / scaling.deviation)
    Z = np.column_stack([Z, np.full(len(X), -scaling.factor * OFFSET_SCALE)])
    weights, threshold = (np.asarray(part, dtype=float) for part in found)
    w = np.zeros(p + 1)
    w[:p] = weights * scaling.deviation / scaling.factor
    w[p] = (threshold - weights @ scaling.mean) / (scaling.factor * OFFSET_SCALE)
    return Z, w


def two_sides(rng, n, p, noise):
    X = (rng.standard_normal((n, p)) * 10.0 ** rng.integers(-2, 3, p)).astype(np.float32)
    X += 10 * X.std(axis=0) * (rng.random(p) < 0.3).astype(np.float32)
    X[:, ::4][rng.random(X[:, ::4].shape) < 0.7] = 0.0
    Z = Scaling.fit(X).transform(X)
    right = Z @ rng.standard_normal(Z.shape[1]) + noise * rng.standard_normal(n) > 0
    right[:2] = True, False
    return X, right


@examples(40)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(20, 300),
    p=st.integers(1, 30),
    C=st.floats(1e-2, 30.0),
    noise=st.sampled_from([0.3, 3.0]),
)
def test_both_solvers_find_the_same_minimum(seed, n, p, C, noise):
    rng = np.random.default_rng(seed)
    X, right = two_sides(rng, n, p, noise)
    scaling, stake = Scaling.fit(X), rng.random(n) + 0.1
    cost = {}
    for name, solve in SOLVERS.items():
        found = solve(scaling, X, np.arange(n), right, stake, C=C, max_iter=1000, seed=0)
        Z, w = in_training_coordinates(scaling, X, found)
        cost[name] = naive_tao.logistic_cost(w, Z, right, C * stake)
    assert cost["newton"] <= cost["liblinear"] * (1 + 1e-4) + 1e-9


def fit(X, right, stake, w, tolerance, ridge=0.0):
    """Newton's steps, from ``w``; gives how many, and F as its twin sees it, and its slope."""
    scaling = Scaling.fit(X)
    columns = take_columns(X, np.arange(len(X)))
    problem = columns, *coordinates(scaling), right, stake, ridge, tolerance, 1000
    steps = fit_weights(*problem, w, NewtonSpace.of(len(X), len(w)))
    Z, _ = in_training_coordinates(scaling, X, (np.zeros(X.shape[1]), 0.0))
    t = np.where(right, 1.0, -1.0)
    slope = -(stake * t * expit(-t * (Z @ w))) @ Z + ridge * w
    return steps, naive_tao.logistic_cost(w, Z, right, stake, ridge), slope


@examples(60)
@given(
    seed=st.integers(0, 2**32 - 1),
    C=st.floats(1e-2, 10.0),
    ridge=st.sampled_from([0.0, 0.3, 30.0]),
    warm=st.booleans(),
)
def test_newton_ends_where_no_coordinate_can_improve(seed, C, ridge, warm):
    rng = np.random.default_rng(seed)
    X, right = two_sides(rng, 150, 8, 2.0)
    w = rng.standard_normal(9) if warm else np.zeros(9)
    _, _, slope = fit(X, right, C * rng.random(150), w, 1e-7, ridge)
    np.testing.assert_allclose(slope[w != 0], -np.sign(w[w != 0]), atol=1e-3)
    assert (np.abs(slope[w == 0]) <= 1 + 1e-3).all()


def test_a_start_near_the_minimum_saves_steps_and_changes_nothing_else():
    X, right = two_sides(np.random.default_rng(0), 400, 12, 1.0)
    w, cold, hopeless = np.zeros(13), np.zeros(13), np.full(13, 1e3)
    fit(X, right, np.full(400, 5.0), w, 1e-6)
    stake = np.full(400, 6.0)
    warm_steps, warm_cost, _ = fit(X, right, stake, w, 1e-6)
    cold_steps, cold_cost, _ = fit(X, right, stake, cold, 1e-6)
    assert warm_steps < cold_steps
    assert warm_cost == pytest.approx(cold_cost, rel=1e-8)
    assert fit(X, right, stake, hopeless, 1e-6)[:2] == (cold_steps, cold_cost)


def test_a_ridge_gives_two_copies_of_a_feature_the_same_weight():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((300, 3)).astype(np.float32)
    X = np.column_stack([X, X[:, 0]])
    right = X[:, 0] + 0.5 * rng.standard_normal(300) > 0
    lengths = []
    for ridge in (0.1, 1.0, 10.0):
        w = np.zeros(5)
        fit(X, right, np.ones(300), w, 1e-9, ridge)
        assert w[0] > 0
        assert w[3] == pytest.approx(w[0], rel=1e-4)
        lengths.append(np.linalg.norm(w))
    assert lengths[0] > lengths[1] > lengths[2]


def test_with_a_ridge_the_solver_does_not_matter():
    X, y = load_digits(return_X_y=True)
    config = RunConfig("tao", depth=4, epochs=2, C=1.0, ridge=10.0)
    one, other = (
        Trainer(config.replace(solver=solver), X[:600], y[:600]).run() for solver in SOLVERS
    )
    np.testing.assert_array_equal(one.weights, other.weights)
    plain = Trainer(config.replace(ridge=0.0, solver="newton"), X[:600], y[:600]).run()
    assert np.count_nonzero(one.weights) > np.count_nonzero(plain.weights)


@pytest.mark.jit  # minutes without it
def test_units_do_not_matter_alone_or_all_together():
    X, y = (part[:500] for part in load_digits(return_X_y=True))
    factors = 2.0 ** (np.arange(64) % 11 - 5)

    def splits(scaling, X):
        config = RunConfig("tao", depth=3, epochs=2, ridge=10.0, start="axis", scaling=scaling)
        return Trainer(config, X, y).run().weights

    def close(weights, other):
        return np.allclose(weights, other, atol=1e-3)

    each, together = splits("each", X), splits("together", X)
    assert close(splits("each", X * factors) * factors, each)
    assert close(splits("together", X * 8) * 8, together)
    assert not close(splits("together", X * factors) * factors, together)
    assert not close(each, together)
    for rows in (X, csr_matrix(X)):  # grey values have one unit
        assert close(splits("auto", rows), together)
    assert close(splits("auto", X * factors) * factors, each)


@pytest.mark.parametrize(
    ("ranges", "one"),
    [((3, 3), True), ((3, 2), True), ((1, 100), False), ((1, 1, 100, 100), False), ((5,), False)],
)
def test_one_unit_is_a_range_that_most_columns_share(ranges, one):
    X = np.array([0.0, 0.5, 1.0], dtype=np.float32)[:, None] * np.array(ranges, dtype=np.float32)
    assert have_one_unit(X) == have_one_unit(as_rows(csr_array(X))) == one


def test_newton_reads_sparse_rows_as_dense_ones():
    rng = np.random.default_rng(1)
    X = random_array((200, 40), density=0.2, rng=rng, dtype=np.float32).tocsr()
    right = X.toarray()[:, :5].sum(axis=1) > 0.5
    rows = np.flatnonzero(rng.random(200) < 0.7)
    table, scaling = as_rows(X), Scaling.fit(as_rows(X))
    more = {"C": 3.0, "max_iter": 1000, "seed": 0}
    found = {}
    for name, solve in SOLVERS.items():
        stake = np.ones(len(rows))
        sparse = solve(scaling, table, rows, right[rows], stake, **more)
        dense = solve(scaling, X.toarray(), rows, right[rows], stake, **more)
        if name == "newton":
            np.testing.assert_allclose(sparse[0], dense[0], rtol=1e-5, atol=1e-6)
        else:  # it cannot centre what is not stored, so its penalty is on another offset
            sides = [X.toarray() @ weights > threshold for weights, threshold in (sparse, dense)]
            assert (sides[0] == sides[1]).mean() > 0.98
            sparse = dense
        found[name] = sparse[0]
    np.testing.assert_allclose(found["newton"], found["liblinear"], rtol=0.02, atol=0.02)


def test_columns_are_the_rows_transposed():
    rng = np.random.default_rng(2)
    X = random_array((30, 7), density=0.4, rng=rng, dtype=np.float32).toarray()
    X[:, [1, 4]] = rng.random((30, 2), dtype=np.float32) + 1  # two without zeros, which share
    rows = rng.permutation(30)[:20]
    for table in (X, as_rows(csr_array(X))):
        columns = take_columns(table, rows)
        expected = csr_array(X[rows]).tocsc()
        np.testing.assert_array_equal(columns.values, expected.data)
        shift = np.repeat(columns.shift, np.diff(columns.start))
        where = columns.where[np.arange(len(columns.values)) + shift]
        np.testing.assert_array_equal(where, expected.indices)
        assert len(columns.where) == len(columns.values) - 20
        np.testing.assert_array_equal(columns.start, expected.indptr)
        assert columns.n_rows == 20


@examples(150)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 40),
    p=st.integers(1, 5),
    spread=st.sampled_from([1, 3, 100]),
    whole=st.booleans(),
)
def test_a_cut_is_the_best_of_all_cuts(seed, n, p, spread, whole):
    rng = np.random.default_rng(seed)
    X = rng.integers(-spread, spread + 1, (n, p)).astype(np.float32)
    wants = rng.random(n) < 0.5
    stake = rng.integers(1, 5, n).astype(float) if whole else rng.random(n) + 0.01
    feature, lower, upper, turned, astray = best_cut(take_columns(X, np.arange(n)), wants, stake)
    twin = naive_tao.best_cut(X, wants, stake)
    assert astray == pytest.approx(twin[0], abs=1e-12)
    if whole:  # sums of small whole numbers are exact, and so are ties
        assert (astray, feature, lower, upper, turned) == twin
    if feature >= 0:
        goes = (X[:, feature] > threshold_between(lower, upper)) != turned
        assert stake[goes != wants].sum() == pytest.approx(astray)


@pytest.mark.parametrize("values", [[0.0], [1.0, -2.0], [3e38, -3.4028235e38], [1e-45, 0.0]])
def test_a_threshold_beyond_has_all_values_on_one_side(values):
    X = np.array(values, dtype=np.float32)[:, None]
    least, greatest = value_range(X, np.arange(len(X)), 0)
    assert (threshold_beyond(least, greatest, right=False) >= X).all()
    beyond = threshold_beyond(least, greatest, right=True)
    assert np.isfinite(beyond)
    if least > np.finfo(np.float32).min:
        assert (beyond < X).all()


def ring(rng, n):
    X = rng.uniform(-1, 1, (n, 3)).astype(np.float32)
    return X, ((X[:, :2] ** 2).sum(axis=1) < 0.4).astype(np.int64)


def test_axis_nodes_stay_axis_aligned_and_better_a_greedy_tree():
    X, y = load_digits(return_X_y=True)
    errors = []
    trainer = Trainer(RunConfig("tao", nodes="axis", depth=6, epochs=10), X, y)
    for event in trainer.events():
        if event.stage == "tao":
            assert trainer.model.weights.shape == (0, 64)
            errors.append(1 - event.accuracy)
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 0.95 * errors[0]


def test_both_takes_the_better_of_cut_and_slant_at_every_split():
    X = np.random.default_rng(3).standard_normal((500, 4)).astype(np.float32)
    y = 2 * (X[:, 0] > 0.3) + (X[:, 1] + X[:, 2] > 0)
    tree = Trainer(RunConfig("tao", nodes="both", solver="newton", depth=4, epochs=10), X, y).run()
    assert 0 < (tree.feature == OBLIQUE).sum() < tree.n_splits
    assert evaluate(tree, X, y).accuracy > 0.97


def test_axis_nodes_make_a_random_oblique_tree_axis_aligned():
    X, y = ring(np.random.default_rng(4), 400)
    tree = Trainer(RunConfig("tao", nodes="axis", start="random", depth=3), X, y).run()
    changed = tree.feature != OBLIQUE
    assert changed.any()
    assert tree.weights.shape[0] == (~changed).sum()


@pytest.mark.parametrize("loss", ["squared", "huber"])
@pytest.mark.parametrize("nodes", ["oblique", "axis"])
def test_numbers_are_learnt(loss, nodes):
    X, y = load_diabetes(return_X_y=True)
    Y = np.column_stack([y, -2 * y + X[:, 0]])
    config = RunConfig(
        "tao", start="random", depth=3, epochs=8, loss=loss, nodes=nodes, solver="newton"
    )
    trainer = Trainer(config, X, Y)
    r2 = [event.r2 for event in trainer.events()]
    assert r2[-1] > max(0.4, r2[0] + 0.1)
    assert evaluate(trainer.model, X, Y, loss=SQUARED).r2 == pytest.approx(r2[-1], abs=1e-4)


@pytest.mark.parametrize("nodes", ["oblique", "axis", "both"])
def test_a_sparse_table_gives_the_tree_of_its_dense_twin(nodes):
    rng = np.random.default_rng(5)
    X = random_array((300, 25), density=0.25, rng=rng, dtype=np.float32).tocsr()
    y = (X.toarray()[:, :4].sum(axis=1) > 0.5).astype(int)
    config = RunConfig("tao", start="random", depth=3, epochs=6, nodes=nodes)
    start = Trainer(config, X, y)
    start.step()
    accuracy = {}
    for name, table in {"sparse": X, "dense": X.toarray()}.items():
        trainer = Trainer(config, table, y, start=start.model)
        tree = trainer.run()
        accuracy[name] = evaluate(tree, X, y).accuracy
    if nodes == "axis":  # reads raw values only
        assert accuracy["sparse"] == accuracy["dense"]
    assert min(accuracy.values()) > 0.85
