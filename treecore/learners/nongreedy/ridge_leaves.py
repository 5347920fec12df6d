"""Ridge regression in every leaf: its linear model of the rows that end there.

With the rows z of a leaf in training coordinates, weights w and targets y, the model minimises ::

    sum_n w_n (y_n - b_0 - b.z_n)^2  +  ridge ||b||^2

by the sums of w z z' and w z y, and their Cholesky factor. Several strengths are tried at once.
Each is judged by what it leaves out: the error at a row of the model of all other rows is the
residual divided by ``1 - h_n``, where ``h_n = w_n z_n' (Z'WZ + ridge)^-1 z_n`` (Allen 1974).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.learners.nongreedy.cholesky import cholesky, solve_lower, solve_upper
from treecore.learners.nongreedy.leaf_family import (
    Pair,
    ranges_by_leaf,
    rows_by_leaf,
    sums_by_leaf,
)

RIDGES = (0.03, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 1000.0, 1e5)
"""Strengths to choose from, in rows of length 1 that say 0."""

STEADY_RIDGE = 1.0
"""The strength while splits are learnt, where the last one is chosen: an objective needs one."""

MAX_FEATURES = 1000
"""Most features of a linear leaf: its Cholesky factor costs their cube."""


@dataclass(frozen=True)
class RidgeLeaves:
    """Ridge regressions of numbers."""

    def n_outputs(self, y: np.ndarray) -> int:
        """How many scores a row has."""
        return y.shape[1]

    def fit(self, Z, y, weight, leaf, n_leaves: int, n_features: int, ridge: float) -> Pair:
        """Slopes (n_leaves, n_outputs, n_features) and intercepts of each leaf; 0 without rows."""
        slopes, intercept, _ = _fits(Z, y, weight, leaf, n_leaves, n_features, (ridge,))
        return slopes[0], intercept[0]

    def step(self, Z, y, weight, leaf, n_leaves: int, n_features: int, above: np.ndarray) -> Pair:
        """The same of what leaves add to the scores ``above``, float64 (n_samples, n_outputs).

        By the one strength that errs least on rows left out; zeros if none beats ``above``.
        """
        rest = y - above
        given = Z, rest.astype(np.float32), weight, leaf, n_leaves, n_features
        slopes, intercept, left_out = _fits(*given, RIDGES)
        best = len(RIDGES) - 1 - left_out[::-1].argmin()  # of equals the greatest strength
        if left_out[best] >= (weight[:, None] * rest**2).sum():
            return np.zeros_like(slopes[0]), np.zeros_like(intercept[0])
        return slopes[best], intercept[best]

    def ends(self, slopes, intercept, Z, y, weight, leaf) -> Pair:
        """The range of each leaf's targets, widened; 0, the mean of all, without rows."""
        return ranges_by_leaf(y, weight, leaf, len(intercept))

    def means(self, scores, weight, leaf, otherwise: np.ndarray) -> np.ndarray:
        """The mean prediction of each leaf's rows, float32; ``otherwise`` without rows."""
        mass = np.bincount(leaf, weight, len(otherwise))[:, None]
        sums = sums_by_leaf(scores, weight, leaf, len(otherwise))
        means = sums / np.where(mass > 0, mass, 1.0)
        return np.where(mass > 0, means, otherwise).astype(np.float32)


def _fits(Z, y, weight, leaf, n_leaves: int, n_features: int, ridges):
    """Models of all leaves for each strength, and squared errors at rows left out, (n_ridges,)."""
    shape, n_outputs = (len(ridges), n_leaves), y.shape[1]
    slopes, intercept = np.zeros((*shape, n_outputs, n_features)), np.zeros((*shape, n_outputs))
    left_out, strengths = np.zeros(shape), np.asarray(ridges, dtype=np.float64)
    for j, rows in enumerate(rows_by_leaf(leaf, n_leaves)):
        if weight[rows].sum() > 0:
            parts = slopes[:, j], intercept[:, j], left_out[:, j]
            fit_one_leaf(Z[rows], y[rows], weight[rows], strengths, *parts)
    return slopes, intercept, left_out.sum(axis=1)


@kernel(allocates=True)
def fit_one_leaf(Z, y, weight, ridges, slopes, intercept, left_out):
    """Fit the ridge models of one leaf, for all strengths, by rows of which some have weight."""
    n, q = y.shape
    p = slopes.shape[2]
    total = weight.sum()
    z_mean, y_mean = np.zeros(p), np.zeros(q)
    for i in range(n):
        for j in range(p):
            z_mean[j] += weight[i] * Z[i, j] / total
        for c in range(q):
            y_mean[c] += weight[i] * y[i, c] / total
    gram, moment = np.zeros((p, p)), np.zeros((q, p))
    z = np.zeros(p)
    for i in range(n):
        for j in range(p):
            z[j] = Z[i, j] - z_mean[j]
        for j in range(p):
            along = weight[i] * z[j]
            for k in range(j + 1):
                gram[j, k] += along * z[k]
            for c in range(q):
                moment[c, j] += along * (y[i, c] - y_mean[c])
    factor, leverage = np.zeros((p, p)), np.zeros(n)
    for r in range(ridges.shape[0]):
        cholesky(gram, ridges[r], factor)
        left_out[r] = 0.0
        for i in range(n):
            for j in range(p):
                z[j] = Z[i, j] - z_mean[j]
            solve_lower(factor, z, z)
            leverage[i] = 1.0 / total
            for j in range(p):
                leverage[i] += z[j] * z[j]
        for c in range(q):
            solve_lower(factor, moment[c], slopes[r, c])
            solve_upper(factor, slopes[r, c])
            intercept[r, c] = y_mean[c]
            for j in range(p):
                intercept[r, c] -= slopes[r, c, j] * z_mean[j]
            for i in range(n):
                if weight[i] == 0.0:
                    continue
                rest = max(1.0 - weight[i] * leverage[i], 1e-3)
                error = np.float64(y[i, c]) - intercept[r, c]
                for j in range(p):
                    error -= slopes[r, c, j] * Z[i, j]
                left_out[r] += weight[i] * (error / rest) ** 2
