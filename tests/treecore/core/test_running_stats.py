"""Moments of a table that comes in pieces are those of the whole."""

import numpy as np
import pytest

from tests.helpers.same import assert_same
from treecore.core.running_stats import RunningStats
from treecore.core.scaling import Scaling
from treecore.rows import column_sums


def test_moments_of_a_table_are_those_of_its_blocks_to_the_last_bit(monkeypatch):
    X = np.random.default_rng(0).normal(size=(500, 4)).astype(np.float32)
    X[::3, 1] = np.nan
    at_once = RunningStats().update(X, np.zeros(500, dtype=np.int64))
    monkeypatch.setattr(column_sums, "BLOCK_VALUES", 40)
    in_blocks = RunningStats().update(X, np.zeros(500, dtype=np.int64))
    assert_same(vars(in_blocks._features), vars(at_once._features))


def test_moments_of_pieces_are_those_of_the_whole(rng):
    X = (rng.normal(size=(500, 4)) * [1, 1e-3, 100, 0] + [0, 5, -1e4, 3]).astype(np.float32)
    y = rng.normal(size=(500, 2)) + 1000
    weight = rng.uniform(size=500)
    moments = RunningStats()
    for piece in np.array_split(np.arange(500), [1, 2, 100, 350]):
        moments.update(X[piece], y[piece], weight[piece])
    entire, scaling = Scaling.fit(X), moments.scaling()
    np.testing.assert_allclose(scaling.mean, entire.mean, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(scaling.deviation, entire.deviation, rtol=1e-6)
    assert scaling.factor == pytest.approx(entire.factor)
    centre, spread = moments.targets
    np.testing.assert_allclose(centre, np.average(y, axis=0, weights=weight))
    variance = np.average((y - centre) ** 2, axis=0, weights=weight)
    np.testing.assert_allclose(spread, np.sqrt(variance), rtol=1e-9)
