"""Logistic regression in every leaf: its log-odds of the classes are linear in the row.

With the rows z of a leaf, weights w, and the log-odds ``a`` of the branch above, the model adds
``B z + b_0`` to them, which minimises the log loss of its rows with a penalty (softmax leaves,
Zharmagambetov, Gabidolla and Carreira-Perpinan 2021, "Softmax tree")::

    sum_n w_n l(a_n + B z_n + b_0, t_n)  +  ridge ||B||^2  +  l1 ||B||_1

The targets t are the classes, and ``smoothing`` rows more in the leaf, spread over its own, that
say what the branch above says. So no probability becomes 0, and where nothing but b_0 is fitted a
leaf has the shares that a constant one has.

The Hessian of a row's loss is nowhere above ``(z, 1)(z, 1)' / 2`` for each class (Boehning 1992,
"Multinomial logistic regression algorithm"), so one Cholesky factor serves all steps, each of
which lowers the sum; Nesterov's momentum makes them fewer, with a restart where it points back
(O'Donoghue and Candes 2015). Sums are taken here and not by BLAS, whose last bits depend on the
processor.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.core.routing import class_probabilities
from treecore.learners.nongreedy.leaf_family import (
    Ends,
    ranges_by_leaf,
    rows_by_leaf,
    sums_by_leaf,
    unbounded_scores,
)
from treecore.learners.nongreedy.penalised import cholesky, penalised_solution
from treecore.losses import LOG

RIDGES = (0.03, 0.3, 3.0, 30.0)
"""Strengths to choose from, beside none but a constant; a row resists a slope with a quarter of
the square of its length at most."""

MANY, FOLDS = 3000, 3
"""With more rows in a branch one third of them is left out, once; else each third in turn."""

FEWEST = 6
"""Rows of a branch that can be left out in thirds."""

MOST_STEPS = 300
STILL = 1e-5
"""Greatest step of a coefficient at which the fit ends."""


@dataclass(frozen=True)
class LogisticLeaves:
    """Logistic regressions: a :class:`treecore.learners.nongreedy.leaf_family.LeafFamily`.

    Attributes
    ----------
    n_classes : int
    l1 : float
        Penalty on the sizes of the slopes.
    margin : float
        Share by which the range of the log-odds of a leaf's training rows is widened.
    smoothing : float
        Rows that say what the branch above says, or nothing.
    """

    n_classes: int
    l1: float
    margin: float
    smoothing: float

    def fit(self, Z, y, weight, leaf, n_leaves: int, n_features: int, ridge: float):
        """As for :meth:`treecore.learners.nongreedy.leaf_family.LeafFamily.fit`."""
        slopes = np.zeros((n_leaves, self.n_classes, n_features))
        intercept = np.zeros((n_leaves, self.n_classes))
        for j, rows in enumerate(rows_by_leaf(leaf, n_leaves)):
            if weight[rows].sum() > 0:
                above = np.zeros((len(rows), self.n_classes))
                part = Z[rows], y[rows], weight[rows], above
                self._fit(*part, ridge, slopes[j], intercept[j])
        return slopes, intercept

    def _fit(self, Z, y, weight, above, ridge: float, slopes, intercept) -> None:
        """Fit one model, from where its slopes and its intercept are."""
        share = self.smoothing / weight.sum()
        target = share * class_probabilities(above)
        target[np.arange(len(y)), y] += 1.0
        target /= 1.0 + share
        counted = weight * (1.0 + share)
        fit_softmax(Z, target, counted, above, ridge, self.l1, slopes, intercept)

    def step(self, Z, y, weight, above: np.ndarray, n_features: int):
        """As for :meth:`treecore.learners.nongreedy.leaf_family.LeafFamily.step`.

        The strengths are tried from the greatest on, and no more once two have erred more.
        """
        n = len(Z)
        if n < FEWEST:
            return None
        third = np.arange(n) % FOLDS
        parts = [third == k for k in range(FOLDS if n <= MANY else 1)]
        if any(weight[~held].sum() <= 0 for held in parts):
            return None
        fits = [self._nothing(n_features) for _ in parts]
        tested = np.logical_or.reduce(parts)
        least, chosen, misses = _log_loss(above[tested], y[tested], weight[tested]), -1.0, 0
        for ridge in (np.inf, *RIDGES[::-1]):
            cost = 0.0
            for held, (slopes, intercept) in zip(parts, fits, strict=True):
                rows = ~held
                fitted = slopes if ridge < np.inf else slopes[:, :0]
                part = Z[rows], y[rows], weight[rows], above[rows]
                self._fit(*part, ridge, fitted, intercept)
                said = above[held] + _added(slopes, intercept, Z[held])
                cost += _log_loss(said, y[held], weight[held])
            if cost < least:
                least, chosen, misses = cost, ridge, 0
            else:
                misses += 1
            if misses == 2:
                break
        if chosen < 0:
            return None
        slopes, intercept = self._nothing(n_features)
        fitted = slopes if chosen < np.inf else slopes[:, :0]
        self._fit(Z, y, weight, above, chosen, fitted, intercept)
        return slopes, intercept

    def _nothing(self, n_features: int) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros((self.n_classes, n_features)), np.zeros(self.n_classes)

    def ends(self, slopes, intercept, Z, y, weight, leaf) -> Ends:
        """The range of the log-odds of each leaf's rows, widened; without rows that of all."""
        scores = unbounded_scores(slopes, intercept, Z, leaf)
        low, high = ranges_by_leaf(scores, weight, leaf, len(intercept), self.margin)
        empty = np.bincount(leaf, weight, len(intercept)) == 0
        low[empty], high[empty] = scores.min(axis=0), scores.max(axis=0)
        return low, high

    def means(self, scores, weight, leaf, otherwise: np.ndarray) -> np.ndarray:
        """Logarithms of the mean probabilities of the rows of each leaf."""
        sums = sums_by_leaf(class_probabilities(scores), weight, leaf, len(otherwise))
        mass = sums.sum(axis=1, keepdims=True)
        shares = np.maximum(sums / np.where(mass > 0, mass, 1.0), 1e-30)
        return np.where(mass > 0, np.log(shares), otherwise).astype(np.float32)


