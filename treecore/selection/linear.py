"""A linear model of rows: logistic regressions, one for each class against all others, or ridge."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from treecore.core.scaling import Scaling
from treecore.learners.nongreedy.tao.oblique_cut import fit_split
from treecore.rows.training_rows import TrainingRows

Answers = Callable[[np.ndarray], np.ndarray]
"""From rows, float32 (n_rows, n_features), to probabilities or numbers, (n_rows, n_outputs)."""

FARTHEST = 10.0
"""Values are drawn in to so many deviations from the mean: an outlier says no more than that."""

STEEPEST = 30.0
"""Greatest size of a score: its probability is 1 less 1e-13."""

NEWTON_STEPS = 30


def fit_linear(rows: TrainingRows) -> Answers:
    """Fit a linear model with an elastic net (classes) or a ridge (numbers) of usual strength.

    rows: dense; of two classes at least where targets are classes.
    """
    if rows.loss.task == "regression":
        return _fit_numbers(rows)
    return _fit_classes(rows)


def _fit_classes(rows: TrainingRows) -> Answers:
    scaling = Scaling.fit(rows.X, robust=True)
    everyone = np.arange(len(rows.y), dtype=np.int32)  # as TAO has them: the same compiled code
    present = np.unique(rows.y)
    fits = [
        fit_split(
            scaling,
            rows.X,
            everyone,
            rows.y == c,
            rows.weight,
            np.zeros(scaling.n_features),
            0.0,
            C=1.0,
            ridge=1.0,
            max_iter=NEWTON_STEPS,
        )
        for c in (present[1:] if len(present) == 2 else present)
    ]

    def answers(X: np.ndarray) -> np.ndarray:
        out = np.zeros((len(X), rows.n_outputs))
        if len(present) == 2:
            high = _probability(X, *fits[0])
            out[:, present[0]], out[:, present[1]] = 1.0 - high, high
            return out
        for c, fit in zip(present, fits, strict=True):
            out[:, c] = _probability(X, *fit)
        return out / out.sum(axis=1, keepdims=True)

    return answers


def _probability(X: np.ndarray, weights: np.ndarray, threshold: np.float32) -> np.ndarray:
    score = np.empty(len(X))
    for start in range(0, len(X), 4096):
        part = slice(start, start + 4096)
        # Sums, not matrix products: BLAS adds in an order that depends on the processor.
        score[part] = (X[part].astype(np.float64) * weights).sum(axis=1)
    return 1.0 / (1.0 + np.exp(-np.clip(score - threshold, -STEEPEST, STEEPEST)))


def _fit_numbers(rows: TrainingRows) -> Answers:
    """Ridge regression, whose answers stay within the range of the targets."""
    scaling = Scaling.fit(rows.X, robust=True)

    def coordinates(X) -> np.ndarray:
        return np.clip(scaling.transform(X).astype(np.float64), -FARTHEST, FARTHEST)

    Z, y = coordinates(rows.X), rows.y.astype(np.float64)
    weighted = Z * rows.weight[:, None]
    gram = np.einsum("ij,ik->jk", weighted, Z) + np.eye(Z.shape[1])
    slopes = np.linalg.solve(gram, np.einsum("ij,ik->jk", weighted, y))
    low, high = y.min(axis=0), y.max(axis=0)

    def answers(X: np.ndarray) -> np.ndarray:
        return np.clip(np.einsum("ij,jk->ik", coordinates(X), slopes), low, high)

    return answers
