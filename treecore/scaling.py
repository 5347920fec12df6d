"""From raw features to training coordinates and back.

The bound and its constraint ``||w||^2 <= nu`` depend on the scale of the inputs, so learning
happens in coordinates where ``nu`` and ``eta`` mean the same on every dataset: features are
centred, divided by their deviation, and given a constant that carries the offset (the papers'
"-1"). An example moves a score by about ``eta * ||x||^2``, so where there are many features and
rows come out longer than ``RADIUS``, all of them are shortened to it.

Sparse tables are not centred, which would fill them: their zeros stay zeros, and the constant is
one more stored entry of every row.

The finished tree reads raw features: the scaling is folded into its weights and thresholds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treecore.kernels import LANES
from treecore.rows import SparseRows, n_rows
from treecore.tree import OBLIQUE, Tree, make_tree

RADIUS = 8.0
"""Greatest mean length of a row in training coordinates: about 63 features as they are."""

DEVIATION_FLOOR = 0.1
"""Least deviation of a column as a share of its range: no two values are further apart than 10."""

_LARGEST = 1e30
"""Greatest entry of a folded row: float32 ends at 3.4e38, and products need room."""


@dataclass(frozen=True)
class Scaling:
    """An affine map of features: ``z = factor * (x - mean) / deviation``, then ``-factor``.

    ``factor`` is 1 unless that made rows longer than ``RADIUS``.

    Attributes
    ----------
    mean, deviation : float64 arrays, shape (n_features,)
    factor : float
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
    def fit(cls, X: np.ndarray, together: bool = False) -> Scaling:
        """The scaling of training rows X, shape (n_samples, n_features), dense or sparse.

        A deviation below ``DEVIATION_FLOOR`` of the column's range is raised to it: a pixel that
        is set in three images of a thousand would otherwise turn those three into giants.
        Constant columns become zeros.

        With ``together`` all features keep their proportions and share one deviation, the root
        of their mean variance: right where they have one unit, as pixels do.
        """
        if isinstance(X, SparseRows):
            return cls._fit_sparse(X)
        mean = X.mean(axis=0, dtype=np.float64)
        spread = X.std(axis=0, dtype=np.float64)
        span = X.max(axis=0).astype(np.float64) - X.min(axis=0)
        constant = span <= 1e-7 * np.abs(mean)  # what float32 cannot tell apart is one value
        deviation = np.where(constant, 1.0, np.maximum(spread, DEVIATION_FLOOR * span))
        if together:
            shared = np.sqrt(np.mean(np.where(constant, 0.0, spread) ** 2))
            deviation = np.full_like(deviation, shared if shared > 0 else 1.0)
        mean_square = 1.0 + np.sum(np.where(constant, 0.0, spread / deviation) ** 2)
        return cls(mean, deviation, min(1.0, RADIUS / np.sqrt(mean_square)))

    @classmethod
    def _fit_sparse(cls, X: SparseRows) -> Scaling:
        n, p = n_rows(X), X.n_columns
        values = X.values.astype(np.float64)
        mean = np.bincount(X.where, values, p) / n
        square = np.bincount(X.where, values**2, p) / n
        low, high = np.zeros((2, p))  # of the zeros that are not stored
        np.minimum.at(low, X.where, values)
        np.maximum.at(high, X.where, values)
        constant = high == low
        spread = np.sqrt(np.maximum(square - mean**2, 0.0))
        deviation = np.where(constant, 1.0, np.maximum(spread, DEVIATION_FLOOR * (high - low)))
        mean_square = 1.0 + np.sum(square / deviation**2)
        return cls(np.zeros(p), deviation, min(1.0, RADIUS / np.sqrt(mean_square)))

    def transform(self, X):
        """Rows in training coordinates: float32 (n_samples, width), or SparseRows as wide."""
        if isinstance(X, SparseRows):
            return self._transform_sparse(X)
        Z = np.zeros((X.shape[0], self.width), dtype=np.float32)
        p = self.n_features
        # Through float64 and block by block: raw values may be huge, memory is not.
        for start in range(0, X.shape[0], 4096):
            block = (X[start : start + 4096] - self.mean) * (self.factor / self.deviation)
            Z[start : start + 4096, :p] = block
        Z[:, p] = -self.factor
        return Z

    def _transform_sparse(self, X: SparseRows) -> SparseRows:
        if self.mean.any():
            raise ValueError("this tree was trained on a dense table: its features are centred")
        n = n_rows(X)
        scale = self.factor / self.deviation
        ends = X.start[1:]  # the constant is the last entry of its row: its column is the last
        return SparseRows(
            values=np.insert((X.values * scale[X.where]).astype(np.float32), ends, -self.factor),
            where=np.insert(X.where, ends, self.n_features),
            start=X.start + np.arange(n + 1),
            n_columns=self.width,
        )

    def rows_of(self, tree: Tree) -> np.ndarray:
        """Rows of W in training coordinates that split exactly as the raw ``tree`` does.

        Each is scaled to unit length. Returns float64, shape (n_splits, width).
        """
        p = self.n_features
        W = np.zeros((tree.n_splits, self.width))
        raw = np.zeros((tree.n_splits, p))
        axis = np.flatnonzero(tree.feature != OBLIQUE)
        raw[axis, tree.feature[axis]] = 1.0
        oblique = np.flatnonzero(tree.feature == OBLIQUE)
        raw[oblique] = tree.weights[tree.row[oblique]]
        # Sums, not matrix products: BLAS adds in an order that depends on the processor.
        # w.x - b = (w * deviation).z - (b - w.mean), each up to the common factor.
        W[:, :p] = raw * self.deviation
        W[:, p] = tree.threshold - (raw * self.mean).sum(axis=1)
        length = np.linalg.norm(W, axis=1, keepdims=True)
        return W / np.where(length > 0, length, 1.0)

    def fold(self, W: np.ndarray, like: Tree, values: np.ndarray) -> Tree:
        """The raw tree of the shape of ``like`` whose splits are the rows ``W``."""
        p = self.n_features
        W = W.astype(np.float64)
        weights = W[:, :p] * (self.factor / self.deviation)
        threshold = W[:, p] * self.factor + (weights * self.mean).sum(axis=1)
        n_splits = W.shape[0]
        # Features of 1e-38 ask for weights of 1e38. A positive factor changes no decision, and
        # only rows that float32 could not hold get one.
        size = np.maximum(np.abs(weights).max(axis=1, initial=0.0), np.abs(threshold))
        fitting = np.minimum(1.0, _LARGEST / np.maximum(size, _LARGEST))
        return make_tree(
            weights=weights * fitting[:, None],
            threshold=threshold * fitting,
            feature=np.full(n_splits, OBLIQUE),
            row=np.arange(n_splits),
            left=like.left,
            right=like.right,
            values=values,
        )
