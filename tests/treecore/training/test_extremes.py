"""Whatever the data and settings, SGD and Stable SGD give a sound tree: finite and in one piece."""

import itertools

import numpy as np
import pytest

from tests.helpers.cases import case
from treecore import RunConfig, Trainer, evaluate
from treecore.core.tree import check_tree
from treecore.losses import LOSSES

RNG = np.random.default_rng(0)
NORMAL = RNG.normal(size=(40, 3))

TABLES = {
    "constant features": (np.ones((20, 3)), np.arange(20) % 2),
    "huge features": (NORMAL * 1e30, np.arange(40) % 3),
    "huge, tiny and plain": (NORMAL * [1e38, 1e-38, 1.0], np.arange(40) % 2),
    "one outlier": (np.vstack([NORMAL, [1e30, 0.0, 0.0]]), np.arange(41) % 2),
    "one class": (NORMAL, np.zeros(40, dtype=int)),
    "one row": (np.array([[1.0, 2.0]]), np.array([1])),
    "contradictions": (np.repeat(NORMAL[:5], 4, axis=0), np.arange(20) % 4),
    "a class of one": (NORMAL, (np.arange(40) == 0).astype(int)),
    "more leaves than rows": (NORMAL[:6], np.arange(6)),
}
EXTREMES = [
    {"eta": 10.0, "nu": 1e4},
    {"eta": 10.0, "nu": 0.01, "schedule": "constant"},
    {"eta": 1e-5, "nu": 1e4},
    {"eta": 10.0, "nu": 1e4, "sparsity": 1.0},
]


@pytest.mark.parametrize("method", ["sgd", "stable-sgd"])
@pytest.mark.parametrize("loss", LOSSES)
def test_any_data_with_any_settings_give_a_sound_tree(method, loss):
    for name, settings in itertools.product(TABLES, EXTREMES):
        X, y = TABLES[name]
        y = y if loss == "log" else 1e6 * (y - 1.0) ** 3
        config = RunConfig(method, loss=loss, depth=4, epochs=4, **settings)
        with case(table=name, settings=settings):
            assert_sound(Trainer(config, X, y), X, y)


def assert_sound(trainer, X, y):
    for event in trainer.events():
        assert np.isfinite(event.bound)
        assert event.bound >= event.loss - 1e-5 * abs(event.loss)
    tree, loss = trainer.model, trainer.rows.loss
    check_tree(tree)
    assert np.isfinite(evaluate(tree, X, y, loss=loss).loss)
    if loss.task == "regression":  # no step goes beyond its target
        slack = 1e-5 * (1.0 + np.abs(y).max())
        assert y.min() - slack <= tree.values.min() <= tree.values.max() <= y.max() + slack
