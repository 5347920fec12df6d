"""What the models of linear leaves are: ridge regressions of numbers, logistic ones of classes.

The *score* that a model gives a row is the number predicted, or the log-odds of a class.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from treecore.core.linear_leaves import LinearLeaves, linear_predictions, make_linear

LARGEST = float(np.finfo(np.float32).max)


Ends = tuple[np.ndarray, np.ndarray]
"""The least and the greatest score of every leaf, float64 (n_leaves, n_outputs) each."""


class LeafFamily(Protocol):
    """The models that leaves may have; see the module docstring."""

    def n_outputs(self, y: np.ndarray) -> int:
        """Scores of a row."""
        ...

    def fit(
        self, Z, y, weight, leaf, n_leaves: int, n_features: int, ridge: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Fit the models of all leaves, each by itself; those of a leaf without rows are 0.

        ridge: how strongly slopes are drawn to 0, in rows. Returns slopes, float64 (n_leaves,
        n_outputs, n_features), and intercepts (n_leaves, n_outputs).
        """
        ...

    def step(
        self, Z, y, weight, leaf, n_leaves: int, n_features: int, above: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Fit what the leaves add to the scores ``above``, float64 (n_samples, n_outputs).

        By the one strength that errs least on rows left out; zeros if none beats ``above``.
        """
        ...

    def ends(self, slopes, intercept, Z, y, weight, leaf) -> Ends:
        """The range that each leaf's scores keep to, low and high (n_leaves, n_outputs)."""
        ...

    def means(self, scores, weight, leaf, otherwise: np.ndarray) -> np.ndarray:
        """What leaves say on average, float32 (n_leaves, n_outputs); ``otherwise`` without rows."""
        ...


def models_of(slopes, intercept, ends: Ends, width: int) -> LinearLeaves:
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
    far = np.full(intercept.shape, LARGEST)
    return scores_of(models_of(slopes, intercept, (-far, far), Z.shape[1]), Z, leaf)


def ranges_by_leaf(numbers, weight, leaf, n_leaves: int) -> Ends:
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
