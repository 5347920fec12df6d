"""Statistics of columns, block by block, are those of the whole table to the last bit."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from treecore.rows import column_sums
from treecore.rows.column_sums import column_means, float64_blocks, means_and_deviations


@pytest.mark.parametrize("shape", [(1, 4), (50, 1), (1000, 7)])
@pytest.mark.parametrize("kind", [np.float32, np.int64])
def test_blocks_change_no_bit(shape, kind, monkeypatch):
    monkeypatch.setattr(column_sums, "BLOCK_VALUES", 50)
    X = (100 * np.random.default_rng(0).standard_normal(shape)).astype(kind)
    mean, deviation = means_and_deviations(X)
    assert_array_equal(mean, X.mean(axis=0, dtype=np.float64))
    assert_array_equal(deviation, X.std(axis=0, dtype=np.float64))
    assert_array_equal(np.concatenate(list(float64_blocks(X))), X)


def test_means_are_those_of_present_values(monkeypatch):
    monkeypatch.setattr(column_sums, "BLOCK_VALUES", 6)
    X = np.array([[1.0, np.nan, np.nan], [2.0, np.nan, 4.0], [6.0, np.nan, 6.0]])
    assert_array_equal(column_means(X), [3.0, 0.0, 5.0])
    assert_array_equal(column_means(X[:0]), [0.0, 0.0, 0.0])
