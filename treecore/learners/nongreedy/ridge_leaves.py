"""Ridge regression in every leaf: its linear model of the rows that end there.

With the rows z of a leaf in training coordinates, weights w and targets y, the model minimises ::

    sum_n w_n (y_n - b_0 - b.z_n)^2  +  ridge ||b||^2

by the sums of w z z' and w z y, and their Cholesky factor. Several strengths can be tried at once;
each is told by what it leaves out: the error at a row of the model of all other rows is the
residual divided by ``1 - h_n``, where ``h_n = w_n z_n' (Z'WZ + ridge)^-1 z_n`` (Allen 1974), so no
row need be held out to choose.

Sums are taken here and not by BLAS, whose last bits depend on the processor.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from treecore.core.kernels import kernel
from treecore.core.linear_leaves import LinearLeaves, make_linear

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


def ridge_fits(Z, y, weight, leaf, n_leaves: int, n_features: int, ridges) -> LeafFits:
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
    """
    order = np.argsort(leaf, kind="stable")
    bounds = np.searchsorted(leaf[order], np.arange(n_leaves + 1))
    shape, n_outputs = (len(ridges), n_leaves), y.shape[1]
    fits = LeafFits(
        np.zeros((*shape, n_outputs, n_features)), np.zeros((*shape, n_outputs)), np.zeros(shape)
    )
    strengths = np.asarray(ridges, dtype=np.float64)
    for j in range(n_leaves):
        rows = order[bounds[j] : bounds[j + 1]]
        if weight[rows].sum() > 0:
            parts = fits.slopes[:, j], fits.intercept[:, j], fits.left_out[:, j]
            fit_one_leaf(Z[rows], y[rows], weight[rows], strengths, *parts)
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


def leaf_ranges_of_targets(y, weight, leaf, n_leaves: int, margin: float):
    """The range that each leaf's predictions keep to: that of its targets, widened.

    Parameters
    ----------
    y : float32 array, shape (n_samples, n_outputs)
    weight : float64 array, shape (n_samples,)
        Rows without weight do not count.
    leaf : int32 array, shape (n_samples,)
    n_leaves : int
    margin : float
        Share of the range that is added at either end.

    Returns
    -------
    low, high : float64 arrays, shape (n_leaves, n_outputs)
        Both 0, the mean of all targets, for a leaf without rows.
    """
    low = np.full((n_leaves, y.shape[1]), np.inf)
    high = -low
    some = weight > 0
    np.minimum.at(low, leaf[some], y[some])
    np.maximum.at(high, leaf[some], y[some])
    empty = low > high
    low[empty] = high[empty] = 0.0
    room = margin * (high - low)
    return low - room, high + room


def models_of(slopes, intercept, ends, width: int) -> LinearLeaves:
    """Linear leaves of rows in training coordinates, whose columns beyond the features weigh 0.

    Parameters
    ----------
    slopes : array, shape (n_leaves, n_outputs, n_features)
    intercept : array, shape (n_leaves, n_outputs)
    ends : (array, array), of the same shape
        ``low`` and ``high``.
    width : int
        Columns of such rows.
    """
    weights = np.zeros((*slopes.shape[:2], width), dtype=np.float32)
    weights[..., : slopes.shape[2]] = slopes
    return make_linear(weights, intercept, *ends)


@kernel
def fit_one_leaf(Z, y, weight, ridges, slopes, intercept, left_out):
    """Fit the ridge models of one leaf, for all strengths; see the module docstring.

    Parameters
    ----------
    Z : float32 array, shape (n_rows, >= n_features)
    y : float32 array, shape (n_rows, n_outputs)
    weight : float64 array, shape (n_rows,)
        Some of it positive.
    ridges : float64 array, shape (n_ridges,)
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
    factor = np.zeros((p, p))
    for r in range(ridges.shape[0]):
        cholesky(gram, ridges[r], factor)
        for c in range(q):
            solve_lower(factor, moment[c], slopes[r, c])
            solve_upper(factor, slopes[r, c])
            intercept[r, c] = y_mean[c]
            for j in range(p):
                intercept[r, c] -= slopes[r, c, j] * z_mean[j]
        left_out[r] = 0.0
        for i in range(n):
            if weight[i] == 0.0:
                continue
            for j in range(p):
                z[j] = Z[i, j] - z_mean[j]
            solve_lower(factor, z, z)
            leverage = 1.0 / total
            for j in range(p):
                leverage += z[j] * z[j]
            rest = max(1.0 - weight[i] * leverage, 1e-3)
            for c in range(q):
                error = np.float64(y[i, c]) - intercept[r, c]
                for j in range(p):
                    error -= slopes[r, c, j] * Z[i, j]
                left_out[r] += weight[i] * (error / rest) ** 2


@kernel
def cholesky(gram, ridge, out):
    """Write the lower triangular L with ``L L' = gram + ridge``.

    Parameters
    ----------
    gram : float64 array, shape (p, p)
        Symmetric, not negative; only its lower half is read.
    ridge : float
        Positive.
    out : OUT float64 array, shape (p, p)
        Only its lower half is written.
    """
    p = gram.shape[0]
    for j in range(p):
        for i in range(j, p):
            total = gram[i, j]
            if i == j:
                total += ridge
            for k in range(j):
                total -= out[i, k] * out[j, k]
            # Rounding may leave less than the ridge of a column that others explain.
            out[i, j] = math.sqrt(max(total, 1e-12 * ridge)) if i == j else total / out[j, j]


@kernel
def solve_lower(lower, b, out):
    """Write the x with ``L x = b``.

    Parameters
    ----------
    lower : float64 array, shape (p, p)
    b : float64 array, shape (p,)
    out : OUT float64 array, shape (p,)
        May be b itself.
    """
    for i in range(b.shape[0]):
        total = b[i]
        for k in range(i):
            total -= lower[i, k] * out[k]
        out[i] = total / lower[i, i]


@kernel
def solve_upper(lower, x):
    """Solve ``L' x = b`` in place.

    Parameters
    ----------
    lower : float64 array, shape (p, p)
    x : INOUT float64 array, shape (p,)
        In: b.
    """
    p = x.shape[0]
    for i in range(p - 1, -1, -1):
        total = x[i]
        for k in range(i + 1, p):
            total -= lower[k, i] * x[k]
        x[i] = total / lower[i, i]
