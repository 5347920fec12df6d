"""What TAO does at the end of an iteration: every leaf takes the best values for its rows."""

from __future__ import annotations

import numpy as np

from treecore.losses.base import Loss


def smoothing_costs(values: np.ndarray, loss: Loss, smoothing: float) -> np.ndarray:
    """What ``smoothing`` examples at 0 cost in every leaf, float64 (n_leaves,)."""
    at_zero = np.zeros(values.shape, dtype=np.float32)
    leaves = np.arange(len(values), dtype=np.int32)
    return smoothing * loss.of_rows(values, leaves, at_zero).astype(np.float64)


def refit_leaves(
    values: np.ndarray,
    leaf: np.ndarray,
    y: np.ndarray,
    weight: np.ndarray,
    loss: Loss,
    smoothing: float,
) -> tuple[np.ndarray, np.ndarray]:
    """The best values of every leaf for its rows, and bool (n_leaves,), those that have changed.

    A leaf keeps its values without rows, and where new numbers would not cost less.
    """

    def costs(of: np.ndarray) -> np.ndarray:
        rows = weight * loss.of_rows(of, leaf, y).astype(np.float64)
        return np.bincount(leaf, rows, len(of)) + smoothing_costs(of, loss, smoothing)

    fitted = loss.constants(leaf, y, weight, *values.shape, smoothing)
    changed = np.bincount(leaf, weight, len(values)) > 0
    if loss.task == "regression":
        changed &= costs(fitted) < costs(values)
    return np.where(changed[:, None], fitted, values), changed
