"""Rows that are scaled when they are read are those of a scaled table, and so are the trees."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from tests.helpers.same import assert_same
from treecore import RunConfig, Trainer
from treecore.core import scaled_rows as module
from treecore.core.scaled_rows import RowsOf, ScaledRows, blocks_of, scaled_rows
from treecore.core.scaling import Scaling
from treecore.rows import tables
from treecore.rows.column_sums import column_ranges
from treecore.rows.tables import take_rows


@pytest.fixture
def rows_apart(monkeypatch):
    """Nothing is kept scaled, and blocks are of a few rows."""
    monkeypatch.setattr(tables, "LARGE", 0)
    monkeypatch.setattr(module, "BLOCK_VALUES", 100)


def table(seed, n=60, p=5):
    rng = np.random.default_rng(seed)
    return (rng.standard_normal((n, p)) * 10.0 ** rng.integers(-3, 4, size=p)).astype(np.float32)


@pytest.mark.parametrize("p", [1, 15, 16])
def test_rows_are_scaled_as_the_whole_table_is(p):
    X = table(p, p=p)
    rng, scaling = np.random.default_rng(0), Scaling.fit(X)
    Z, rows = ScaledRows(X, scaling), scaling.transform(X)
    some = rng.permutation(60)[:17]
    assert Z.shape == rows.shape
    assert_same(Z[:], rows)
    assert_same(take_rows(Z, slice(7, 50, 3)), rows[7:50:3])
    assert_same(Z[some], rows[some])
    assert Z[some].ctypes.data % 64 == 0  # as rows that are kept
    among = rng.permutation(60)[:20].astype(np.int32)
    assert_same(ScaledRows(X, scaling, among)[some % 20], rows[among[some % 20]])


def test_blocks_hold_all_rows_in_order_and_cut_no_batch(rows_apart):
    X = table(1)
    scaling = Scaling.fit(X)
    order, y = np.random.default_rng(0).permutation(60), np.arange(60)
    seen = []
    for first, block, places, labels in blocks_of(scaled_rows(X, scaling), order, y, multiple=4):
        assert first % 4 == 0
        assert first == len(seen)
        assert_same(block[places], scaling.transform(X)[labels[places]])
        seen += labels[places].tolist()
    assert_array_equal(seen, order)


def test_statistics_of_some_rows_are_those_of_a_copy():
    X = table(2, n=500, p=600)
    rows = np.random.default_rng(0).permutation(500)[:450]
    assert_same(Scaling.fit(RowsOf(X, rows)), Scaling.fit(X[rows]))
    low, high = column_ranges(X)
    assert_array_equal([low, high], [X.min(axis=0), X.max(axis=0)])


@pytest.mark.parametrize(
    ("method", "settings"),
    [
        ("sgd", {"epochs": 2}),
        ("sgd", {"epochs": 2, "batch": 7, "momentum": 0.5}),
        ("stable-sgd", {"epochs": 3}),
        ("annealed", {"rounds": 2}),
        ("co2", {"epochs": 2}),
        ("oc1", {"restarts": 1}),
    ],
)
def test_a_tree_does_not_depend_on_whether_rows_are_kept(method, settings, request):
    X = table(3, n=300)
    y = (X / X.std(axis=0)).sum(axis=1).round().astype(int) % 3
    config = RunConfig(method, depth=3, **settings)
    kept = run(config, X, y)
    request.getfixturevalue("rows_apart")
    assert_same(run(config, X, y), kept)


def run(config, X, y):
    trainer = Trainer(config, X, y)
    return [event.loss for event in trainer.events()], trainer.model
