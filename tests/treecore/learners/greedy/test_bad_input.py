"""Awkward tables, for classes and numbers, by every greedy method: a sound tree all the same."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from tests.helpers.cases import case
from treecore import RunConfig, Trainer, predict
from treecore.core.routing import apply, predict_values
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


def test_duplicated_rows_of_different_targets(method, loss):
    X = np.repeat(np.array([[0.0, 1.0], [1.0, 0.0]]), 10, axis=0)
    tree = train(method, loss, X, np.arange(20) % 4)
    assert tree.n_leaves <= 2
    assert len(set(apply(tree, X[:10]))) == 1


def test_a_class_with_one_row(method, rng):
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] > 0).astype(int)
    y[17] = 2
    tree = train(method, "log", X, y, depth=9)
    assert predict(tree, X[17:18]) == [2]


def test_one_number_far_from_all_others(method, rng):
    X = rng.normal(size=(60, 3))
    y = np.where(X[:, 0] > 0, 1.0, 2.0)
    y[17] = 1e9
    tree = train(method, "squared", X, y, depth=9, smoothing=1e-3)
    assert predict_values(tree, X[17:18]) > 9e8


def test_rows_of_zeros(method, loss):
    assert train(method, loss, np.zeros((30, 4)), np.arange(30) % 2).n_splits == 0
    X = np.zeros((30, 4))
    X[15:, 2] = 1.0
    tree = train(method, loss, X, np.arange(30) // 15)
    assert len(set(apply(tree, X))) == 2


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


def test_more_leaves_than_rows(method, loss, rng):
    X, y = rng.normal(size=(7, 3)), np.arange(7) % 3
    tree = train(method, loss, X, y, depth=12)
    assert tree.n_leaves <= 7
    assert train(method, loss, X[:1], y[:1], depth=12).n_splits == 0
    assert train(method, loss, X[:2], np.array([0, 1]), depth=12).n_leaves == 2
