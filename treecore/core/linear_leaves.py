"""Linear leaves: a leaf may answer by a linear model of the row, kept within a range.

Leaf j answers, for a number or the log-odds q of a class, ::

    min(max(intercept[j, q] + sum_f weights[j, q, f] x[f], low[j, q]), high[j, q])

in float64 and in the order of the features, so that an exported program repeats it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel


class LinearLeaves(NamedTuple):
    """The models of all leaves, float32.

    weights: (n_leaves, n_outputs, n_features); intercept, and the smallest and largest answer, low
    and high: (n_leaves, n_outputs).
    """

    weights: np.ndarray
    intercept: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def take(self, leaves: np.ndarray) -> LinearLeaves:
        """The models of some leaves, in their order. leaves: int array."""
        return LinearLeaves(*(part[leaves] for part in self))

    def with_constants(self, chosen: np.ndarray, values: np.ndarray) -> LinearLeaves:
        """A copy in which the ``chosen`` leaves predict constants (n_leaves, n_outputs)."""
        weights = np.where(chosen[:, None, None], np.float32(0.0), self.weights)
        rest = (
            np.where(chosen[:, None], values, part).astype(part.dtype)
            for part in (self.intercept, self.low, self.high)
        )
        return LinearLeaves(weights, *rest)

    def scaled(self, factor: np.ndarray, offset: np.ndarray) -> LinearLeaves:
        """The models of ``factor * target + offset``, both (n_outputs,), factors positive."""
        largest = np.finfo(np.float32).max  # where targets are huge, and a feature tiny
        weights = np.clip(self.weights * factor[:, None], -largest, largest).astype(np.float32)
        return LinearLeaves(weights, *(part * factor + offset for part in self[1:]))

    def rounded(self) -> LinearLeaves:
        """The same models in float32, as learners read them."""
        return make_linear(*self)


def make_linear(weights, intercept, low, high) -> LinearLeaves:
    """Linear models from array-likes, with the fields' dtype and C order; unchecked."""
    parts = (weights, intercept, low, high)
    return LinearLeaves(*(np.ascontiguousarray(part, dtype=np.float32) for part in parts))


def check_linear(linear: LinearLeaves, values: np.ndarray, n_features: int) -> None:
    """Raise ValueError, with the array's name, where models are not of leaves with such values."""
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
    """Write what the leaves (n_samples,) predict for rows, float64 (n_samples, n_outputs)."""
    for i in range(out.shape[0]):
        x, j = X[i], leaf[i]
        for q in range(out.shape[1]):
            total = add_products(x, linear.weights[j, q], np.float64(linear.intercept[j, q]))
            low, high = np.float64(linear.low[j, q]), np.float64(linear.high[j, q])
            out[i, q] = min(max(total, low), high)
