"""Logistic leaves: the optimum of each, what nested ones add, and trees of them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.helpers.routing import route, split_gradients
from tests.helpers.strategies import random_joint, random_targets
from tests.naive.linear import linear_gradients, logistic_gradients, power_gradients
from treecore import RunConfig, Trainer, evaluate, predict, predict_proba
from treecore.core.routing import apply, predict_linear
from treecore.export.formats import FORMATS
from treecore.learners.nongreedy.annealed.leaf_costs import LinearCosts, LogisticCosts
from treecore.learners.nongreedy.logistic_leaves import LogisticLeaves, fit_softmax
from treecore.learners.nongreedy.settled_leaves import settled_models
from treecore.losses import LOG, SQUARED
from treecore.losses.log import class_log_odds
from treecore.persistence import Document

METHODS = {"annealed": {"rounds": 8}, "tao": {"epochs": 4}, "axis": {}}


def crossed(n=300, seed=0, slant=1.0):
    """Three classes: on either side of one plane two others meet, along another slant."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 2, (n, 3))
    right = X[:, 0] + slant * X[:, 1] > 0
    return X, np.where(right, 2 * (X[:, 2] > X[:, 0]), X[:, 2] + X[:, 1] > 0).astype(int)


def learnt(method, X, y, **settings):
    made = METHODS[method] | {"depth": 2, "leaf": "linear"} | settings
    return Trainer(RunConfig(method, **made), X, y)


def softmax_rows(n=60, k=3, p=4, seed=0):
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((n, 16)).astype(np.float32)
    target = rng.dirichlet(np.ones(k), n)
    return Z, target, rng.exponential(size=n), rng.standard_normal((n, k)), p


def test_gradients_vanish_at_the_optimum_of_a_leaf():
    Z, target, weight, above, p = softmax_rows()
    slopes, intercept = np.zeros((3, p)), np.zeros(3)
    fit_softmax(Z, target, weight, above, 0.7, slopes, intercept)
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


def test_models_are_constant_where_no_feature_pays():
    """Every row comes once with either class: what its features say of one, the other denies."""
    rng = np.random.default_rng(0)
    Z = np.repeat(rng.standard_normal((40, 8)), 2, axis=0).astype(np.float32)
    y, nowhere = np.tile([0, 1], 40), np.zeros(80, dtype=np.int32)
    more = np.ones(80), nowhere, 1, 3
    models = settled_models(LogisticLeaves(2, 1.0), Z, y, *more)
    assert not models.weights.any()
    models = settled_models(LogisticLeaves(2, 1.0), Z, (Z[:, 0] > 0).astype(int), *more)
    assert models.weights[0, 1, 0] > 1, "and not where one does"


@pytest.mark.parametrize("loss", [LOG, SQUARED], ids=lambda loss: loss.name)
def test_gradients_of_a_mini_batch_equal_their_twin(loss):
    rng = np.random.default_rng(0)
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
