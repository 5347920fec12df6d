"""Linear and logistic models in leaves: the optimum of each, what leaves add, and trees of them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.helpers.routing import route, split_gradients
from tests.helpers.strategies import random_joint, random_targets
from tests.naive.linear import (
    left_out,
    linear_gradients,
    logistic_gradients,
    power_gradients,
    ridge,
    settled,
)
from treecore import (
    AnnealedTreeRegressor,
    AxisTreeRegressor,
    RunConfig,
    Trainer,
    evaluate,
    predict,
    predict_proba,
)
from treecore.core.routing import apply, predict_linear
from treecore.export.formats import FORMATS
from treecore.learners.nongreedy.annealed.leaf_costs import LinearCosts, LogisticCosts
from treecore.learners.nongreedy.leaf_family import ranges_by_leaf, scores_of
from treecore.learners.nongreedy.logistic_leaves import LogisticLeaves, fit_softmax
from treecore.learners.nongreedy.ridge_leaves import RIDGES, RidgeLeaves, _fits
from treecore.learners.nongreedy.settled_leaves import settled_models
from treecore.losses import LOG, SQUARED
from treecore.losses.log import class_log_odds
from treecore.persistence import Document

METHODS = {"annealed": {"rounds": 8}, "tao": {"epochs": 4}, "axis": {}}


def learnt(method, X, y, **settings):
    made = METHODS[method] | {"depth": 2, "leaf": "linear"} | settings
    return Trainer(RunConfig(method, **made), X, y)


def ridge_rows(n=60, p=4, q=2, n_leaves=3):
    rng = np.random.default_rng(0)
    Z = np.zeros((n, 16), dtype=np.float32)
    Z[:, :p] = rng.standard_normal((n, p))
    y = (Z[:, :p] @ rng.standard_normal((p, q)) + rng.standard_normal((n, q))).astype(np.float32)
    return Z, y, rng.exponential(size=n), rng.integers(n_leaves, size=n).astype(np.int32)


def test_every_leaf_is_the_ridge_regression_of_its_rows():
    Z, y, weight, leaf = ridge_rows()
    fitted = _fits(Z, y, weight, leaf, 4, 4, [1e-6, 3.0])
    for j in range(3):
        here = leaf == j
        rows = Z[here, :4].astype(float), y[here].astype(float), weight[here]
        for r, strength in enumerate([1e-6, 3.0]):
            slopes, intercept = ridge(*rows, strength)
            assert_allclose(fitted[0][r, j], slopes, rtol=1e-6, atol=1e-9)
            assert_allclose(fitted[1][r, j], intercept, rtol=1e-6, atol=1e-9)
    assert not fitted[0][:, 3].any(), "no row, no model"
    assert not fitted[1][:, 3].any()


def test_left_out_errors_are_those_of_models_that_have_not_seen_the_row():
    """Exact where the mean moves with the row as well: weights are 1 for the plain formula."""
    Z, y, weight, leaf = ridge_rows()
    *_, found = _fits(Z, y, weight, leaf, 3, 4, [0.5, 20.0])
    for r, strength in enumerate([0.5, 20.0]):
        wanted = 0.0
        for j in range(3):
            here = leaf == j
            rows = Z[here, :4].astype(float), y[here].astype(float), weight[here]
            wanted += left_out(*rows, strength)
        assert_allclose(found[r], wanted, rtol=1e-6)


def test_equal_columns_and_more_columns_than_rows_are_no_trouble():
    Z = np.ones((3, 16), dtype=np.float32)
    y = np.array([[0.0], [1.0], [2.0]], dtype=np.float32)
    fitted = _fits(Z, y, np.ones(3), np.zeros(3, np.int32), 1, 16, [1e-3])
    assert_allclose(fitted[0][0, 0], 0, atol=1e-9)
    assert_allclose(fitted[1][0, 0], 1)


def test_ranges_are_those_of_rows_with_weight_widened_by_a_share():
    y = np.array([[0.0], [2.0], [9.0]], dtype=np.float32)
    leaf = np.zeros(3, dtype=np.int32)
    low, high = ranges_by_leaf(y, np.array([1.0, 1.0, 0.0]), leaf, 2)
    assert_allclose(low, [[-0.2], [0]])
    assert_allclose(high, [[2.2], [0]])


def leaning_rows(n=90, seed=0):
    """Three leaves, with a slope of their own on top of one that all rows share."""
    rng = np.random.default_rng(seed)
    Z = np.zeros((n, 16), dtype=np.float32)
    Z[:, :3] = rng.standard_normal((n, 3))
    leaf = rng.integers(3, size=n).astype(np.int32)
    slant = np.array([[2.0, 0.0], [-1.0, 1.0], [0.5, 0.0]])[leaf]
    y = slant * Z[:, 2:3] + Z[:, :1] + 0.3 * rng.standard_normal((n, 2))
    return Z, y.astype(np.float32), rng.exponential(size=n), leaf


def test_models_equal_their_twin():
    Z, y, weight, leaf = leaning_rows(60)
    models = settled_models(RidgeLeaves(), Z, y, weight, leaf, 3, 3)
    slopes, intercept = settled(Z[:, :3].astype(float), y.astype(float), weight, leaf, 3, RIDGES)
    assert_allclose(models.weights[..., :3], slopes, rtol=1e-3, atol=1e-4)
    assert_allclose(models.intercept, intercept, rtol=1e-3, atol=1e-4)
    assert not models.weights[..., 3:].any(), "beyond the features nothing weighs"


def test_a_leaf_of_one_row_or_none_says_nearly_what_all_rows_say():
    Z, y, weight, leaf = leaning_rows()
    leaf[leaf == 2] = 1
    leaf[0] = 2
    everywhere = np.zeros_like(leaf)
    entire = settled_models(RidgeLeaves(), Z, y, weight, everywhere, 1, 3)
    models = settled_models(RidgeLeaves(), Z, y, weight, leaf, 4, 3)
    assert_allclose(models.weights[3], entire.weights[0], atol=1e-6)
    assert_allclose(models.weights[2], entire.weights[0], atol=0.3)
    assert np.isfinite(scores_of(models, Z, leaf)).all()


def bent(n=300, seed=0, slant=1.0):
    """Two planes that meet at an edge, an oblique one with a slant, and a little noise."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 2, (n, 3))
    y = np.where(X[:, 0] + slant * X[:, 1] > 0, 2 * X[:, 2] + X[:, 0], 1 - 3 * X[:, 2])
    return X, y + 0.01 * rng.standard_normal(n)


