"""Trees with linear leaves, learnt by annealing and by TAO."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.helpers.routing import route, split_gradients
from tests.helpers.same import assert_same
from tests.helpers.strategies import random_joint
from tests.naive.linear import linear_gradients
from treecore import AnnealedTreeRegressor, AxisTreeRegressor, RunConfig, Trainer, evaluate
from treecore.core.routing import apply, predict_values
from treecore.learners.nongreedy.annealed.leaf_costs import LinearCosts
from treecore.losses import SQUARED
from treecore.persistence import Document, from_json, to_json

METHODS = {"annealed": {"rounds": 4}, "tao": {"epochs": 4}, "axis": {}}


def bent(n=300, seed=0, slant=1.0):
    """Two planes that meet at an edge, an oblique one with a slant, and a little noise."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 2, (n, 3))
    y = np.where(X[:, 0] + slant * X[:, 1] > 0, 2 * X[:, 2] + X[:, 0], 1 - 3 * X[:, 2])
    return X, y + 0.01 * rng.standard_normal(n)


def learnt(method, X, y, **settings):
    made = METHODS[method] | {"depth": 2, "leaf": "linear"} | settings
    return Trainer(RunConfig(method, loss="squared", **made), X, y)


def test_gradients_of_a_mini_batch_equal_their_twin():
    rng = np.random.default_rng(0)
    joint = random_joint(rng, loss=SQUARED, n_splits=5, n_features=16, n_classes=2)
    X = rng.standard_normal((4, joint.W.shape[1])).astype(np.float32)
    y, weight = rng.standard_normal((4, 2)).astype(np.float32), rng.random(4).astype(np.float32)
    models = rng.standard_normal((6, 2, X.shape[1])).astype(np.float32)
    rows, beta = np.array([3, 0, 1, 1]), np.float32(1.5)
    by_models, by_W = np.zeros_like(models), np.ones_like(joint.W)
    space = np.empty((6, 2), np.float32), by_models
    costs = LinearCosts(joint.tables, y[rows], X[rows], models, *space)
    total, routing = route(joint, X[rows], costs, weight[rows], beta)
    split_gradients(X[rows], routing, by_W)
    parts = [linear_gradients(joint, models, X[row], y[row], 1.5) for row in rows]
    sums = [sum(w * p for w, p in zip(weight[rows], part)) for part in zip(*parts)]
    assert total == pytest.approx(sums[0], rel=1e-4)
    assert_allclose(by_W, sums[1], rtol=1e-3, atol=1e-4)
    assert_allclose(by_models, sums[2], rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("method", METHODS)
def test_a_linear_function_is_learnt_whatever_the_splits(method):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 3)) * [1, 100, 0.01] + [0, 1000, 0]
    y = X @ [2.0, -0.03, 50.0] + 7
    tree = learnt(method, X, y).run()
    assert evaluate(tree, X, y, loss=SQUARED).r2 > 1 - 1e-5


@pytest.mark.parametrize("method", METHODS)
def test_two_planes_are_learnt_where_constants_fail(method):
    slant = 0.0 if method == "axis" else 1.0
    X, y = bent(slant=slant)
    more = {"rounds": 30} if method == "annealed" else {}
    tree = learnt(method, X, y, **more).run()
    test = bent(seed=1, slant=slant)
    assert evaluate(tree, *test, loss=SQUARED).r2 > 0.87
    flat = learnt(method, X, y, leaf="constant", **more).run()
    assert evaluate(flat, *test, loss=SQUARED).r2 < 0.87
    low, high = tree.linear.low, tree.linear.high
    far = 1e4 * test[0]
    said, leaf = predict_values(tree, far), apply(tree, far)
    assert ((low[leaf] <= said) & (said <= high[leaf])).all(), "however far a row lies"
    assert low.min() > y.min() - 0.11 * np.ptp(y)
    assert high.max() < y.max() + 0.11 * np.ptp(y)


def test_tao_never_raises_its_objective():
    X, y = bent(150)
    trainer = learnt("tao", X, y + np.random.default_rng(3).standard_normal(150), epochs=8)
    found = []
    for _ in trainer.events():
        if hasattr(trainer.learner, "objective"):
            found.append(trainer.learner.objective)
    assert len(found) > 2
    assert found[-1] < found[0]
    assert (np.diff(found) <= 1e-9 * found[0]).all()


@pytest.mark.parametrize("method", METHODS)
def test_a_run_goes_on_bit_for_bit_and_its_tree_goes_through_a_file(method):
    X, y = bent(120)
    entire = learnt(method, X, y).run()
    trainer = learnt(method, X, y)
    for _ in range(3):
        trainer.step(0.3)
    again = Trainer.from_state(trainer.state(), trainer.config, X, y)
    assert_same(again.run(), entire)
    document = Document(entire, ("a", "b", "c"), output_names=("y",))
    back = from_json(to_json(document)).tree
    assert_array_equal(predict_values(back, X), predict_values(entire, X))


@pytest.mark.parametrize("method", METHODS)
def test_figures_are_those_of_the_predictions(method):
    X, y = bent(120)
    trainer = learnt(method, X, y)
    *_, event = trainer.events()
    assert event.r2 == pytest.approx(evaluate(trainer.model, X, y, loss=SQUARED).r2, abs=1e-4)


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
