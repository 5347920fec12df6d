"""From raw features to training coordinates and back.

Learning happens in coordinates where ``nu`` and ``eta`` mean the same on every dataset: features
are centred, divided by their deviation, and given a constant that carries the offset (the papers'
"-1"). An example moves a score by about ``eta * ||x||^2``, so where there are many features and
rows come out longer than ``RADIUS``, all of them are shortened to it.

The finished tree reads raw features: the scaling is folded into its weights and thresholds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treecore.compiling.kernels import LANES
from treecore.core.linear_leaves import LinearLeaves, make_linear
from treecore.core.tree import Tree, oblique_tree, split_weights
from treecore.rows.aligned import aligned_zeros
from treecore.rows.column_sums import means_and_deviations, row_parts

RADIUS = 8.0
"""Greatest mean length of a row in training coordinates: about 63 features as they are."""

DEVIATION_FLOOR = 0.1
"""Least deviation of a column as a share of its range: no two values are further apart than 10."""


_LARGEST = 1e30
"""Greatest entry of a folded row: float32 ends at 3.4e38, and products need room."""


@dataclass(frozen=True)
class Scaling:
    """An affine map of features: ``z = factor * (x - mean) / deviation``, then ``-factor``.

    ``factor`` is 1 unless that made rows longer than ``RADIUS``. mean, deviation: (n_features,).
    """

    mean: np.ndarray
    deviation: np.ndarray
    factor: float

    @property
    def n_features(self) -> int:
        return self.mean.shape[0]

    @property
    def width(self) -> int:
        """Columns of a row in training coordinates: features, constant, zeros up to ``LANES``."""
        return -(-(self.n_features + 1) // LANES) * LANES

    @classmethod
    def fit(cls, X, together: bool = False, robust: bool = False) -> Scaling:
        """The scaling of rows without missing values; robust: each feature without its tails.

        Deviations below ``DEVIATION_FLOOR`` of the range are raised to it; constants become 0.
        """
        if robust and not together:
            return cls.of(*_inner_columns(X), floor=1e-3)
        span = X.max(axis=0).astype(np.float64) - X.min(axis=0)
        return cls.of(*means_and_deviations(X), span, together)

    @classmethod
    def of(
        cls, mean, spread, span, together: bool = False, floor: float = DEVIATION_FLOOR
    ) -> Scaling:
        """The scaling by mean, deviation and range (n_features,); floor: a share of the range."""
        constant = span <= 1e-7 * np.abs(mean)  # what float32 cannot tell apart is one value
        deviation = np.where(constant, 1.0, np.maximum(spread, floor * span))
        if together:
            shared = np.sqrt(np.mean(np.where(constant, 0.0, spread) ** 2))
            deviation = np.full_like(deviation, shared if shared > 0 else 1.0)
        mean_square = 1.0 + np.sum(np.where(constant, 0.0, spread / deviation) ** 2)
        return cls(mean, deviation, min(1.0, RADIUS / np.sqrt(mean_square)))

    def transform(self, X):
        """Rows in training coordinates: float32 (n_samples, width)."""
        Z = aligned_zeros((X.shape[0], self.width))
        p = self.n_features
        # Through float64 and block by block: raw values may be huge, memory is not.
        for part in row_parts(*X.shape):
            block = X[part] - self.mean
            block *= self.factor / self.deviation
            Z[part, :p] = block
        Z[:, p] = -self.factor
        return Z

    def to_scaled_weights(self, tree: Tree) -> np.ndarray:
        """Rows of W (n_splits, width) that score as the raw ``tree``, up to rounding."""
        return self._rows(tree) / self.factor

    def rows_of(self, tree: Tree) -> np.ndarray:
        """Rows of W, (n_splits, width), of unit length, that split as the raw ``tree`` does."""
        W = self._rows(tree)
        length = np.linalg.norm(W, axis=1, keepdims=True)
        return W / np.where(length > 0, length, 1.0)

    def _rows(self, tree: Tree) -> np.ndarray:
        p = self.n_features
        W, raw = np.zeros((tree.n_splits, self.width)), split_weights(tree)
        # Sums, not matrix products: BLAS adds in an order that depends on the processor.
        # w.x - b = (w * deviation).z - (b - w.mean), each up to the common factor.
        W[:, :p] = raw * self.deviation
        W[:, p] = tree.threshold - (raw * self.mean).sum(axis=1)
        return W

    def to_raw_tree(self, W: np.ndarray, like: Tree, values: np.ndarray) -> Tree:
        """The tree of raw features with splits ``W``, the shape of ``like``, other values."""
        return oblique_tree(*self.to_raw_splits(W), like, values)

    def to_raw_splits(self, W: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Weights (n_splits, n_features) and thresholds for raw features of rows ``W``."""
        p = self.n_features
        W = W.astype(np.float64)
        weights = W[:, :p] * (self.factor / self.deviation)
        threshold = W[:, p] * self.factor + (weights * self.mean).sum(axis=1)
        # Features of 1e-38 ask for weights of 1e38. A positive factor changes no decision, and
        # only rows that float32 could not hold get one.
        size = np.maximum(np.abs(weights).max(axis=1, initial=0.0), np.abs(threshold))
        fitting = np.minimum(1.0, _LARGEST / np.maximum(size, _LARGEST))
        return weights * fitting[:, None], threshold * fitting


def fold_linear(models: LinearLeaves, scaling: Scaling) -> LinearLeaves:
    """The linear leaves of raw features from those of training coordinates."""
    p = scaling.n_features
    weights = models.weights[..., :p] * (scaling.factor / scaling.deviation)
    weights = np.clip(weights, -_LARGEST, _LARGEST)  # features of 1e-38 ask for weights of 1e38
    intercept = models.intercept - (weights * scaling.mean).sum(axis=-1)
    return make_linear(weights, intercept, models.low, models.high)


def have_one_unit(X) -> bool:
    """Whether most columns that vary reach half the widest range, as those of pixels do."""
    span = X.max(axis=0).astype(np.float64) - X.min(axis=0)
    span = span[span > 0]
    return bool(span.size > 1 and 2 * np.count_nonzero(span >= span.max() / 2) > span.size)


def _inner_columns(X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean and deviation of columns with their tails drawn in (if anything stays inside); range."""
    low, high = X.min(axis=0).astype(np.float64), X.max(axis=0).astype(np.float64)
    # At most 5000 rows, evenly spaced.
    some = X[:: -(-X.shape[0] // 5000)].astype(np.float64)
    inner = np.clip(some, *np.quantile(some, [0.05, 0.95], axis=0))
    mean, spread = inner.mean(axis=0), inner.std(axis=0)
    empty = spread <= 1e-7 * np.abs(mean)
    if not empty.any():
        return mean, spread, high - low
    overall_mean, overall = means_and_deviations(X)
    overall = np.maximum(overall, DEVIATION_FLOOR * (high - low))
    mean = np.where(empty, overall_mean, mean)
    return mean, np.where(empty, overall, spread), high - low
