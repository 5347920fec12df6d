"""Cuts for a tree whose leaves are linear models: each is the one behind which models err least.

A regression tree's cuts part rows of great targets from rows of small ones, which a linear model
tells apart without a cut. So here a node takes the cut for which two ridge regressions, one on each
side, have the least

    sum_n w_n (y_n - b_0 - b.z_n)^2  +  ridge ||b||^2

together, and is cut only where that spares more than ``price`` times the regression's parameters
times the mean squared error of the node: two would be Akaike's criterion, had the cut been given.

Every candidate is judged exactly, without a fit of its own rows: the rows of a node add their
``w z z'``, ``w z y`` and ``w y^2`` to the sums of their bin of each feature, the sums of all bins
on one side are those of the side, and a Cholesky factor of them gives its error. A feature of more
values than :data:`BINS` may be cut between bins of about as many rows each. So a tree of some
thousand rows takes a tenth of a second.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.core.thresholds import threshold_between
from treecore.core.tree import OBLIQUE, Tree, make_tree

BINS = 64
"""Bins of a feature at most: with 32 California lost nothing, with 16 cpuact lost a thirtieth."""

RIDGE = 1.0
"""The strength of the regressions, in rows."""

FARTHEST = 10.0
"""Values of regressions are drawn in to so many deviations: outliers choose no cut."""


_TOGETHER = 64
"""Rows whose terms are added to the bins one feature after another."""


class BinnedFeature(NamedTuple):
    """Where a feature may be cut.

    Attributes
    ----------
    codes : int64 array, shape (n_samples,)
        The bin of every row.
    thresholds : float32 array, shape (n_bins - 1,)
        Between each bin and the next.
    """

    codes: np.ndarray
    thresholds: np.ndarray


def bin_feature(x: np.ndarray, n_bins: int = BINS) -> BinnedFeature:
    """Bins of about as many rows each, or of one value each where these are few.

    Parameters
    ----------
    x : float32 array, shape (n_samples,)
    n_bins : int
        At most.
    """
    ordered = np.sort(x)
    first = np.unique(ordered)
    if len(first) > n_bins:
        first = np.unique(ordered[np.arange(n_bins) * len(x) // n_bins])
    first = first[first > ordered[0]]  # the least value of every bin but the first
    below = ordered[np.searchsorted(ordered, first) - 1]
    cuts = [threshold_between(a, b) for a, b in zip(below, first, strict=True)]
    codes = np.searchsorted(first, x, side="right").astype(np.int64)
    return BinnedFeature(codes, np.array(cuts, dtype=np.float32))


def pair_directions(deviation: np.ndarray) -> np.ndarray:
    """Sums and differences of any two features, each divided by its deviation.

    Parameters
    ----------
    deviation : float64 array, shape (n_features,)

    Returns
    -------
    float32 array, shape (n_features * (n_features - 1), n_features)
    """
    p = len(deviation)
    one, other = np.triu_indices(p, 1)
    places = np.arange(len(one))
    directions = np.zeros((2, len(one), p))
    directions[:, places, one] = 1.0 / deviation[one]
    directions[0, places, other] = 1.0 / deviation[other]
    directions[1, places, other] = -1.0 / deviation[other]
    return directions.reshape(-1, p).astype(np.float32)


def grow_model_cuts(
    X,
    Z,
    y,
    weight,
    depth: int,
    min_samples_leaf: int,
    price: float = 2.0,
    directions: np.ndarray | None = None,
) -> Tree:
    """Grow the cuts; leaves get their models afterwards, and predict 0.

    Parameters
    ----------
    X : float32 array, shape (n_samples, n_features)
        What is cut.
    Z : array, shape (n_samples, n_regressors)
        What the models read.
    y : float32 array, shape (n_samples, n_outputs)
    weight : float64 array, shape (n_samples,)
        Rows without weight are left out.
    depth : int
    min_samples_leaf : int
        Rows with weight.
    price : float
        See the module docstring.
    directions : float32 array, shape (n_directions, n_features), or None
        Inner products with these may be cut as well.
    """
    n, p = X.shape
    if directions is None:
        directions = np.empty((0, p), dtype=np.float32)
    columns = [*X.T, *(np.float32((X * w).sum(axis=1)) for w in directions)]
    binned = [bin_feature(np.ascontiguousarray(column)) for column in columns]
    codes = np.stack([feature.codes for feature in binned], axis=1)
    n_bins = 1 + max(len(feature.thresholds) for feature in binned)
    regressors = np.clip(np.asarray(Z, dtype=np.float64), -FARTHEST, FARTHEST)
    D = np.ascontiguousarray(np.hstack([np.ones((n, 1)), regressors]))
    y = np.ascontiguousarray(y, dtype=np.float64)
    q, k = D.shape[1], y.shape[1]
    sums = np.empty((len(columns), n_bins, _width(q, k)))
    splits: list[list] = []
    n_leaves = 0
    # Of the left branch first; where a node is to be hung: a split, and whether on its right.
    waiting = [(np.flatnonzero(weight > 0), 0, -1, False)]
    while waiting:
        rows, level, parent, on_right = waiting.pop()
        feature = -1
        if level < depth and len(rows) >= 2 * min_samples_leaf:
            sums[:] = 0.0
            add_moments(D, y, weight, codes, rows, sums)
            whole, parted, feature, last = best_model_cut(sums, q, k, RIDGE, min_samples_leaf)
            if whole - parted <= price * q * whole / weight[rows].sum():
                feature = -1
        here = ~n_leaves
        if feature >= 0:
            here = len(splits)
            splits.append([feature, binned[feature].thresholds[last], 0, 0])
            left = codes[rows, feature] <= last
            waiting.append((rows[~left], level + 1, here, True))
            waiting.append((rows[left], level + 1, here, False))
        else:
            n_leaves += 1
        if parent >= 0:
            splits[parent][3 if on_right else 2] = here
    cut = np.array([split[0] for split in splits], dtype=np.int64)
    thresholds, on_left, on_right_side = ([split[at] for split in splits] for at in (1, 2, 3))
    oblique = cut >= p
    row = np.where(oblique, np.cumsum(oblique) - 1, -1)
    features, weights = np.where(oblique, OBLIQUE, cut), directions[cut[oblique] - p]
    values = np.zeros((n_leaves, k))
    return make_tree(weights, thresholds, features, row, on_left, on_right_side, values)


def _width(q: int, k: int) -> int:
    """Numbers that are summed of a row: half a Gram matrix, moments, a square, and one."""
    return q * (q + 1) // 2 + k * q + 2


@kernel
def add_moments(D, y, weight, codes, rows, sums):
    """Add what regressions need of some rows to the bins of every feature.

    Parameters
    ----------
    D : float64 array, shape (n_samples, q)
        Regressors, the constant first.
    y : float64 array, shape (n_samples, k)
    weight : float64 array, shape (n_samples,)
    codes : int64 array, shape (n_samples, n_features)
        Bins.
    rows : int64 array, shape (n_rows,)
    sums : INOUT float64 array, shape (n_features, n_bins, width)
        The lower half of the Gram matrix, row by row; q moments for each output; the squares of the
        targets; the number of rows.
    """
    q, k, width = D.shape[1], y.shape[1], sums.shape[2]
    terms = np.zeros((_TOGETHER, width))
    # Rows a few at a time, so that the bins of one feature stay near while they are added to.
    for begin in range(0, rows.shape[0], _TOGETHER):
        n = min(_TOGETHER, rows.shape[0] - begin)
        for r in range(n):
            i, at = rows[begin + r], 0
            for a in range(q):
                weighted = weight[i] * D[i, a]
                for b in range(a + 1):
                    terms[r, at] = weighted * D[i, b]
                    at += 1
            square = 0.0
            for c in range(k):
                weighted = weight[i] * y[i, c]
                square += weighted * y[i, c]
                for a in range(q):
                    terms[r, at] = weighted * D[i, a]
                    at += 1
            terms[r, at] = square
            terms[r, at + 1] = 1.0
        for f in range(codes.shape[1]):
            for r in range(n):
                code = codes[rows[begin + r], f]
                for j in range(width):
                    sums[f, code, j] += terms[r, j]


@kernel
def best_model_cut(sums, q, k, ridge, least):
    """The cut behind which two ridge regressions err least.

    Parameters
    ----------
    sums : float64 array, shape (n_features, n_bins, width)
        See :func:`add_moments`.
    q, k : int
        Regressors with the constant, and outputs.
    ridge : float
        Of all slopes.
    least : int
        Rows on either side.

    Returns
    -------
    whole : float64
        The penalised error of one regression for all rows.
    parted : float64
        That of both sides of the cut; infinite where there is none.
    feature, last : int
        The last bin on the left of the feature's cut; -1 where there is none.
    """
    n_features, n_bins, width = sums.shape
    total, left, right = np.zeros(width), np.zeros(width), np.zeros(width)
    factor, solved = np.zeros((q, q)), np.zeros(q)
    for b in range(n_bins):
        for j in range(width):
            total[j] += sums[0, b, j]
    whole = penalised_error(total, q, k, ridge, factor, solved)
    parted, feature, last = np.inf, -1, -1
    for f in range(n_features):
        left[:] = 0.0
        for b in range(n_bins - 1):
            if sums[f, b, width - 1] == 0.0:
                continue
            for j in range(width):
                left[j] += sums[f, b, j]
            n_left = left[width - 1]
            if n_left < least or total[width - 1] - n_left < least:
                continue
            error = penalised_error(left, q, k, ridge, factor, solved)
            if error >= parted:
                continue
            for j in range(width):
                right[j] = total[j] - left[j]
            error += penalised_error(right, q, k, ridge, factor, solved)
            if error < parted:
                parted, feature, last = error, f, b
    return whole, parted, feature, last


@kernel
def penalised_error(sums, q, k, ridge, factor, solved):
    """What a ridge regression leaves, its penalty counted: ``y'y - m' (G + ridge)^-1 m``.

    Parameters
    ----------
    sums : float64 array, shape (width,)
        See :func:`add_moments`.
    q, k, ridge
        See :func:`best_model_cut`.
    factor : OUT float64 array, shape (q, q)
        Cholesky's, below the diagonal and on it.
    solved : OUT float64 array, shape (q,)
        Work space.
    """
    at = 0
    for a in range(q):
        for b in range(a + 1):
            rest = sums[at]
            at += 1
            for c in range(b):
                rest -= factor[a, c] * factor[b, c]
            if a > b:
                factor[a, b] = rest / factor[b, b]
            else:
                factor[a, a] = np.sqrt(max(rest + (ridge if a > 0 else 0.0), 1e-12))
    error = sums[at + k * q]
    for _ in range(k):
        for a in range(q):
            rest = sums[at]
            at += 1
            for c in range(a):
                rest -= factor[a, c] * solved[c]
            solved[a] = rest / factor[a, a]
            error -= solved[a] * solved[a]
    return max(error, 0.0)
