"""Metrics of a growing forest on some rows: accuracy or explained variance, and loss."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from treecore.data.validation import TargetScaling
from treecore.ensembles.boosting import Boosting
from treecore.rows.column_sums import row_parts
from treecore.rows.training_rows import TrainingRows


class RunningScores:
    """Metrics of a growing forest on some rows: sums over its trees so far, row by row."""

    def __init__(self, rows: TrainingRows, units: TargetScaling, boosting: Boosting | None):
        self.rows, self._units, self._boosting = rows, units, boosting
        self._sums = np.zeros((len(rows.y), rows.n_outputs))
        self._exponents = np.zeros(0 if boosting is None else len(rows.y))
        self._total = 0.0

    def add(
        self, votes: np.ndarray, leaf: np.ndarray, vote: float, wrong: np.ndarray | None
    ) -> None:
        """Add a tree: votes (n_leaves, n_outputs) by leaf (n_samples,), ``wrong`` if boosted."""
        for part in row_parts(*self._sums.shape):
            self._sums[part] += votes[leaf[part]]
        self._total += vote
        if self._boosting is not None:
            assert wrong is not None, "boosting needs classes"
            self._boosting.add_exponents(self._exponents, wrong, vote)

    def figures(self, without_trees: np.ndarray | None = None) -> dict[str, float]:
        """Figures by name, none without rows; without_trees: the scores before a tree."""
        rows = self.rows
        if not len(rows.y):
            return {}

        def scores_of(part: slice) -> np.ndarray:
            if self._total:
                return self._sums[part] / self._total
            assert without_trees is not None, "there is no tree"
            return np.tile(without_trees, (len(rows.y[part]), 1))

        if rows.loss.task == "classification":
            right, class_share = judged(scores_of, rows.y, rows.n_outputs)
            figures = {"accuracy": float(np.average(right, weights=rows.weight))}
            each = -np.log(np.maximum(class_share, np.finfo(np.float64).tiny))
            if self._boosting is not None:
                each = np.exp(np.minimum(self._exponents, 700))
        else:
            scores = scores_of(slice(None))
            figures = figures_of(rows, scores, self._units)
            each = rows.loss.of_predictions(
                (scores - self._units.centre) / self._units.spread, rows.y
            )
        return figures | {"loss": float(np.average(each, weights=rows.weight))}


def judged(
    scores_of: Callable[[slice], np.ndarray], y: np.ndarray, n_classes: int
) -> tuple[np.ndarray, np.ndarray]:
    """Which rows are right, and the scores of their classes, both (n_samples,), part by part."""
    right, scores_of_labels = np.empty(len(y), dtype=bool), np.empty(len(y))
    for part in row_parts(len(y), n_classes):
        scores = scores_of(part)
        right[part] = scores.argmax(axis=1) == y[part]
        scores_of_labels[part] = scores[np.arange(len(scores)), y[part]]
    return right, scores_of_labels


def figures_of(rows: TrainingRows, scores: np.ndarray, units: TargetScaling) -> dict[str, float]:
    """Weighted accuracy, or R² and squared error in the targets' units, by scores of the rows."""
    if rows.loss.task == "classification":
        right = scores.argmax(axis=1) == rows.y
        return {"accuracy": float(np.average(right, weights=rows.weight))}
    targets = rows.y * units.spread + units.centre
    error = float(np.average(((scores - targets) ** 2).mean(axis=1), weights=rows.weight))
    return {"r2": explained(error, variance(targets, rows.weight)), "mse": error}


def variance(targets: np.ndarray, weight: np.ndarray) -> float:
    """Weighted variance of numbers (n_samples, n_outputs), its mean over the outputs."""
    middle = np.average(targets, axis=0, weights=weight)
    return float(np.average(((targets - middle) ** 2).mean(axis=1), weights=weight))


def explained(error: float, variance: float) -> float:
    """R²: the share of a variance that is explained; of no variance 1 without an error, else 0."""
    return 1.0 - error / variance if variance > 0 else float(error == 0)