@pytest.mark.parametrize("method", METHODS)
def test_a_linear_function_is_learnt_whatever_the_splits(method, rng):
    X = rng.standard_normal((200, 3)) * [1, 100, 0.01] + [0, 1000, 0]
    y = X @ [2.0, -0.03, 50.0] + 7
    tree = learnt(method, X, y, loss="squared").run()
    assert evaluate(tree, X, y, loss=SQUARED).r2 > 1 - 1e-5


def test_what_cannot_have_linear_leaves_is_told_in_a_sentence():
    X, y = bent(60)
    for method, more, sentence in (
        ("tao", {"loss": "huber"}, "take loss='squared'"),
        ("tao-forest", {"loss": "squared"}, "the trees of an ensemble have constant leaves"),
        ("axis", {"loss": "squared", "max_features": 2}, "all features compete, so set it to 0"),
        ("axis", {"loss": "squared", "significance": 0.05}, "set leaf_price"),
    ):
        with pytest.raises(ValueError, match=sentence):
            RunConfig(method, leaf="linear", **more)
    model = AnnealedTreeRegressor(leaf="linear", rounds=1, depth=1)
    with pytest.raises(AttributeError, match="needs all rows at once"):
        model.partial_fit(X, y)
    wide = np.zeros((5, 1001))
    with pytest.raises(ValueError, match="takes 1000 features at most, and"):
        model.fit(wide, np.arange(5.0))
    many = np.random.default_rng(0).standard_normal((200, 101))
    with pytest.raises(ValueError, match="takes 100 features at most with axis-aligned splits"):
        AxisTreeRegressor(leaf="linear").fit(many, many[:, 0])


