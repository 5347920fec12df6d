"""Calibration: whether of rows that are promised a class with 80 %, 80 % have it.

In bins of confidence, the probability of the predicted class, its mean is compared with the share
that is right: a reliability diagram (DeGroot and Fienberg 1983), and the expected calibration error
(Naeini, Cooper and Hauskrecht 2015; Guo et al. 2017, *On calibration of modern neural networks*,
equation 3).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Reliability:
    """Means by bins of confidence, (edges[i], edges[i + 1]], (n_bins,) each; NaN in empty ones.

    error: the expected calibration error, 0 to 1; NaN without rows.
    """

    edges: np.ndarray
    rows: np.ndarray
    confidence: np.ndarray
    accuracy: np.ndarray
    error: float


def reliability(probabilities: np.ndarray, y: np.ndarray, n_bins: int = 10) -> Reliability:
    """How far probabilities (n_samples, n_classes) of predicted classes are from what is true."""
    if probabilities.ndim != 2 or len(probabilities) != len(y):
        raise ValueError("probabilities must have one row for each class index in y")
    if n_bins < 1:
        raise ValueError(f"n_bins={n_bins!r} must be 1 or more")
    edges = np.linspace(0.0, 1.0, n_bins + 1)
    sure = probabilities.max(axis=1) if len(y) else np.empty(0)
    right = (probabilities.argmax(axis=1) == y).astype(np.float64) if len(y) else np.empty(0)
    at = np.clip(np.searchsorted(edges, sure, side="left") - 1, 0, n_bins - 1)
    rows = np.bincount(at, minlength=n_bins)
    safe = np.where(rows > 0, rows, 1)
    confidence = np.bincount(at, sure, n_bins) / safe
    accuracy = np.bincount(at, right, n_bins) / safe
    error = np.nan
    if len(y):
        error = float((rows * np.abs(confidence - accuracy)).sum() / len(y))
    none = rows == 0
    return Reliability(
        edges,
        rows,
        np.where(none, np.nan, confidence),
        np.where(none, np.nan, accuracy),
        error,
    )
