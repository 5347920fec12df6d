"""Ridge regression in every leaf: its linear model of the rows that end there.

With the rows z of a leaf in training coordinates, weights w and targets y, the model minimises ::

    sum_n w_n (y_n - b_0 - b.z_n)^2  +  ridge ||b||^2  +  l1 ||b||_1

by the sums of w z z' and w z y, and their Cholesky factor, or where slopes shall be sparse by
coordinate descent (:mod:`treecore.learners.nongreedy.penalised`). Several strengths can be tried at
once; each is told by what it leaves out: the error at a row of the model of all other rows is the
residual divided by ``1 - h_n``, where ``h_n = w_n z_n' (Z'WZ + ridge)^-1 z_n`` (Allen 1974), so no
row need be held out to choose. Where slopes are sparse that is so of the features that have one, as
long as the same ones would be chosen without the row (Rad and Maleki 2020).

Sums are taken here and not by BLAS, whose last bits depend on the processor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.learners.nongreedy.leaf_family import (
    Ends,
    ranges_by_leaf,
    rows_by_leaf,
    sums_by_leaf,
)
from treecore.learners.nongreedy.penalised import cholesky, penalised_solution, solve_lower

RIDGES = (0.03, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 1000.0, 1e5)
"""Strengths to choose from, in rows: as many rows of length 1 would hold the slopes at 0."""

STEADY_RIDGE = 1.0
"""The strength while splits are learnt, where the last one is chosen: an objective needs one."""

MAX_FEATURES = 1000
"""Most features of a linear leaf: its Cholesky factor costs their cube."""


class LeafFits(NamedTuple):
    """Models of all leaves, one for every strength.

    Attributes
    ----------
    slopes : float64 array, shape (n_ridges, n_leaves, n_outputs, n_features)
    intercept : float64 array, shape (n_ridges, n_leaves, n_outputs)
    left_out : float64 array, shape (n_ridges, n_leaves)
        Weighted sum of the squared errors at rows that the model has not seen.
    """

    slopes: np.ndarray
    intercept: np.ndarray
    left_out: np.ndarray


def ridge_fits(
    Z, y, weight, leaf, n_leaves: int, n_features: int, ridges, l1: float = 0.0
) -> LeafFits:
    """Fit the models of all leaves; those of a leaf without rows are 0.

    Parameters
    ----------
    Z : float32 array, shape (n_samples, width)
        Rows; columns from ``n_features`` on are not read.
    y : float32 array, shape (n_samples, n_outputs)
    weight : float64 array, shape (n_samples,)
    leaf : int32 array, shape (n_samples,)
        The leaf of every row.
    n_leaves, n_features : int
    ridges : sequence of float
        Strengths, positive.
    l1 : float
        Penalty on the sizes of the slopes.
    """
    shape, n_outputs = (len(ridges), n_leaves), y.shape[1]
    fits = LeafFits(
        np.zeros((*shape, n_outputs, n_features)), np.zeros((*shape, n_outputs)), np.zeros(shape)
    )
    strengths = np.asarray(ridges, dtype=np.float64)
    for j, rows in enumerate(rows_by_leaf(leaf, n_leaves)):
        if weight[rows].sum() > 0:
            parts = fits.slopes[:, j], fits.intercept[:, j], fits.left_out[:, j]
            fit_one_leaf(Z[rows], y[rows], weight[rows], strengths, l1, *parts)
    return fits


def chosen_fits(fits: LeafFits, ridges) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The models of the strength that is best for each leaf on rows left out, and their ridges.

    Of equals the greatest strength is taken.

    Parameters
    ----------
    fits : LeafFits
    ridges : sequence of float
        Its strengths, rising.

    Returns
    -------
    slopes : float64 array, shape (n_leaves, n_outputs, n_features)
    intercept : float64 array, shape (n_leaves, n_outputs)
    ridge : float64 array, shape (n_leaves,)
    """
    n_ridges = len(ridges)
    best = n_ridges - 1 - fits.left_out[::-1].argmin(axis=0)
    leaves = np.arange(fits.left_out.shape[1])
    return fits.slopes[best, leaves], fits.intercept[best, leaves], np.asarray(ridges)[best]


