"""The models of linear leaves, whatever fits them: their scores, and sums over leaves.

The *score* that a model gives a row is the number predicted, or the log-odds of a class.
"""

from __future__ import annotations

import numpy as np

from treecore.core.linear_leaves import LinearLeaves, linear_predictions, make_linear

Pair = tuple[np.ndarray, np.ndarray]
"""Slopes and intercepts of every leaf, or its least and greatest scores; float64."""


def models_of(slopes, intercept, ends: Pair, width: int) -> LinearLeaves:
    """Linear leaves of rows of ``width`` columns, those beyond the features weigh 0."""
    weights = np.zeros((*slopes.shape[:2], width), dtype=np.float32)
    weights[..., : slopes.shape[2]] = slopes
    return make_linear(weights, intercept, *ends)


def scores_of(linear: LinearLeaves, Z: np.ndarray, leaf: np.ndarray) -> np.ndarray:
    """What linear leaves say of rows (n_rows, width), float64 (n_rows, n_outputs)."""
    scores = np.empty((len(leaf), linear.intercept.shape[1]))
    linear_predictions(linear, Z, leaf, scores)
    return scores


def unbounded_scores(slopes, intercept, Z: np.ndarray, leaf: np.ndarray) -> np.ndarray:
    """The same of models that no range holds yet."""
    far = np.full(intercept.shape, np.finfo(np.float32).max)
    return scores_of(models_of(slopes, intercept, (-far, far), Z.shape[1]), Z, leaf)


def ranges_by_leaf(numbers, weight, leaf, n_leaves: int) -> Pair:
    """Widened ranges, low and high (n_leaves, n_outputs), of numbers by leaf; 0 without rows."""
    low = np.full((n_leaves, numbers.shape[1]), np.inf)
    high = -low
    some = weight > 0
    np.minimum.at(low, leaf[some], numbers[some])
    np.maximum.at(high, leaf[some], numbers[some])
    empty = low > high
    low[empty] = high[empty] = 0.0
    # Predictions may leave the range of a leaf's rows by a tenth of it.
    room = 0.1 * (high - low)
    return low - room, high + room


def sums_by_leaf(numbers: np.ndarray, weight, leaf, n_leaves: int) -> np.ndarray:
    """Weighted sums of numbers (n_rows, n_outputs) by leaf, float64 (n_leaves, n_outputs)."""
    return np.stack([np.bincount(leaf, weight * q, n_leaves) for q in numbers.T], axis=1)


def rows_by_leaf(leaf: np.ndarray, n_leaves: int) -> list[np.ndarray]:
    """The rows of every leaf, in their order."""
    order = np.argsort(leaf, kind="stable")
    bounds = np.searchsorted(leaf[order], np.arange(n_leaves + 1))
    return [order[bounds[j] : bounds[j + 1]] for j in range(n_leaves)]
