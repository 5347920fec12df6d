"""Logistic regression in every leaf: its log-odds of the classes are linear in the row.

To the log-odds ``a`` of the model above, the model of a leaf adds ``B z + b_0`` (softmax leaves,
Zharmagambetov, Gabidolla and Carreira-Perpinan 2021, "Softmax tree"), which minimise ::

    sum_n w_n l(a_n + B z_n + b_0, t_n)  +  ridge ||B||^2

The targets t are the classes of the leaf's rows, and of ``smoothing`` rows more, spread over
these, what the model above says: no probability becomes 0.

The Hessian of a row's loss is nowhere above ``(z, 1)(z, 1)' / 2`` for each class (Boehning 1992,
"Multinomial logistic regression algorithm"), so one Cholesky factor serves all steps; Nesterov's
momentum makes them fewer, with a restart where it points back (O'Donoghue and Candes 2015).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.core.routing import class_probabilities
from treecore.learners.nongreedy.cholesky import cholesky, solve_lower, solve_upper
from treecore.learners.nongreedy.leaf_family import (
    Pair,
    ranges_by_leaf,
    rows_by_leaf,
    sums_by_leaf,
    unbounded_scores,
)
from treecore.losses.log import LOG

RIDGES = (0.03, 0.3, 3.0, 30.0)
"""Strengths to choose from, beside none but a constant; a row resists a slope with a quarter of
the square of its length at most."""

CLOSE, CHOICE = 1e-5, 1e-3
"""A fit ends where no coefficient moves by more; the second serves to choose a strength."""

MANY, FOLDS = 3000, 3
"""With more rows one third of them is left out, once; else each third in turn."""


@dataclass(frozen=True)
class LogisticLeaves:
    """Logistic regressions; ``smoothing`` rows in each leaf say what the model above says."""

    n_classes: int
    smoothing: float

    def n_outputs(self, y: np.ndarray) -> int:
        return self.n_classes

    def fit(self, Z, y, weight, leaf, n_leaves: int, n_features: int, ridge: float) -> Pair:
        model = self._nothing(n_leaves, n_features)
        above = np.zeros((len(y), self.n_classes))
        self._fit(Z, y, weight, leaf, above, ridge, CLOSE, *model)
        return model

    def _fit(self, Z, y, weight, leaf, above, ridge, close, slopes, intercept) -> None:
        """Fit the models of all leaves that have rows, from where they are."""
        for j, rows in enumerate(rows_by_leaf(leaf, len(intercept))):
            mass = weight[rows].sum()
            if not mass > 0:
                continue
            share = self.smoothing / mass
            target = share * class_probabilities(above[rows])
            target[np.arange(len(rows)), y[rows]] += 1.0
            target /= 1.0 + share
            given = Z[rows], target, weight[rows] * (1.0 + share), above[rows], ridge
            fit_softmax(*given, close, slopes[j], intercept[j])

    def step(self, Z, y, weight, leaf, n_leaves: int, n_features: int, above: np.ndarray) -> Pair:
        n = len(Z)
        third = np.arange(n) % FOLDS
        parts = [third == k for k in range(FOLDS if n <= MANY else 1)]
        chosen = self._nothing(n_leaves, n_features)
        # Fewer rows cannot be left out in thirds.
        if n < 6 or any(weight[~held].sum() <= 0 for held in parts):
            return chosen
        fits = [self._nothing(n_leaves, n_features) for _ in parts]
        tested = np.logical_or.reduce(parts)
        smallest, strength = _log_loss(above[tested], y[tested], weight[tested]), -1.0
        for ridge in (np.inf, *RIDGES[::-1]):
            cost = 0.0
            for held, model in zip(parts, fits, strict=True):
                rows = ~held
                part = Z[rows], y[rows], weight[rows], leaf[rows], above[rows]
                self._fit(*part, ridge, CHOICE, *_fitted(model, ridge))
                said = above[held] + unbounded_scores(*model, Z[held], leaf[held])
                cost += _log_loss(said, y[held], weight[held])
            if cost < smallest:
                smallest, strength = cost, ridge
        if strength > 0:
            self._fit(Z, y, weight, leaf, above, strength, CLOSE, *_fitted(chosen, strength))
        return chosen

    def _nothing(self, n_leaves: int, n_features: int) -> tuple[np.ndarray, np.ndarray]:
        shape = n_leaves, self.n_classes
        return np.zeros((*shape, n_features)), np.zeros(shape)

    def ends(self, slopes, intercept, Z, y, weight, leaf) -> Pair:
        """The range of the log-odds of each leaf's rows, widened; without rows that of all."""
        scores = unbounded_scores(slopes, intercept, Z, leaf)
        low, high = ranges_by_leaf(scores, weight, leaf, len(intercept))
        empty = np.bincount(leaf, weight, len(intercept)) == 0
        low[empty], high[empty] = scores.min(axis=0), scores.max(axis=0)
        return low, high

    def means(self, scores, weight, leaf, otherwise: np.ndarray) -> np.ndarray:
        """Logarithms of each leaf's mean probabilities, float32; ``otherwise`` without rows."""
        sums = sums_by_leaf(class_probabilities(scores), weight, leaf, len(otherwise))
        mass = sums.sum(axis=1, keepdims=True)
        shares = np.maximum(sums / np.where(mass > 0, mass, 1.0), 1e-30)
        return np.where(mass > 0, np.log(shares), otherwise).astype(np.float32)


