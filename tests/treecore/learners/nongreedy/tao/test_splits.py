"""TAO's splits: the minimum that LIBLINEAR finds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit
from sklearn.datasets import load_diabetes, load_digits
from sklearn.linear_model import LogisticRegression

from tests.helpers.cases import examples
from tests.naive import tao as naive_tao
from treecore import RunConfig, Trainer, evaluate
from treecore.core.scaling import Scaling, have_one_unit
from treecore.core.tree import OBLIQUE
from treecore.learners.nongreedy.tao.care_points import ReducedProblem
from treecore.learners.nongreedy.tao.columns import take_columns
from treecore.learners.nongreedy.tao.editable_tree import EditableSplit
from treecore.learners.nongreedy.tao.newton import NewtonSpace, fit_weights
from treecore.learners.nongreedy.tao.oblique_cut import OFFSET_SCALE, coordinates, oblique_cut
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
def test_the_minimum_is_that_of_liblinear(seed, n, p, C, noise):
    rng = np.random.default_rng(seed)
    X, right = two_sides(rng, n, p, noise)
    scaling, stake = Scaling.fit(X), rng.random(n) + 0.1
    now = EditableSplit(OBLIQUE, np.zeros(p, np.float32), np.float32(0.0))
    problem = ReducedProblem(right, right, np.arange(n), right, stake)
    cut = oblique_cut(now, problem, X, scaling, C=C, ridge=0.0, max_iter=1000)
    Z, w = in_training_coordinates(scaling, X, (cut.weights, cut.threshold))
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


@pytest.mark.parametrize("loss", ["squared", "huber", "absolute"])
def test_numbers_are_learnt(loss):
    X, y = load_diabetes(return_X_y=True)
    Y = np.column_stack([y, -2 * y + X[:, 0]])
    config = RunConfig("tao", start="random", depth=3, epochs=8, loss=loss)
    trainer = Trainer(config, X, Y)
    r2 = [event.r2 for event in trainer.events()]
    assert r2[-1] > max(0.4, r2[0] + 0.1)
    assert evaluate(trainer.model, X, Y, loss=SQUARED).r2 == pytest.approx(r2[-1], abs=1e-4)
