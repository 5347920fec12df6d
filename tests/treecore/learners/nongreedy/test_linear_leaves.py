"""Trees with linear leaves, learnt by annealing and by TAO."""

import numpy as np
import pytest

from treecore import AnnealedTreeRegressor, AxisTreeRegressor, RunConfig, Trainer, evaluate
from treecore.core.routing import apply, predict_values
from treecore.losses import SQUARED

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
