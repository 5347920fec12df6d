"""Impurity of class counts, and the exact form of it that a split search can update row by row.

With ``n_c`` rows of class c among n, and ``p_c = n_c / n``, the impurity is ``-sum p log2 p``
(entropy, in bits) or ``1 - sum p^2`` (Gini). Times n, both read off a sum over the classes::

    n * entropy = f(n) - sum_c f(n_c)       with  f(m) = m log2 m
    n * Gini    = n - sum_c f(n_c) / n      with  f(m) = m^2

so a row of class c that joins a side changes the sum by ``f(n_c + 1) - f(n_c)`` and nothing
else. :func:`count_terms` tabulates f in *integers*. Integer sums do not depend on the order of
their terms, so two ways to the same counts give the same bits, and equal splits are exact ties.
"""

from __future__ import annotations

import math
from enum import IntEnum

import numpy as np

from treecore.compiling.kernels import kernel

UNITS_PER_BIT = 2**26
"""Fixed point of ``m log2 m``: 2^31 rows, the most that int32 can number, stay below 2^62."""


class Criterion(IntEnum):
    """What a split is to reduce.

    ``GAIN_RATIO`` measures impurity as ``ENTROPY`` does, in everything below; it differs in how
    one feature is chosen, see :func:`treecore.learners.greedy.finders.axis.by_gain_ratio`.
    """

    ENTROPY = 0
    GINI = 1
    GAIN_RATIO = 2


@kernel
def impurity(counts, n, criterion):
    """Impurity of class counts: entropy in bits, or Gini (Breiman et al. 1984).

    Parameters
    ----------
    counts : array of numbers, shape (n_classes,)
        Rows of every class, or their weights.
    n : number
        Their sum.
    criterion : Criterion or int

    Returns
    -------
    float
        0 when ``n`` is 0.
    """
    if n == 0:
        return 0.0
    total = 0.0
    for c in range(counts.shape[0]):
        p = counts[c] / n
        if criterion == Criterion.GINI:
            total += p * p
        elif counts[c] > 0:
            total -= p * math.log2(p)
    if criterion == Criterion.GINI:
        return 1.0 - total
    return total


def count_terms(n_samples: int, criterion: Criterion, cached: bool = True) -> np.ndarray:
    """The terms f(0) to f(n_samples) of the module docstring.

    ``m log2 m`` is rounded to a multiple of ``1 / UNITS_PER_BIT``. In all, that moves
    ``n * entropy`` by at most ``(n_classes + 1) * 2^-27`` bits (up to five million rows; beyond
    that, float64 has fewer digits to round).

    Parameters
    ----------
    n_samples : int
    criterion : Criterion
    cached : bool
        Whether the table is kept for whoever asks next, and does not go with who asks now.

    Returns
    -------
    int64 array, shape (n_samples + 1,)
        Not to be written to: tables may share memory.
    """
    gini = criterion == Criterion.GINI
    if n_samples >= _CACHED or not cached:
        return _terms(n_samples + 1, gini)
    # Boosting asks for many tables of about the same length: they are parts of the longest.
    table = _longest.get(gini, _NO_TERMS)
    if len(table) <= n_samples:
        table = _longest[gini] = _NO_TERMS  # before there are two
        # Some more: what is freed is a hole in the heap, and a longer table does not fit there.
        table = _longest[gini] = _terms(n_samples + max(1024, n_samples // 16), gini)
    return table[: n_samples + 1]


_CACHED = 2**22 + 2**20
"""Tables up to here, 40 MB, are cached: rounded weights have some more units than 2^22."""

_NO_TERMS = np.empty(0, dtype=np.int64)
_longest: dict[bool, np.ndarray] = {}

_BLOCK = 1 << 14
"""Terms that are computed together: steps between would take several times the table."""


def _terms(size: int, gini: bool) -> np.ndarray:
    terms = np.empty(size, dtype=np.int64)
    for first in range(0, size, _BLOCK):
        m = np.arange(first, min(first + _BLOCK, size), dtype=np.int64)
        if gini:
            terms[first : first + _BLOCK] = m * m
        else:
            exact = m * np.log2(np.maximum(m, 1)) * UNITS_PER_BIT
            terms[first : first + _BLOCK] = np.rint(exact)
    return terms


@kernel
def scaled_impurity(n, total, terms, criterion):
    """``n`` times the impurity of ``n`` rows.

    Parameters
    ----------
    n : int
        Rows, at least one.
    total : int
        Sum of ``terms[n_c]`` over the classes.
    terms : int64 array, shape (> n,)
        From :func:`count_terms`.
    criterion : Criterion or int

    Returns
    -------
    float
    """
    if criterion == Criterion.GINI:
        return n - total / n
    return (terms[n] - total) / UNITS_PER_BIT


def gain(counts: np.ndarray, score: float, terms: np.ndarray, criterion: int) -> float:
    """Impurity of a node less the mean impurity, over its rows, of its two sides.

    Parameters
    ----------
    counts : int64 array, shape (n_classes,)
        Classes of the node's rows, at least one.
    score : float
        Sum of the sides' scaled impurities.
    terms : int64 array
        From :func:`count_terms`.
    criterion : Criterion
    """
    n = int(counts.sum())
    before = scaled_impurity(n, terms[counts].sum(), terms, criterion)
    # Impurity is concave, so no split makes it worse; what is below zero is rounding.
    return max(0.0, (before - score) / n)