def crossed(n=300, seed=0, slant=1.0):
    """Three classes: on either side of one plane two others meet, along another slant."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 2, (n, 3))
    right = X[:, 0] + slant * X[:, 1] > 0
    return X, np.where(right, 2 * (X[:, 2] > X[:, 0]), X[:, 2] + X[:, 1] > 0).astype(int)


def softmax_rows(n=60, k=3, p=4, seed=0):
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((n, 16)).astype(np.float32)
    target = rng.dirichlet(np.ones(k), n)
    return Z, target, rng.exponential(size=n), rng.standard_normal((n, k)), p


def test_gradients_vanish_at_the_optimum_of_a_leaf():
    Z, target, weight, above, p = softmax_rows()
    slopes, intercept = np.zeros((3, p)), np.zeros(3)
    fit_softmax(Z, target, weight, above, 0.7, 1e-5, slopes, intercept)
    rows = Z[:, :p].astype(float), target, weight, above
    by_slope, by_constant = logistic_gradients(*rows, slopes, intercept)
    assert_allclose(by_constant, 0, atol=2e-3)
    assert_allclose(by_slope + 2 * 0.7 * slopes, 0, atol=2e-3)


def test_without_slopes_a_leaf_has_the_shares_of_a_constant_one():
    y = np.repeat([0, 1, 2], [7, 2, 0])
    family = LogisticLeaves(3, 1.0)
    nowhere = np.zeros(9, dtype=np.int32)
    _, intercept = family.fit(np.zeros((9, 8), np.float32), y, np.ones(9), nowhere, 1, 0, 1.0)
    constant = class_log_odds(np.array([[7, 2, 0]]))
    assert_allclose(intercept - intercept.mean(), constant - constant.mean(), atol=1e-3)


def test_models_are_constant_where_no_feature_pays(rng):
    """Every row comes once with either class: what its features say of one, the other denies."""
    Z = np.repeat(rng.standard_normal((40, 8)), 2, axis=0).astype(np.float32)
    y, nowhere = np.tile([0, 1], 40), np.zeros(80, dtype=np.int32)
    more = np.ones(80), nowhere, 1, 3
    models = settled_models(LogisticLeaves(2, 1.0), Z, y, *more)
    assert not models.weights.any()
    models = settled_models(LogisticLeaves(2, 1.0), Z, (Z[:, 0] > 0).astype(int), *more)
    assert models.weights[0, 1, 0] > 1, "and not where one does"


@pytest.mark.parametrize("loss", [LOG, SQUARED], ids=lambda loss: loss.name)
def test_gradients_of_a_mini_batch_equal_their_twin(loss, rng):
    k = 3 if loss is LOG else 2
    joint = random_joint(rng, loss=loss, n_splits=5, n_features=16, n_classes=k)
    X = rng.standard_normal((4, joint.W.shape[1])).astype(np.float32)
    y, weight = random_targets(rng, joint, 4), rng.random(4).astype(np.float32)
    models = rng.standard_normal((6, k, X.shape[1])).astype(np.float32)
    rows, beta = np.array([3, 0, 1, 1]), np.float32(1.5)
    by_models, by_W = np.zeros_like(models), np.ones_like(joint.W)
    space = np.empty((6, k), np.float32), by_models
    if loss is LOG:
        costs = LogisticCosts(y[rows], X[rows], models, *space, np.float32(0.7))
        parts = [power_gradients(joint, models, X[row], y[row], 1.5, 0.7) for row in rows]
    else:
        costs = LinearCosts(joint.tables, y[rows], X[rows], models, *space)
        parts = [linear_gradients(joint, models, X[row], y[row], 1.5) for row in rows]
    total, routing = route(joint, X[rows], costs, weight[rows], beta)
    split_gradients(X[rows], routing, by_W)
    sums = [sum(w * p for w, p in zip(weight[rows], part)) for part in zip(*parts)]
    assert total == pytest.approx(sums[0], rel=1e-4)
    assert_allclose(by_W, sums[1], rtol=1e-3, atol=1e-4)
    assert_allclose(by_models, sums[2], rtol=1e-3, atol=1e-4)


@pytest.mark.jit  # minutes without it
@pytest.mark.parametrize("method", METHODS)
def test_slants_within_leaves_are_learnt_and_stay_in_bounds(method):
    slant = 0.0 if method == "axis" else 1.0
    X, y = crossed(slant=slant)
    more = {"rounds": 30} if method == "annealed" else {}
    trainer = learnt(method, X, y, **more)
    *_, event = trainer.events()
    tree, test = trainer.model, crossed(seed=1, slant=slant)
    good = evaluate(tree, *test)
    flat = evaluate(learnt(method, X, y, leaf="constant", **more).run(), *test)
    assert good.accuracy > 0.9 > flat.accuracy
    assert event.accuracy == pytest.approx(evaluate(tree, X, y).accuracy)
    shares = predict_proba(tree, test[0])
    assert_allclose(shares.sum(axis=1), 1)
    assert_array_equal(shares.argmax(axis=1), predict(tree, test[0]))
    assert good.loss == pytest.approx(-np.log(shares[np.arange(300), test[1]]).mean(), rel=1e-4)
    leaf = apply(tree, 1e4 * X)
    scores = predict_linear(tree, 1e4 * X, leaf)
    assert (scores >= tree.linear.low[leaf]).all()
    assert (scores <= tree.linear.high[leaf]).all()
    document = Document(tree, ("a", "b", "c"), class_names=("r", "s", "t"))
    assert "log-odds of s" in FORMATS["text"].write(document).decode()


@pytest.mark.parametrize("loss", ["log", "squared"])
def test_tao_never_raises_its_objective(loss):
    X, y = crossed(150)
    noise = 0.3 * np.random.default_rng(3).standard_normal(150)
    y = y if loss == "log" else y * X[:, 2] + noise
    trainer = learnt("tao", X, y, loss=loss, epochs=8)
    found = [
        trainer.learner.objective for _ in trainer.events() if hasattr(trainer.learner, "objective")
    ]
    assert len(found) > 2
    assert found[-1] < found[0]
    assert (np.diff(found) <= 1e-9 * found[0]).all()
