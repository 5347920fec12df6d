"""The solver of an oblique split: the minimum that LIBLINEAR finds, in any units."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

from tests.helpers.cases import examples
from tests.naive import tao as naive_tao
from treecore import RunConfig, Trainer
from treecore.core.scaling import Scaling, have_one_unit
from treecore.learners.nongreedy.tao.columns import take_columns
from treecore.learners.nongreedy.tao.newton import NewtonSpace, fit_weights
from treecore.learners.nongreedy.tao.oblique_cut import OFFSET_SCALE, coordinates, fit_split


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
def test_the_minimum_is_that_of_liblinear(seed, n, p, C, noise):
    rng = np.random.default_rng(seed)
    X, right = two_sides(rng, n, p, noise)
    scaling, stake = Scaling.fit(X), rng.random(n) + 0.1
    start = np.zeros(p), 0.0
    found = fit_split(scaling, X, np.arange(n), right, stake, *start, C=C, ridge=0.0, max_iter=1000)
    Z, w = in_training_coordinates(scaling, X, found)
    model = LogisticRegression(
        l1_ratio=1.0, solver="liblinear", C=C, fit_intercept=False, max_iter=1000, random_state=0
    )
    theirs = model.fit(Z, right, sample_weight=stake).coef_[0]
    cost, smallest = (naive_tao.logistic_cost(v, Z, right, C * stake) for v in (w, theirs))
    assert cost <= smallest * (1 + 1e-4) + 1e-9


def by_columns(X, *problem):
    columns = take_columns(X, np.arange(len(X)))
    return fit_weights(columns, *problem, NewtonSpace.of(len(X), X.shape[1] + 1))


def fit(X, right, stake, w, tolerance, ridge=0.0):
    """Newton's steps, from ``w``; gives how many, and F as its twin sees it, and its slope."""
    scaling = Scaling.fit(X)
    steps = by_columns(X, *coordinates(scaling), right, stake, ridge, tolerance, 1000, w)
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
    assert close(splits("auto", X), together)  # grey values have one unit
    assert close(splits("auto", X * factors) * factors, each)


@pytest.mark.parametrize(
    ("ranges", "one"),
    [((3, 3), True), ((3, 2), True), ((1, 100), False), ((1, 1, 100, 100), False), ((5,), False)],
)
def test_one_unit_is_a_range_that_most_columns_share(ranges, one):
    X = np.array([0.0, 0.5, 1.0], dtype=np.float32)[:, None] * np.array(ranges, dtype=np.float32)
    assert have_one_unit(X) == one