def _fitted(model, ridge: float):
    """The part of a model that is fitted: the intercept alone where the ridge is infinite."""
    slopes, intercept = model
    return (slopes if ridge < np.inf else slopes[..., :0]), intercept


def _log_loss(scores, y, weight) -> float:
    return float((weight * LOG.of_predictions(scores, y)).sum())


@kernel(allocates=True)
def fit_softmax(Z, target, weight, above, ridge, close, slopes, intercept):
    """Fit the model of one leaf until no step is above ``close``; see the module docstring."""
    n, k = target.shape
    p = slopes.shape[1]
    total = weight.sum()
    mean = np.zeros(p)
    for i in range(n):
        for j in range(p):
            mean[j] += weight[i] * Z[i, j] / total
    half, factor = np.zeros((p, p)), np.zeros((p, p))  # half of the gram of centred rows
    z = np.zeros(p)
    for i in range(n):
        for j in range(p):
            z[j] = Z[i, j] - mean[j]
        for j in range(p):
            along = 0.5 * weight[i] * z[j]
            for m in range(j + 1):
                half[j, m] += along * z[m]
    if p > 0:
        cholesky(half, 2.0 * ridge, factor)
    B, last, ahead = np.zeros((k, p)), np.zeros((k, p)), np.zeros((k, p))
    b, last_b, ahead_b = np.zeros(k), np.zeros(k), np.zeros(k)  # of centred rows
    for c in range(k):
        b[c] = intercept[c]
        for j in range(p):
            B[c, j] = slopes[c, j]
            b[c] += slopes[c, j] * mean[j]
            ahead[c, j] = B[c, j]
        ahead_b[c] = b[c]
    slope, gradient = np.zeros((k, p)), np.zeros(k)
    pace = 1.0
    for _ in range(300):
        _gradients(Z, mean, target, weight, above, ahead, ahead_b, slope, gradient)
        moved, back = 0.0, 0.0
        last_b[:] = b
        last[:] = B
        b[k - 1], B[k - 1] = 0.0, 0.0
        for c in range(k - 1):
            b[c] = ahead_b[c] - 2.0 * gradient[c] / total
            b[k - 1] -= b[c]
            for j in range(p):
                slope[c, j] = -slope[c, j]
                for m in range(p):
                    slope[c, j] += (half[j, m] if m <= j else half[m, j]) * ahead[c, m]
            solve_lower(factor, slope[c], B[c])
            solve_upper(factor, B[c])
            for j in range(p):
                B[k - 1, j] -= B[c, j]
        for c in range(k):
            moved = max(moved, abs(b[c] - ahead_b[c]))
            back += (ahead_b[c] - b[c]) * (b[c] - last_b[c])
            for j in range(p):
                moved = max(moved, abs(B[c, j] - ahead[c, j]))
                back += (ahead[c, j] - B[c, j]) * (B[c, j] - last[c, j])
        if moved <= close:
            break
        if back > 0.0:
            pace = 1.0
        faster = 0.5 * (1.0 + math.sqrt(1.0 + 4.0 * pace * pace))
        momentum = (pace - 1.0) / faster
        pace = faster
        for c in range(k):
            ahead_b[c] = b[c] + momentum * (b[c] - last_b[c])
            for j in range(p):
                ahead[c, j] = B[c, j] + momentum * (B[c, j] - last[c, j])
    for c in range(k):
        intercept[c] = b[c]
        for j in range(p):
            slopes[c, j] = B[c, j]
            intercept[c] -= B[c, j] * mean[j]


@kernel(allocates=True)
def _gradients(Z, mean, target, weight, above, B, b, by_slope, by_constant):
    """Write the gradient of the weighted log loss of centred rows, but for the last class."""
    n, k = target.shape
    p = mean.shape[0]
    by_slope[:] = 0.0
    by_constant[:] = 0.0
    score, z = np.zeros(k), np.zeros(p)
    for i in range(n):
        for j in range(p):
            z[j] = Z[i, j] - mean[j]
        largest = -np.inf
        for c in range(k):
            score[c] = above[i, c] + b[c]
            for j in range(p):
                score[c] += B[c, j] * z[j]
            largest = max(largest, score[c])
        total = 0.0
        for c in range(k):
            score[c] = math.exp(score[c] - largest)
            total += score[c]
        for c in range(k - 1):
            error = weight[i] * (score[c] / total - target[i, c])
            by_constant[c] += error
            for j in range(p):
                by_slope[c, j] += error * z[j]
