"""One sparse oblique split: logistic regression with an L1 penalty, by either of two solvers.

``newton`` is our own (:mod:`treecore.learners.nongreedy.tao.newton`): it starts from the split as
it is, and fits of several splits run side by side. ``liblinear`` is what the papers use. It draws
the order of its coordinates from one generator for the whole process (see scikit-learn's issue
31883), so two fits at a time would draw from each other's numbers and no seed would mean anything.
Its fits therefore wait for each other, across all runs of the process.

A more exact minimum is not a better split. On 4,000 digits of MNIST (C = 10, five draws) trees by
LIBLINEAR were 0.6 % more accurate on other digits than those by ``newton``, in 2.5 times the time;
with LIBLINEAR's tolerance at 1e-6 that was gone. So it stays the default.

A ridge beside the L1 penalty, which ``newton`` alone knows, does make better ones where features
say much the same: a tree of depth 8 on 15,000 digits of MNIST, from cuts, errs in 7.8 % of others
with a ridge of 10 (C = 1), and in 9.2 % with the best C of 0.1, 0.3 and 1 without.
"""

from __future__ import annotations

import dataclasses
import threading
import warnings
from collections.abc import Callable

import numpy as np

from treecore.core.scaling import Scaling
from treecore.learners.nongreedy.tao.columns import take_columns
from treecore.learners.nongreedy.tao.newton import NewtonSpace, fit_weights
from treecore.learners.nongreedy.tao.products import (
    MOST_FEATURES,
    ProductSpace,
    fit_by_products,
)
from treecore.rows.tables import CentredRows, SparseRows, is_large, take_rows

OFFSET_SCALE = 10.0
"""How many times less the penalty weighs on the offset than on the weights."""

TOLERANCE = 1e-4
"""Where Newton steps end, times the rarer side's share: scikit-learn's default for LIBLINEAR."""

_HELD_BY_FLOAT32 = 1e8
"""Greatest ratio of mean and deviation: a column beyond holds one value, and rounding."""

_one_at_a_time = threading.Lock()


def by_liblinear(
    scaling: Scaling,
    X: np.ndarray | SparseRows,
    rows: np.ndarray,
    right: np.ndarray,
    stake: np.ndarray,
    *,
    C: float,
    max_iter: int,
    seed: int,
    start: tuple[np.ndarray, np.float32] | None = None,
) -> tuple[np.ndarray, np.float32]:
    """Weights and threshold of a split that sends rows to their sides.

    Minimises ``C * sum_n stake_n log(1 + exp(-t_n s_n)) + ||w||_1``, where t is 1 for rows that
    want to go right and -1 for the others, over scores ``s = w.z - b`` in training coordinates.
    The result reads raw features; weights that are zero there are zero here.

    Parameters
    ----------
    scaling : Scaling
    X : array, shape (n_samples, n_features), or SparseRows
        Raw rows.
    rows : int32 array, shape (n_rows,)
        Those to learn from.
    right : bool array, shape (n_rows,)
        Whether a row should go right. Both sides must be wanted by some row.
    stake : float64 array, shape (n_rows,)
        What it costs to send a row astray.
    C : float
        1 / lambda in eq. 1 of Gabidolla et al.
    max_iter : int
        Newton steps at most. A fit that needs more is used as it is.
    seed : int
    start : weights and threshold, or None
        A split to start from; LIBLINEAR has no use for it.

    Returns
    -------
    weights : float32 array, shape (n_features,)
    threshold : float32
    """
    # Here, because this takes longer than all other imports of a run together.
    from scipy.sparse import csr_matrix
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    p = scaling.n_features
    Z = scaling.transform(take_rows(X, rows))
    if isinstance(Z, CentredRows):
        # LIBLINEAR cannot centre what is not stored: it sees w.z and another offset.
        Z = Z.stored
        scaling = dataclasses.replace(scaling, mean=np.zeros(p))
        values = np.where(Z.where == p, Z.values * np.float32(OFFSET_SCALE), Z.values)
        Z = csr_matrix((values, Z.where, Z.start.astype(np.int32)), (len(rows), Z.n_columns))
    else:
        Z[:, p] *= OFFSET_SCALE
    model = LogisticRegression(
        l1_ratio=1.0,
        solver="liblinear",
        C=C,
        fit_intercept=False,  # rows in training coordinates carry a constant
        max_iter=max_iter,
        random_state=seed,
    )
    with _one_at_a_time, warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(Z, right, sample_weight=stake)
    return _raw(scaling, model.coef_[0])


def by_newton(
    scaling: Scaling,
    X: np.ndarray | SparseRows,
    rows: np.ndarray,
    right: np.ndarray,
    stake: np.ndarray,
    *,
    C: float,
    max_iter: int,
    seed: int = 0,
    start: tuple[np.ndarray, np.float32] | None = None,
    ridge: float = 0.0,
) -> tuple[np.ndarray, np.float32]:
    """The minimum of :func:`by_liblinear`, by proximal Newton steps; nothing is drawn.

    Parameters
    ----------
    scaling, X, rows, right, stake, C, max_iter
        See :func:`by_liblinear`.
    seed : int
        Not read.
    start : weights and threshold, or None
        A split to start from; None: zeros.
    ridge : float
        Not negative: ``ridge / 2 ||w||^2`` joins the sum.

    Returns
    -------
    weights : float32 array, shape (n_features,)
    threshold : float32
    """
    scale, shift = coordinates(scaling)
    p = scaling.n_features
    w = np.zeros(p + 1)
    if start is not None:
        weights, threshold = (np.asarray(part, dtype=np.float64) for part in start)
        held = scale[:p] > 0
        np.divide(weights, scale[:p], out=w[:p], where=held)
        w[p] = (threshold - (weights * scaling.mean)[held].sum()) / shift[p]
    rarer = min(np.count_nonzero(right), np.count_nonzero(~right)) / len(right)
    how = ridge, TOLERANCE * rarer, max_iter, w
    if is_large(X) and p <= MOST_FEATURES:
        # A copy of its columns would be nearly a second table.
        space = ProductSpace.of(len(rows), len(w))
        fit_by_products(X, rows, scale, shift, right, stake, *how, C, space)
    else:
        columns, new = take_columns(X, rows), NewtonSpace.of(len(rows), len(w))
        fit_weights(columns, scale, shift, right, C * stake, *how, new)
    return _raw(scaling, w)


def coordinates(scaling: Scaling) -> tuple[np.ndarray, np.ndarray]:
    """``scale`` and ``shift`` of ``tao.newton``, offset last, float64."""
    p = scaling.n_features
    held = np.abs(scaling.mean) <= _HELD_BY_FLOAT32 * scaling.deviation
    scale, shift = np.zeros((2, p + 1))
    np.divide(scaling.factor, scaling.deviation, out=scale[:p], where=held)
    shift[:p] = scale[:p] * scaling.mean
    shift[p] = scaling.factor * OFFSET_SCALE
    return scale, shift


SOLVERS: dict[str, Callable] = {"liblinear": by_liblinear, "newton": by_newton}
"""Solvers by name."""


def _raw(scaling: Scaling, coefficients: np.ndarray) -> tuple[np.ndarray, np.float32]:
    """Weights and threshold that read raw features, from those of the solvers' coordinates."""
    p = scaling.n_features
    row = coefficients[None, : p + 1].astype(np.float64)
    row[0, p] *= OFFSET_SCALE
    weights, threshold = scaling.to_raw_splits(row)
    return weights[0].astype(np.float32), np.float32(threshold[0])