@dataclass(frozen=True)
class RidgeLeaves:
    """Ridge regressions: a :class:`treecore.learners.nongreedy.leaf_family.LeafFamily` of numbers.

    Attributes
    ----------
    l1 : float
        Penalty on the sizes of the slopes.
    margin : float
        Share by which the range of a leaf's targets is widened.
    """

    l1: float
    margin: float

    def fit(self, Z, y, weight, leaf, n_leaves: int, n_features: int, ridge: float):
        """As for :meth:`treecore.learners.nongreedy.leaf_family.LeafFamily.fit`."""
        fits = ridge_fits(Z, y, weight, leaf, n_leaves, n_features, [ridge], self.l1)
        return fits.slopes[0], fits.intercept[0]

    def step(self, Z, y, weight, above: np.ndarray, n_features: int):
        """As for :meth:`treecore.learners.nongreedy.leaf_family.LeafFamily.step`."""
        nowhere, rest = np.zeros(len(Z), dtype=np.int32), y - above
        targets = rest.astype(np.float32)
        fits = ridge_fits(Z, targets, weight, nowhere, 1, n_features, RIDGES, self.l1)
        if fits.left_out.min() >= (weight[:, None] * rest**2).sum():
            return None
        slopes, intercept, _ = chosen_fits(fits, RIDGES)
        return slopes[0], intercept[0]

    def ends(self, slopes, intercept, Z, y, weight, leaf) -> Ends:
        """The range of each leaf's targets, widened; 0, the mean of all, without rows."""
        return ranges_by_leaf(y, weight, leaf, len(intercept), self.margin)

    def means(self, scores, weight, leaf, otherwise: np.ndarray) -> np.ndarray:
        """The mean of what is predicted for the rows of each leaf."""
        mass = np.bincount(leaf, weight, len(otherwise))[:, None]
        sums = sums_by_leaf(scores, weight, leaf, len(otherwise))
        return np.where(mass > 0, sums / np.where(mass > 0, mass, 1.0), otherwise).astype(
            np.float32
        )


@kernel(allocates=True)
def fit_one_leaf(Z, y, weight, ridges, l1, slopes, intercept, left_out):
    """Fit the ridge models of one leaf, for all strengths; see the module docstring.

    Parameters
    ----------
    Z : float32 array, shape (n_rows, >= n_features)
    y : float32 array, shape (n_rows, n_outputs)
    weight : float64 array, shape (n_rows,)
        Some of it positive.
    ridges : float64 array, shape (n_ridges,)
    l1 : float
    slopes : OUT float64 array, shape (n_ridges, n_outputs, n_features)
    intercept : OUT float64 array, shape (n_ridges, n_outputs)
    left_out : OUT float64 array, shape (n_ridges,)
    """
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
    factor, active = np.zeros((p, p)), np.zeros((p, p))
    leverage = np.zeros(n)
    for r in range(ridges.shape[0]):
        cholesky(gram, ridges[r], factor)
        left_out[r] = 0.0
        for c in range(q):
            if r > 0 and l1 > 0.0:
                slopes[r, c] = slopes[r - 1, c]  # where coordinate descent begins
            penalised_solution(gram, factor, moment[c], ridges[r], l1, slopes[r, c])
            intercept[r, c] = y_mean[c]
            for j in range(p):
                intercept[r, c] -= slopes[r, c, j] * z_mean[j]
            if l1 > 0.0:
                _keep_active(gram, slopes[r, c], active)
                cholesky(active, ridges[r], factor)
            if c == 0 or l1 > 0.0:
                _leverages(Z, z_mean, factor, slopes[r, c], l1 > 0.0, total, leverage)
            for i in range(n):
                if weight[i] == 0.0:
                    continue
                rest = max(1.0 - weight[i] * leverage[i], 1e-3)
                error = np.float64(y[i, c]) - intercept[r, c]
                for j in range(p):
                    error -= slopes[r, c, j] * Z[i, j]
                left_out[r] += weight[i] * (error / rest) ** 2


@kernel
def _keep_active(gram, slopes, out):
    """Write the gram of the features that have a slope, and 0 for all others."""
    p = gram.shape[0]
    for j in range(p):
        for k in range(j + 1):
            out[j, k] = gram[j, k] if slopes[j] != 0.0 and slopes[k] != 0.0 else 0.0


@kernel(allocates=True)
def _leverages(Z, z_mean, factor, slopes, sparse, total, out):
    """Write z'(Z'WZ + ridge)^-1 z of every row, and the constant's share of it."""
    p = slopes.shape[0]
    z = np.zeros(p)
    for i in range(out.shape[0]):
        for j in range(p):
            z[j] = 0.0 if sparse and slopes[j] == 0.0 else Z[i, j] - z_mean[j]
        solve_lower(factor, z, z)
        out[i] = 1.0 / total
        for j in range(p):
            out[i] += z[j] * z[j]