def _added(slopes, intercept, Z) -> np.ndarray:
    """What a model adds to the log-odds of rows, float64 (n_rows, n_classes)."""
    nowhere = np.zeros(len(Z), dtype=np.int32)
    return unbounded_scores(slopes[None], intercept[None], Z, nowhere)


def _log_loss(scores, y, weight) -> float:
    """Weighted sum of the log loss of rows."""
    return float((weight * LOG.of_predictions(scores, y)).sum())


@kernel(allocates=True)
def fit_softmax(Z, target, weight, above, ridge, l1, slopes, intercept):
    """Fit the model of one leaf; see the module docstring.

    Parameters
    ----------
    Z : float32 array, shape (n_rows, >= n_features)
    target : float64 array, shape (n_rows, n_classes)
        Shares of the classes, which sum to 1.
    weight : float64 array, shape (n_rows,)
        Some of it positive.
    above : float64 array, shape (n_rows, n_classes)
        Log-odds that the model adds to.
    ridge, l1 : float
        The ridge is positive; of no slopes it is not read.
    slopes : INOUT float64 array, shape (n_classes, n_features)
        In: where the descent begins.
    intercept : INOUT float64 array, shape (n_classes,)
    """
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
    if p > 0 and l1 == 0.0:
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
    for _ in range(MOST_STEPS):
        _gradients(Z, mean, target, weight, above, ahead, ahead_b, slope, gradient)
        moved, back = 0.0, 0.0
        for c in range(k):
            last_b[c] = b[c]
            b[c] = ahead_b[c] - 2.0 * gradient[c] / total
            moved = max(moved, abs(b[c] - ahead_b[c]))
            back += (ahead_b[c] - b[c]) * (b[c] - last_b[c])
            for j in range(p):
                last[c, j] = B[c, j]
                slope[c, j] = -slope[c, j]
                for m in range(p):
                    slope[c, j] += (half[j, m] if m <= j else half[m, j]) * ahead[c, m]
            penalised_solution(half, factor, slope[c], 2.0 * ridge, 2.0 * l1, B[c])
            for j in range(p):
                moved = max(moved, abs(B[c, j] - ahead[c, j]))
                back += (ahead[c, j] - B[c, j]) * (B[c, j] - last[c, j])
        if moved <= STILL:
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
    """Write the gradient of the weighted log loss by slopes and constants of centred rows."""
    n, k = target.shape
    p = mean.shape[0]
    by_slope[:] = 0.0
    by_constant[:] = 0.0
    score, z = np.zeros(k), np.zeros(p)
    for i in range(n):
        for j in range(p):
            z[j] = Z[i, j] - mean[j]
        greatest = -np.inf
        for c in range(k):
            score[c] = above[i, c] + b[c]
            for j in range(p):
                score[c] += B[c, j] * z[j]
            greatest = max(greatest, score[c])
        total = 0.0
        for c in range(k):
            score[c] = math.exp(score[c] - greatest)
            total += score[c]
        for c in range(k):
            error = weight[i] * (score[c] / total - target[i, c])
            by_constant[c] += error
            for j in range(p):
                by_slope[c, j] += error * z[j]
