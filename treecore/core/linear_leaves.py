"""Linear leaves: a leaf may answer by a linear model of the row, kept within a range.

What leaf j says of output q, a number or the log-odds of a class, is ::

    min(max(intercept[j, q] + sum_f weights[j, q, f] x[f], low[j, q]), high[j, q])

The sum runs in float64 and in the order of the features, beginning with the intercept, so that an
exported program can repeat it to the bit. The range is what keeps a slope that few rows have
taught from saying anything at all about a row far away from them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel


class LinearLeaves(NamedTuple):
    """The linear models of all leaves of a tree.

    - weights: float32 (n_leaves, n_outputs, n_features).
    - intercept: float32 (n_leaves, n_outputs).
    - low, high: float32 (n_leaves, n_outputs), the least and the greatest that a leaf predicts.
    """

    weights: np.ndarray
    intercept: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def take(self, leaves: np.ndarray) -> LinearLeaves:
        """The models of some leaves, in their order. leaves: int array."""
        return LinearLeaves(*(part[leaves] for part in self))

    def with_constants(self, chosen: np.ndarray, values: np.ndarray) -> LinearLeaves:
        """A copy in which some leaves predict constants.

        chosen: bool (n_leaves,); values: (n_leaves, n_outputs), what those leaves predict; of the
        others it is not read.
        """
        weights = np.where(chosen[:, None, None], np.float32(0.0), self.weights)
        rest = (
            np.where(chosen[:, None], values, part).astype(part.dtype)
            for part in (self.intercept, self.low, self.high)
        )
        return LinearLeaves(weights, *rest)

    def scaled(self, factor: np.ndarray, offset: np.ndarray) -> LinearLeaves:
        """The models of ``factor * target + offset``, constants in float64.

        factor, offset: float64 (n_outputs,), factors are positive.
        """
        largest = np.finfo(np.float32).max  # where targets are huge, and a feature tiny
        weights = np.clip(self.weights * factor[:, None], -largest, largest).astype(np.float32)
        return LinearLeaves(weights, *(part * factor + offset for part in self[1:]))

    def rounded(self) -> LinearLeaves:
        """The same models in float32, as learners read them."""
        return make_linear(*self)


def make_linear(weights, intercept, low, high) -> LinearLeaves:
    """Linear models from array-likes, with the fields' dtype and C order; unchecked.

    weights: array-like (n_leaves, n_outputs, n_features); intercept, low, high: array-likes, shape
    (n_leaves, n_outputs).
    """
    parts = (weights, intercept, low, high)
    return LinearLeaves(*(np.ascontiguousarray(part, dtype=np.float32) for part in parts))


def check_linear(linear: LinearLeaves, values: np.ndarray, n_features: int) -> None:
    """Check that linear models are those of the leaves of a tree.

    values: (n_leaves, n_outputs), the constants of the same leaves. Raises ValueError in one
    sentence that names the array.
    """
    for name, part in zip(linear._fields, linear, strict=True):
        shape = (*values.shape, n_features) if name == "weights" else values.shape
        if part.shape != shape:
            raise ValueError(f"{name} of the linear leaves has shape {part.shape}, not {shape}")
        if not np.isfinite(part).all():
            raise ValueError(f"{name} of the linear leaves holds a number that is not finite")
    if (linear.low > linear.high).any():
        raise ValueError("a linear leaf has a range whose low is above its high")


@kernel(inlined=True)
def add_products(x, w, total):
    """``total`` with the products of two float32 vectors added, one by one, in float64."""
    for j in range(w.shape[0]):
        total += np.float64(w[j]) * np.float64(x[j])
    return total


@kernel
def linear_predictions(linear, X, leaf, out):
    """Write what the leaves of rows predict for them.

    X: float32 (n_samples, n_features); leaf: int32 (n_samples,), the leaf of every row; out:
    float64 (n_samples, n_outputs), written.
    """
    for i in range(out.shape[0]):
        x, j = X[i], leaf[i]
        for q in range(out.shape[1]):
            total = add_products(x, linear.weights[j, q], np.float64(linear.intercept[j, q]))
            low, high = np.float64(linear.low[j, q]), np.float64(linear.high[j, q])
            out[i, q] = min(max(total, low), high)
