"""Features in bins of neighbouring values, one byte a value, and how rows are sorted by them.

A feature of at most 256 values has a bin for each. One of more has bins of about as many rows
each, so that a bin may hold several values; equal ones always share one. Where they end is found in
a sample of a long table. Bins only say where to look: whoever has to tell values of one bin apart
reads them in X, so nothing is rounded, and a table has the same bins whoever grows from it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import borrow, kernel
from treecore.learners.greedy.finders.sorting import SortSpace, ascending, sort_space

MOST = 256
"""Bins of a feature: as many as a byte can number."""

ABREAST = 16
"""Features whose bins are read together: rows lie apart, and a few features of one lie together."""

SAMPLE = 1 << 16
"""Rows at most, evenly spaced, that say where bins of several values end."""

_TOGETHER = 256
"""Rows that are put into bins together: as many lines of X and of bins as the first cache holds."""

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


class BinnedTable:
    """A table whose features are put into bins one after another; trees may share it.

    Parameters
    ----------
    X : float32 array, shape (n_samples, n_features)

    Attributes
    ----------
    bins : Bins
    n_binned : int
        Features that are in bins already, from the first on.
    """

    def __init__(self, X: np.ndarray):
        self.X, self.n_binned = X, 0
        self.bins = Bins.empty(X.shape[1], len(X))

    def bin_up_to(self, n_features: int) -> None:
        """Put features into bins that are not yet, until there are ``n_features``."""
        if self.n_binned < n_features:
            bin_features(self.X, self.n_binned, n_features, self.bins)
            self.n_binned = n_features


class BinSpace(NamedTuple):
    """Work space of :func:`bin_features`.

    Attributes
    ----------
    column : float32 array, shape (n_sample,)
        Some values of a feature.
    slots : int16 array, shape (4 * MOST,)
        A hash table.
    edges : float32 array, shape (ABREAST, MOST)
        The least value of every bin, of a few features; infinity beyond the last.
    sorting : SortSpace
    """

    column: np.ndarray
    slots: np.ndarray
    edges: np.ndarray
    sorting: SortSpace


def bin_features(X: np.ndarray, first: int, last: int, bins: Bins) -> None:
    """Divide some features into bins.

    Parameters
    ----------
    X : float32 array, shape (n_samples, n_features)
    first, last : int
        Features from ``first`` up to ``last`` (exclusive).
    bins : OUT Bins
    """
    n_sample = max(MOST, min(len(X), SAMPLE))
    column, slots = np.empty(n_sample, dtype=np.float32), np.empty(4 * MOST, dtype=np.int16)
    edges = np.empty((ABREAST, MOST), dtype=np.float32)
    space = BinSpace(column, slots, edges, sort_space(n_sample))
    # A kernel around these three would take a second to compile.
    for begin in range(first, last, ABREAST):
        end = min(begin + ABREAST, last)
        for at, f in enumerate(range(begin, end)):
            n_bins = find_values(X, f, at, space) or find_edges(X, f, at, space)
            edges[at, n_bins:] = np.inf
            bins.n_bins[f] = n_bins
        put_into_bins(X, begin, end, bins, space)


@kernel
def find_values(X, f, at, space):
    """Write the values of a feature in ascending order, if there are at most ``MOST``.

    By a hash table, which takes a tenth of the time of sorting; a feature of many values is left as
    soon as one too many is met.

    Parameters
    ----------
    X : float32 array, shape (n_samples, n_features)
    f, at : int
        The feature, and its place in ``space.edges``.
    space : BinSpace

    Returns
    -------
    int
        How many values there are; 0 where they are too many.
    """
    X, space = borrow(X), borrow(space)
    column, slots, found = space.column, space.slots, space.edges
    bits = column.view(np.uint32)
    slots[:] = -1
    n, n_values, last = X.shape[0], 0, np.float32(np.nan)
    for start in range(0, n, column.shape[0]):
        n_here = min(column.shape[0], n - start)
        for i in range(n_here):
            column[i] = X[start + i, f]
        for i in range(n_here):
            value = column[i]
            if value == last:  # most pixels are the paper
                continue
            last = value
            key = np.uint32(0) if value == 0 else bits[i]  # -0.0 is 0.0
            slot = np.uint32(key * np.uint32(2654435769)) >> np.uint32(22)
            while slots[slot] >= 0 and found[at, slots[slot]] != value:
                slot = (slot + np.uint32(1)) & np.uint32(4 * MOST - 1)
            if slots[slot] < 0:
                if n_values == MOST:
                    return 0
                slots[slot] = n_values
                found[at, n_values] = value
                n_values += 1
    for v in range(n_values):
        column[v] = found[at, v]
    order = ascending(column[:n_values], space.sorting)
    for v in range(n_values):
        found[at, v] = column[order[v]]
    return n_values


@kernel
def find_edges(X, f, at, space):
    """Write where bins of about as many rows each begin, by an evenly spaced sample of the rows.

    Parameters and what is returned, how many there are, are those of :func:`find_values`.
    """
    X, space = borrow(X), borrow(space)
    column, edges = space.column, space.edges
    n, n_sample = X.shape[0], min(X.shape[0], space.column.shape[0])
    for i in range(n_sample):
        column[i] = X[i * n // n_sample, f]
    order = ascending(column[:n_sample], space.sorting)
    # A bin that is full ends where the value changes, so that there are at most `MOST`.
    full = (n_sample + MOST - 1) // MOST
    edges[at, 0] = column[order[0]]
    b = n_inside = 0
    for i in range(n_sample):
        value = column[order[i]]
        if i > 0 and n_inside >= full and value != column[order[i - 1]]:
            b += 1
            n_inside = 0
            edges[at, b] = value
        n_inside += 1
    return b + 1


@kernel
def put_into_bins(X, begin, end, bins, space):
    """Write the bin of every value of a few features, and which bins hold values that differ.

    By halving, all rows of a block abreast: a row alone would wait for each step.

    Parameters
    ----------
    X : float32 array, shape (n_samples, n_features)
    begin, end : int
        Features from ``begin`` up to ``end`` (exclusive).
    bins : INOUT Bins
        Its ``n_bins`` are read.
    space : BinSpace
        Its ``edges`` are read; each is a value that occurs. Lesser values than the first are in the
        first bin as well.
    """
    X, bins, space = borrow(X), borrow(bins), borrow(space)
    codes, several, n_bins = bins.codes, bins.several, bins.n_bins
    column, place = space.column, space.sorting.keys
    for start in range(0, X.shape[0], _TOGETHER):
        n = min(_TOGETHER, X.shape[0] - start)
        for f in range(begin, end):
            edges, step = space.edges[f - begin], np.uint32(1)
            while 2 * step < n_bins[f]:
                step = np.uint32(2 * step)
            for i in range(n):
                column[i], place[i] = X[start + i, f], 0
            while step > 0:
                for i in range(n):
                    place[i] += step * np.uint32(edges[place[i] + step] <= column[i])
                step = np.uint32(step >> 1)
            for i in range(n):
                codes[start + i, f] = place[i]
                several[f, place[i]] |= edges[place[i]] != column[i]


@kernel
def sort_by_value(values, places, first, last, space, spare_values, spare_places):
    """Sort part of some values, and their places with them; equal ones keep their order.

    Parameters
    ----------
    values, places : INOUT float32 and int32 arrays, shape (n,)
    first, last : int
        The part, ``last`` exclusive.
    space : SortSpace
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
