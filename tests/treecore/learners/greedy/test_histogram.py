"""Cuts between bins alone: those of exact growth on a table in which a bin is one value."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array

from treecore import RunConfig, Trainer
from treecore.core.routing import apply
from treecore.learners.greedy.finders.bins import BinnedTable


def _trained(method, X, y, **settings):
    trainer = Trainer(RunConfig(method, **settings), X, y)
    while not trainer.finished:
        trainer.step()
    return trainer.model


def _table(n, task="classes"):
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, 6)).astype(np.float32)
    X[:, 4] = X[:, 4].round(1)  # fewer values than bins
    X[:, 5] = 0.0
    signal = X[:, 0] * X[:, 1] + X[:, 4] + 0.3 * rng.normal(size=n)
    return X, (signal if task == "numbers" else np.digitize(signal, [-0.5, 0.7]))


def _as_bins(X):
    table = BinnedTable(X)
    table.bin_up_to(X.shape[1])
    return table.bins.codes.astype(np.float32)


@pytest.mark.parametrize(
    "settings",
    [
        {"criterion": "entropy"},
        {"criterion": "gini", "min_samples_leaf": 7},
        {"criterion": "gain ratio"},
        {"max_features": 2, "seed": 3},
        {"loss": "squared"},
    ],
)
@pytest.mark.parametrize("n", [600, 5000])
def test_rows_fall_as_on_a_table_of_bins(settings, n):
    X, y = _table(n, "numbers" if "loss" in settings else "classes")
    codes = _as_bins(X)
    ours = _trained("axis", X, y, depth=6, cuts="histogram", **settings)
    twin = _trained("axis", codes, y, depth=6, **settings)
    assert_array_equal(ours.feature, twin.feature)
    assert_array_equal(apply(ours, X), apply(twin, codes))
    assert_array_equal(ours.values, twin.values)


def test_features_of_few_values_are_cut_as_by_exact_growth():
    X, y = _table(3000)
    X = X.round(1)
    exact, ours = (_trained("axis", X, y, depth=6, cuts=c) for c in ("exact", "histogram"))
    assert_array_equal(exact.threshold, ours.threshold)
    assert_array_equal(exact.feature, ours.feature)


def test_trees_of_a_forest_share_the_bins_and_cut_between_them():
    X, y = _table(2000)
    codes = _as_bins(X)
    ours = _trained("random-forest", X, y, depth=5, n_trees=3, cuts="histogram", seed=1)
    twin = _trained("random-forest", codes, y, depth=5, n_trees=3, seed=1)
    for one, other in zip(ours.trees, twin.trees, strict=True):  # rows drawn decide thresholds
        assert_array_equal(one.feature, other.feature)
        assert_array_equal(one.values, other.values)


def test_what_has_no_bins_is_refused():
    X, y = _table(100)
    with pytest.raises(ValueError, match="cuts='histogram' needs a dense table"):
        Trainer(RunConfig("axis", cuts="histogram"), csr_array(X), y).step()
    with pytest.raises(ValueError, match="cuts='histogram' is for constant leaves"):
        RunConfig("axis", cuts="histogram", leaf="linear", loss="squared")
