"""Features in bins of neighbouring values, one byte a value, and how rows are sorted by them.

A feature of at most 256 values has a bin for each. One of more has bins of about as many training
rows each, so that a bin may hold several values; equal ones always share one. Bins only say where
to look: whoever has to tell values of one bin apart reads them in X, so nothing is rounded.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.core.kernels import borrow, kernel
from treecore.learners.greedy.finders.sorting import ascending, sort_space

MOST = 256
"""Bins of a feature: as many as a byte can number."""

ABREAST = 16
"""Features whose bins are read together: rows lie apart, and a few features of one lie together."""

_FEW = 24
"""Up to so many values are sorted by insertion, which is faster then."""


class Bins(NamedTuple):
    """The training rows by feature and bin: a quarter of the size of X.

    Attributes
    ----------
    codes : uint8 array, shape (n_samples, n_features)
        The bin of every value; greater values have greater ones or the same.
    n_bins : int64 array, shape (n_features,)
        From 1, of constant features, to ``MOST``.
    several : bool array, shape (n_features, MOST)
        Whether a bin holds values that differ.
    """

    codes: np.ndarray
    n_bins: np.ndarray
    several: np.ndarray

    @classmethod
    def empty(cls, n_features: int, n_samples: int) -> Bins:
        """Those of a table before :func:`bin_features` has filled them."""
        codes = np.empty((n_samples, n_features), dtype=np.uint8)
        several = np.zeros((n_features, MOST), dtype=np.bool_)
        return cls(codes, np.ones(n_features, dtype=np.int64), several)


@kernel
def number_values(column, block, at):
    """Number the values of a column in ascending order, if there are at most ``MOST``.

    By a hash table, which takes a tenth of the time of sorting; a column of many values is left as
    soon as one too many is met.

    Parameters
    ----------
    column : float32 array, shape (n,)
    block : OUT uint8 array, shape (>= at + 1, n)
        Row ``at`` is written.
    at : int

    Returns
    -------
    int
        How many values there are; 0 where they are too many.
    """
    slots = np.full(4 * MOST, -1, dtype=np.int16)
    found = np.empty(MOST, dtype=np.float32)
    bits = column.view(np.uint32)
    n_values = 0
    for i in range(column.shape[0]):
        value = column[i]
        key = np.uint32(0) if value == 0 else bits[i]  # -0.0 is 0.0
        slot = np.uint32(key * np.uint32(2654435769)) >> np.uint32(22)
        while slots[slot] >= 0 and found[slots[slot]] != value:
            slot = (slot + np.uint32(1)) & np.uint32(4 * MOST - 1)
        if slots[slot] < 0:
            if n_values == MOST:
                return 0
            slots[slot] = n_values
            found[n_values] = value
            n_values += 1
        block[at, i] = slots[slot]
    order = ascending(found[:n_values], sort_space(n_values))
    rank = np.empty(MOST, dtype=np.uint8)
    for place in range(n_values):
        rank[order[place]] = place
    for i in range(column.shape[0]):
        block[at, i] = rank[block[at, i]]
    return n_values


@kernel
def bin_features(X, first, last, bins):
    """Divide some features into bins.

    Parameters
    ----------
    X : float32 array, shape (n_samples, n_features)
    first, last : int
        Features from ``first`` up to ``last`` (exclusive).
    bins : OUT Bins
    """
    X, bins = borrow(X), borrow(bins)
    codes, several, n_bins = bins.codes, bins.several, bins.n_bins
    n = X.shape[0]
    column, space = np.empty(n, dtype=np.float32), sort_space(n)
    # Rows are read and written a cache line of features at a time.
    block = np.empty((ABREAST, n), dtype=np.uint8)
    for begin in range(first, last, ABREAST):
        end = min(begin + ABREAST, last)
        for f in range(begin, end):
            for i in range(n):
                column[i] = X[i, f]
            n_bins[f] = number_values(column, block, f - begin)
            if n_bins[f] > 0:
                continue
            order = ascending(column, space)
            # A bin that is full ends where the value changes, so that there are at most `MOST`.
            full = (n + MOST - 1) // MOST
            b = n_inside = 0
            for i in range(n):
                if i > 0 and column[order[i]] != column[order[i - 1]]:
                    if n_inside >= full:
                        b += 1
                        n_inside = 0
                    else:
                        several[f, b] = True
                block[f - begin, order[i]] = b
                n_inside += 1
            n_bins[f] = b + 1
        for i in range(n):
            for f in range(begin, end):
                codes[i, f] = block[f - begin, i]


@kernel
def sort_by_value(values, places, first, last, space, spare_values, spare_places):
    """Sort part of some values, and their places with them; equal ones keep their order.

    Parameters
    ----------
    values, places : INOUT float32 and int32 arrays, shape (n,)
    first, last : int
        The part, ``last`` exclusive.
    space : tuple of arrays
        From :func:`treecore.learners.greedy.finders.sorting.sort_space`.
    spare_values, spare_places : float32 and int32 arrays, shape (>= last - first,)
        Work space.
    """
    n = last - first
    if n <= _FEW:
        for i in range(first + 1, last):
            value, place = values[i], places[i]
            k = i
            while k > first and values[k - 1] > value:
                values[k], places[k] = values[k - 1], places[k - 1]
                k -= 1
            values[k], places[k] = value, place
        return
    for i in range(n):
        spare_values[i], spare_places[i] = values[first + i], places[first + i]
    order = ascending(spare_values[:n], space)
    for i in range(n):
        values[first + i], places[first + i] = spare_values[order[i]], spare_places[order[i]]
