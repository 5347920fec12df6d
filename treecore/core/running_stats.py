"""Statistics of rows that come in pieces (Chan, Golub and LeVeque 1983), in memory of one row."""

from __future__ import annotations

import numpy as np

from treecore.core.scaling import Scaling
from treecore.rows.column_sums import float64_blocks, sum_rows


class RunningStats:
    """Means, deviations and ranges of all ``n`` rows so far, of features and numeric targets."""

    def __init__(self):
        self.n = 0
        self._features = _Columns()
        self._targets = _Columns()

    def update(self, X, y: np.ndarray, weight: np.ndarray | None = None) -> RunningStats:
        """Add rows, NaN where missing; weight: what they count in the means of targets."""
        self.n += len(X)
        self._features.add(*_of_dense(np.asarray(X)))
        if y.dtype.kind == "f":
            weight = np.ones(len(y)) if weight is None else weight
            self._targets.add(*_of_weighted(y.reshape(len(y), -1), weight))
        return self

    @property
    def missing(self) -> np.ndarray:
        """What a missing value of each feature is read as: its mean, float64 (n_features,)."""
        return self._features.mean

    @property
    def targets(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean and deviation of the targets so far, float64 (n_outputs,) each."""
        return self._targets.mean, np.sqrt(self._targets.square / self._targets.count)

    def scaling(self) -> Scaling:
        """What :meth:`treecore.core.scaling.Scaling.fit` would say of all rows so far."""
        columns = self._features
        span = np.nan_to_num(columns.high - columns.low)  # of a column never present
        # Missing values are read as the mean: they count in n, and add nothing to the squares.
        return Scaling.of(columns.mean, np.sqrt(columns.square / self.n), span)


class _Columns:
    """Per column: how much was counted, mean, sum of squares about it, least and greatest."""

    count: np.ndarray
    mean: np.ndarray
    square: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def add(self, count, mean, square, low, high) -> None:
        """Merge statistics (n_columns,) of one more block (Chan, Golub and LeVeque 1983)."""
        if not hasattr(self, "count"):
            self.count, self.mean, self.square, self.low, self.high = count, mean, square, low, high
            return
        total = self.count + count
        share = np.divide(count, total, out=np.zeros_like(mean), where=total > 0)
        step = mean - self.mean
        self.square = self.square + square + step**2 * self.count * share
        self.mean = self.mean + step * share
        self.count = total
        self.low, self.high = np.fmin(self.low, low), np.fmax(self.high, high)


def _of_dense(X: np.ndarray):
    count = sum_rows((~np.isnan(block)).astype(np.float64) for block in float64_blocks(X))
    total = sum_rows(np.where(np.isnan(block), 0.0, block) for block in float64_blocks(X))
    mean = total / np.maximum(count, 1)
    square = sum_rows(
        np.where(np.isnan(block), 0.0, block - mean) ** 2 for block in float64_blocks(X)
    )
    ends = [(np.fmin.reduce(b, axis=0), np.fmax.reduce(b, axis=0)) for b in float64_blocks(X)]
    lows, highs = zip(*ends, strict=True)
    return count, mean, square, np.fmin.reduce(lows, axis=0), np.fmax.reduce(highs, axis=0)


def _of_weighted(y: np.ndarray, weight: np.ndarray):
    y = y.astype(np.float64)
    mean = np.average(y, axis=0, weights=weight)
    square = (weight[:, None] * (y - mean) ** 2).sum(axis=0)
    return np.full(y.shape[1], weight.sum()), mean, square, y.min(axis=0), y.max(axis=0)
