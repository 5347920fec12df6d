"""Awkward rows and wrong settings for hinge forests: finite numbers or one sentence."""

import dataclasses

import numpy as np
import pytest

from tests.helpers.cases import case
from tests.helpers.hinges import IRIS, config_of, trained
from treecore import Trainer
from treecore.learners.hinge.model import HingeForest
from treecore.learners.hinge.traversal import decide_rows


def test_missing_values_are_the_mean_of_their_column():
    X, y = IRIS[0].copy(), IRIS[1]
    X[::7, 2] = np.nan
    forest = trained(X, y).run()
    filled = np.where(np.isnan(X), forest.missing, X.astype("f4"))
    assert np.array_equal(forest.decision(X), forest.decision(filled))


TABLES = {
    "zeros": np.zeros((30, 3)),
    "huge constants": np.full((30, 1), 1e38),
    "all magnitudes": np.geomspace(1e-38, 1e38, 90).reshape(30, 3),
    "mostly zeros": np.eye(30)[:, :3],
    "tiny": np.arange(30.0)[:, None] * 1e-42,
    "one giant": np.concatenate([np.zeros((29, 2)), [[3e38, -3e38]]]),
}


@pytest.mark.parametrize("features", ["raw", "inner products"])
def test_awkward_columns_give_finite_forests(features):
    for name, X in TABLES.items():
        with case(table=name):
            trainer = trained(X, np.arange(30) % 3, features=features, eta=0.5, batches=200)
            *_, last = trainer.events()
            assert np.isfinite(last.loss)
            far = np.full((2, X.shape[1]), 3e38) * [[1], [-1]]
            assert np.isfinite(trainer.model.decision(far)).all()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"trees": 0}, "trees=0 must be between 1 and"),
        ({"features": "convolutions"}, "filter_size=5 is more than the image, 2 x 2, has"),
        ({"width": 3}, "the setting 'width' is gone: images are square"),
        ({"trees": 5000, "depth": 16}, "leaf weights, 12 GB with what the optimizer remembers"),
        ({"loss": "squared", "optimizer": "sgd", "eta": 10.0, "validation": 0.0}, "lower eta"),
    ],
)
def test_bad_settings_are_told_in_a_sentence(changes, message):
    with pytest.raises(ValueError, match=message):
        trained(*IRIS, **changes).run()


def test_more_trees_than_memory_allows_are_refused_beforehand(monkeypatch):
    monkeypatch.setattr("treecore.training.prepare_hinge.free_bytes", lambda: 100_000)
    X, y = IRIS
    trained(X, y, trees=90)  # 90 trees of 8 leaves and 3 classes, at 16 bytes a weight: 34,560
    with pytest.raises(ValueError, match=r"192 kB of memory, but 90 kB are free; take at most 234"):
        trained(X, y, trees=500)


def test_bad_data_are_told_in_a_sentence():
    from scipy.sparse import csr_matrix

    X, y = IRIS
    for bad, message in (
        ((X[:5], y), "5 rows need as many targets"),
        ((X, y.astype(float)), "must hold class indices"),
        ((csr_matrix(X), y), "sparse table"),
        ((X[:0], y[:0]), "there are no training rows"),
    ):
        with pytest.raises(ValueError, match=message):
            trained(*bad)
    forest = trained(X, y, batches=5).run()
    with pytest.raises(ValueError, match="X has 3 features"):
        forest.decision(X[:, :3])
    with pytest.raises(ValueError, match="sparse table"):
        forest.decision(csr_matrix(X))
    with pytest.raises(ValueError, match="reads 4 columns and has 3 outputs"):
        Trainer(config_of(), X[:, :3], y, start=forest)
    with pytest.raises(ValueError, match="it can only grow"):
        Trainer(config_of(trees=2), X, y, start=forest)
    with pytest.raises(ValueError, match="settings ask for a forest of depth 4"):
        Trainer(config_of(depth=4), X, y, start=forest)


def test_a_forest_is_read_only_and_checked():
    forest = trained(*IRIS, batches=5).run()
    with pytest.raises(ValueError, match="read-only"):
        forest.trees.weights[0] = 1
    for changes, message in (
        ({"depth": 2}, "feature must be int32 of shape"),
        ({"kind": "fern"}, "feature must be int32 of shape"),
        ({"base": np.array([np.nan] * 3, "f4")}, "base holds a number that is missing"),
        ({"trees": forest.trees._replace(feature=forest.trees.feature + 7)}, "outside 0 to 6"),
        ({"layer": forest.layer._replace(tap=forest.layer.tap + 1)}, "beyond the 4 columns"),
    ):
        with pytest.raises(ValueError, match=message):
            dataclasses.replace(forest, **changes)
    assert isinstance(forest, HingeForest)
    out = np.empty((150, 3), dtype=np.float32)
    decide_rows(forest.layer, forest.trees, forest.depth, forest.base, IRIS[0].astype("f4"), out)
    assert np.array_equal(out, forest.decision(IRIS[0]))


def test_constant_targets():
    X = np.arange(40.0).reshape(20, 2)
    forest = trained(X, np.full(20, 7.5), loss="squared", batches=50).run()
    assert forest.predict(X) == pytest.approx(7.5, abs=0.01)
    assert trained(X, np.zeros(20, dtype=int), batches=50).run().predict(X).sum() == 0
