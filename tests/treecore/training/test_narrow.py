"""Large tables of bytes and of half precision: learnt from as they are, as if they were float32."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.same import assert_same
from treecore import ObliqueTreeClassifier, RunConfig, Trainer
from treecore.rows import tables

CONFIGS = [
    RunConfig("axis", depth=6),
    RunConfig("axis", depth=4, max_features=2),
    RunConfig("axis", depth=4, loss="squared"),
    RunConfig("sgd", depth=4, epochs=2, start="axis"),
    RunConfig("stable-sgd", depth=4, epochs=2),
    RunConfig("annealed", depth=4, rounds=2, start="random"),
    RunConfig("random-forest", n_trees=2),
    RunConfig("samme", depth=3, n_trees=3),
    RunConfig("sgd-forest", depth=3, epochs=2, n_trees=2),
]


@pytest.fixture(autouse=True)
def all_tables_are_large(monkeypatch):
    monkeypatch.setattr(tables, "LARGE", 0)


def rows(dtype):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 256, (500, 6))
    X[:, 3], X[:, 4], X[:, 5] = X[:, 3] > 200, 7, X[:, 5] // 40
    return X.astype(dtype), (X[:, 0] + X[:, 1] > 250) + X[:, 5] // 3


def learnt(config, X, y):
    trainer = Trainer(config.replace(validation=0.2), X, y)
    events = [event for event in trainer.events() if event.complete]
    return trainer, [(event.loss, event.validation_loss) for event in events]


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: f"{config.method}-{config.loss}")
@pytest.mark.parametrize("dtype", [np.uint8, np.bool_, np.float16])
def test_a_narrow_table_gives_the_trees_that_it_gives_in_float32(config, dtype):
    X, y = rows(dtype)
    wide, figures = learnt(config, X.astype(np.float32), y)
    narrow, found = learnt(config, X, y)
    assert found == figures
    trees = [getattr(t.model, "trees", (t.model,)) for t in (narrow, wide)]
    assert_same(*trees)
    begun = Trainer(config.replace(validation=0.2), X, y)
    begun.step()
    went_on = Trainer.from_state(begun.state(), begun.config, X.astype(np.float32), y)
    assert_same(getattr(went_on.run(), "trees", (went_on.model,)), trees[1])


def test_bytes_and_half_precision_are_kept_by_whoever_reads_them_and_others_get_float32():
    def kept(method, dtype, **settings):
        return Trainer(RunConfig(method, depth=2, **settings), *rows(dtype)).rows.X.dtype

    for method in ("axis", "random-forest", "samme"):
        assert kept(method, np.uint8) == np.uint8
        assert kept(method, np.float16) == np.float32
    for method in ("sgd", "stable-sgd", "annealed"):
        assert kept(method, np.float16, start="random") == np.float16
        assert kept(method, np.float16, start="axis") == np.float32
    assert kept("axis", np.uint8, leaf="linear") == np.float32
    assert kept("tao", np.uint8) == kept("co2", np.uint8) == np.float32


def test_missing_values_of_half_precision_are_filled(monkeypatch):
    X, y = rows(np.float16)
    X[::7, 1] = np.nan
    config = RunConfig("annealed", depth=2, rounds=1, start="random")
    narrow = Trainer(config, X, y)
    assert narrow.rows.X.dtype == np.float32
    assert_same(narrow.run(), Trainer(config, X.astype(np.float32), y).run())


def test_estimators_take_bytes_as_they_are():
    X, y = rows(np.uint8)
    model = ObliqueTreeClassifier("axis", depth=4, random_state=0)
    same = ObliqueTreeClassifier("axis", depth=4, random_state=0).fit(X.astype(np.float64), y)
    assert_same(model.fit(X, y).tree_, same.tree_)
    np.testing.assert_array_equal(model.predict(X), same.predict(X.astype(np.float64)))
    assert model._rows(X) is X
