"""Awkward tables, for classes and numbers, by every greedy method: a sound tree all the same."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from tests.helpers.cases import case
from treecore import RunConfig, Trainer
from treecore.core.tree import check_tree

TREES = {
    "axis": {},
    "random-oblique": {"n_directions": 8},
    "oc1": {"restarts": 1, "jumps": 2},
    "co2": {"epochs": 3},
}


@pytest.fixture(params=TREES)
def method(request):
    return request.param


@pytest.fixture(params=["log", "squared"])
def loss(request):
    return request.param


def train(method, loss, X, y, sample_weight=None, **settings):
    config = RunConfig(method, loss=loss, **({"depth": 4} | TREES[method] | settings))
    trainer = Trainer(config, X, y, sample_weight=sample_weight)
    for event in trainer.events():
        assert np.isfinite(event.loss)
    check_tree(trainer.model)  # every number in it is finite
    return trainer.model


def test_constant_features(method, loss):
    X = np.tile([3.0, -7e5, 0.0], (20, 1))
    assert train(method, loss, X, np.arange(20) % 3).n_splits == 0
    X[:, 1] = np.arange(20)
    tree = train(method, loss, X, np.arange(20) // 10)
    assert_array_equal(tree.weights[:, [0, 2]], 0)
    assert set(tree.feature) <= {-1, 1}


def test_weights_of_zero_and_all_weight_on_one_row(method, loss, rng):
    X, y = rng.normal(size=(40, 2)), np.arange(40) % 2
    weight = np.zeros(40)
    weight[5] = 3.0
    assert train(method, loss, X, y, weight).n_splits == 0
    weight[:] = 1e-300
    weight[5] = 1.0
    train(method, loss, X, y, weight)
    with pytest.raises(ValueError, match="all rows have weight 0"):
        train(method, loss, X, y, np.zeros(40))


def test_huge_and_tiny_values(method, loss, rng):
    for size in (3e38, 1e-38, 1e-44):
        with case(size=size):
            X = (rng.uniform(-1, 1, size=(50, 3)) * size).astype(np.float32)
            train(method, loss, X, (X[:, 0] > 0).astype(int))
            if loss == "squared":
                train(method, loss, X, rng.normal(size=50) * np.clip(size, 1e-34, 1e29))
