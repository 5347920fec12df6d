"""Impurity in the exact form that a split search can update row by row.

Times n, entropy and Gini impurity of n rows, ``n_c`` of class c, are read off a sum over classes::

    n * entropy = f(n) - sum_c f(n_c)       with  f(m) = m log2 m
    n * Gini    = n - sum_c f(n_c) / n      with  f(m) = m^2

so a row of class c that joins a side changes the sum by ``f(n_c + 1) - f(n_c)`` and nothing
else. The *terms* f(m) are *integers*: sums of them do not depend on their order, so two ways to the
same counts give the same bits, and equal splits are exact ties.

Weighted rows have up to four million units, and a table of as many numbers would take more than
all else that growing keeps. Most counts that are looked up are small: so the terms of counts below
2^18 are numbers of a table. Above it ``f`` is nearly a parabola along 128 counts, and what rounding
and the rest of the curve leave of a term fits into a byte::

    [ f(0), f(1), ..., f(2^18 - 1) | a b c, 128 bytes | a b c, 128 bytes | ... ]

    f(m) = a + (b i + c i^2) / 2^16 + byte i       i: place in the block

That is exact: :func:`term` gives what the table would have.
"""

from __future__ import annotations

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.core.impurity import Criterion

UNITS_PER_BIT = 2**26
"""Fixed point of ``m log2 m``: 2^31 rows, the most that int32 can number, stay below 2^62."""

DENSE = 1 << 18
"""Counts whose terms are numbers of their own."""

_LOG_BLOCK = 7
_BLOCK = 1 << _LOG_BLOCK
"""Counts of a parabola."""

_WORDS = 3 + _BLOCK // 8
"""Numbers of 64 bits that a block takes."""

_SHIFT = 16
"""Fixed point of the parabola's coefficients."""

_TOGETHER = 1 << 14
"""Terms that are computed together: steps between would take several times the table."""

_CACHED = 2**22 + 2**20
"""Tables up to here, 7 MB, are cached: rounded weights have some more units than 2^22."""

_NO_TERMS = np.empty(0, dtype=np.int64)
_longest: dict[bool, np.ndarray] = {}


def count_terms(n_samples: int, criterion: Criterion, cached: bool = True) -> np.ndarray:
    """The terms f(0) to f(n_samples), for :func:`term` to read.

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
    int64 array
        Not to be written to: tables may share memory.
    """
    gini, size = criterion == Criterion.GINI, _size(n_samples)
    if n_samples >= _CACHED or not cached:
        return _pack(n_samples, gini)
    # Boosting asks for many tables of about the same length: they are parts of the longest.
    table = _longest.get(gini, _NO_TERMS)
    if len(table) < size:
        table = _longest[gini] = _NO_TERMS  # before there are two
        table = _longest[gini] = _pack(n_samples + _spare(n_samples), gini)
    return table[:size]


@kernel(inlined=True)
def term(terms, m):
    """``f(m)``.

    Parameters
    ----------
    terms : int64 array
        From :func:`count_terms`, for at least ``m``.
    m : int

    Returns
    -------
    int
    """
    # Unsigned indices: numba asks of signed ones whether they count from the end.
    if m < DENSE:
        return terms[np.uint64(m)]
    beyond = m - DENSE
    i, at = beyond & (_BLOCK - 1), np.uint64(DENSE + (beyond >> _LOG_BLOCK) * _WORDS)
    curve = ((terms[at + np.uint64(2)] * i + terms[at + np.uint64(1)]) * i) >> _SHIFT
    byte = (terms[at + np.uint64(3 + (i >> 3))] >> ((i & 7) << 3)) & 255
    return terms[at] + curve + byte


def terms_of(terms: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """:func:`term` of some counts, int64 arrays both: for Python."""
    found = terms[np.where(counts < DENSE, counts, 0)]
    large = counts >= DENSE
    if large.any():
        block, i = np.divmod(counts[large] - DENSE, _BLOCK)
        words = terms[DENSE:].reshape(-1, _WORDS)[block].T
        rest = words[3 + i // 8, np.arange(len(i))] >> (i % 8 * 8) & 255
        found[large] = words[0] + ((words[2] * i + words[1]) * i >> _SHIFT) + rest
    return found


@kernel
def scaled_impurity(n, total, terms, criterion):
    """``n`` times the impurity of ``n`` rows.

    Parameters
    ----------
    n : int
        Rows, at least one.
    total : int
        Sum of the classes' terms.
    terms : int64 array
        From :func:`count_terms`.
    criterion : Criterion or int

    Returns
    -------
    float
    """
    if criterion == Criterion.GINI:
        return n - total / n
    return (term(terms, n) - total) / UNITS_PER_BIT


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
    before = scaled_impurity(n, terms_of(terms, counts).sum(), terms, criterion)
    # Impurity is concave, so no split makes it worse; what is below zero is rounding.
    return max(0.0, (before - score) / n)


def _spare(n_samples: int) -> int:
    """Further terms: what is freed is a hole in the heap, and a longer table does not fit there."""
    return max(1024, n_samples // 16)


def _size(n_samples: int) -> int:
    """Numbers of a table up to ``f(n_samples)``."""
    if n_samples < DENSE:
        return n_samples + 1
    return DENSE + ((n_samples - DENSE >> _LOG_BLOCK) + 1) * _WORDS


def _exact(first: int, last: int, gini: bool) -> np.ndarray:
    """The terms from one count to another (exclusive)."""
    m = np.arange(first, last, dtype=np.int64)
    if gini:
        return m * m
    return np.rint(m * np.log2(np.maximum(m, 1)) * UNITS_PER_BIT).astype(np.int64)


def _pack(n_samples: int, gini: bool) -> np.ndarray:
    table = np.empty(_size(n_samples), dtype=np.int64)
    n_dense = min(len(table), DENSE)
    for first in range(0, n_dense, _TOGETHER):
        last = min(first + _TOGETHER, n_dense)
        table[first:last] = _exact(first, last, gini)
    blocks = table[n_dense:].reshape(-1, _WORDS)
    at_once = _TOGETHER // _BLOCK
    for first in range(0, len(blocks), at_once):
        part = blocks[first : first + at_once]
        begin = DENSE + first * _BLOCK
        _pack_blocks(_exact(begin, begin + len(part) * _BLOCK, gini).reshape(-1, _BLOCK), part)
    return table


def _pack_blocks(exact: np.ndarray, blocks: np.ndarray) -> None:
    """Write blocks of a table: parabolas through three terms of each, and what they leave.

    Beyond a hundred million rows, where float64 rounds terms to more than bytes can tell, those
    that lie too far from their parabola are moved towards it, which is nearer to the truth.
    """
    i = np.arange(_BLOCK, dtype=np.int64)
    middle, end = _BLOCK // 2, _BLOCK - 1
    to_middle, to_end = ((exact[:, at] - exact[:, 0])[:, None] for at in (middle, end))
    # Through the terms at 0, the middle and the end; sums in integers, as term has them.
    bend = (to_end / end - to_middle / middle) / (end - middle)
    slope = to_middle / middle - bend * middle
    b, c = (np.rint(part * 2.0**_SHIFT).astype(np.int64) for part in (slope, bend))
    left = exact - (b * i + c * (i * i) >> _SHIFT)
    least = left.min(axis=1, keepdims=True)
    blocks[:, :1], blocks[:, 1:2], blocks[:, 2:3] = least, b, c
    rest = np.minimum(left - least, 255).astype(np.uint64).reshape(len(left), -1, 8)
    blocks[:, 3:] = (rest << (8 * np.arange(8, dtype=np.uint64))).sum(axis=2).view(np.int64)
