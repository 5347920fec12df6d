"""Features in bins of neighbouring values, one byte a value, and how rows are sorted by them.

A feature of at most 256 values has a bin for each. One of more has bins of about as many rows
each, so that a bin may hold several values; equal ones always share one. Where they end is found in
a sample of a long table. Bins only say where to look: whoever has to tell values of one bin apart
reads them in X, so nothing is rounded, and a table has the same bins whoever grows from it. In a
histogram nobody has to: values of a bin pass for the same.

The bins of a large table that is not wide are kept of some features only. Those of the others are
found again whenever they are read, which takes longer, and no memory::

    X      f0 f1 f2 f3 f4 f5           kept   f0 f1 f2          one byte each
                                       found           f3 f4 f5     by halving among 256 edges
"""

from __future__ import annotations

import threading
from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.learners.greedy.finders.sorting import SortSpace, ascending, sort_space
from treecore.rows.column_sums import column_ranges
from treecore.rows.tables import is_large

MOST = 256
"""Bins of a feature: as many as a byte can number."""

ABREAST = 16
"""Features whose bins are read together: rows lie apart, and a few features of one lie together."""

SAMPLE = 1 << 16
"""Rows at most, evenly spaced, that say where bins of several values end."""

TOGETHER = 256
"""Rows that are put into bins together: as many lines of X and of bins as the first cache holds."""

_MOST_GROWN = 0.3
"""What growing is to take at most beside a large table, as a part of it."""

GROWING = 28
"""Bytes a row that growing takes besides bins: indices, weights, labels, entropies, work space."""

_FEW = 24
"""Up to so many values are sorted by insertion, which is faster then."""


class Bins(NamedTuple):
    """The training rows by feature and bin: a quarter of the size of X.

    Attributes
    ----------
    codes : uint8 array, shape (n_samples, n_kept)
        The bin of every value; greater values have greater ones or the same. Of the first features
        alone where not all are kept.
    edges : float32 array, shape (n_features, MOST)
        The least value of every bin; infinity beyond the last.
    n_bins : int64 array, shape (n_features,)
        From 1, of constant features, to ``MOST``.
    several : bool array, shape (n_features, MOST)
        Whether a bin holds values that differ, and are told apart.
    exact : bool array, shape (n_features,)
        Whether no bin of a feature does, so that bins say all that has to be known of X.
    """

    codes: np.ndarray
    edges: np.ndarray
    n_bins: np.ndarray
    several: np.ndarray
    exact: np.ndarray

    @classmethod
    def empty(cls, n_features: int, n_samples: int, n_kept: int | None = None) -> Bins:
        """Those of a table before :func:`bin_features` has filled them.

        Parameters
        ----------
        n_features, n_samples : int
        n_kept : int or None
            Of how many features they are kept; None: all.
        """
        codes = np.empty((n_samples, n_features if n_kept is None else n_kept), dtype=np.uint8)
        edges = np.empty((n_features, MOST), dtype=np.float32)
        several = np.zeros((n_features, MOST), dtype=np.bool_)
        n_bins, exact = np.ones(n_features, dtype=np.int64), np.ones(n_features, dtype=np.bool_)
        return cls(codes, edges, n_bins, several, exact)

    @classmethod
    def of_bytes(cls, X: np.ndarray) -> Bins:
        """A table of bytes, which are the numbers of their bins; nothing is copied.

        Parameters
        ----------
        X : uint8 array, shape (n_samples, n_features)
        """
        bins = cls.empty(X.shape[1], 0)
        bins.edges[:] = np.arange(MOST, dtype=np.float32)
        bins.n_bins[:] = column_ranges(X)[1] + np.int64(1)
        codes = np.require(X, requirements=["C", "W", "A"])  # kernels know no other arrays
        return bins._replace(codes=codes)


def n_kept_of(X: np.ndarray, beside: int | None) -> int:
    """The features of a table whose bins are kept.

    All, unless so many that are not would bring growing down to 1.3 times a large table; those of
    few features are kept, too, as no choice could do that. Finding them again takes little time.

    Parameters
    ----------
    X : float32 array, shape (n_samples, n_features)
    beside : int or None
        Bytes a row that are taken besides; None: so many that no bins of a large table are kept.
    """
    p = X.shape[1]
    if beside is None:
        return 0 if is_large(X) else p
    n_kept = min(p, int(_MOST_GROWN * 4 * p - beside))
    return n_kept if is_large(X) and 8 * n_kept >= p else p


_BINNING = threading.Lock()
"""Of all tables, as tables go to other processes, where a lock cannot; it is held for a portion."""


class BinnedTable:
    """A table whose features are put into bins one after another; trees may share it.

    Parameters
    ----------
    X : float32 array, shape (n_samples, n_features), or uint8 array
    beside : int or None
        See :func:`n_kept_of`.
    histogram : bool
        Whether values of a bin are taken for the same, so that cuts lie between bins alone.

    Attributes
    ----------
    bins : Bins
    n_binned : int
        Features that are in bins already, from the first on.
    """

    def __init__(self, X: np.ndarray, beside: int | None = GROWING, histogram: bool = False):
        self.X, self.n_binned, self.histogram = X, 0, histogram
        if X.dtype == np.uint8:
            self.bins, self.n_binned = Bins.of_bytes(X), X.shape[1]
            return
        self.bins = Bins.empty(X.shape[1], len(X), n_kept_of(X, beside))

    def bin_up_to(self, n_features: int) -> None:
        """Put features into bins that are not yet, until there are ``n_features``.

        Trees that grow side by side share a table: what one has put into bins another may read, and
        must not write again.
        """
        with _BINNING:
            if self.n_binned < n_features:
                bin_features(self.X, self.n_binned, n_features, self.bins)
                if self.histogram:
                    self.bins.several[self.n_binned : n_features] = False
                    self.bins.exact[self.n_binned : n_features] = True
                self.n_binned = n_features


class BinSpace(NamedTuple):
    """Work space of :func:`bin_features`.

    Attributes
    ----------
    column : float32 array, shape (n_sample,)
        Some values of a feature.
    slots : int16 array, shape (4 * MOST,)
        A hash table.
    sorting : SortSpace
    """

    column: np.ndarray
    slots: np.ndarray
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
    space = BinSpace(column, slots, sort_space(n_sample))
    # A kernel around these three would take a second to compile. Rows are read and written a cache
    # line of features at a time.
    for begin in range(first, last, ABREAST):
        end = min(begin + ABREAST, last)
        for f in range(begin, end):
            edges = bins.edges[f]
            n_bins = find_values(X, f, edges, space) or find_edges(X, f, edges, space)
            edges[n_bins:] = np.inf
            bins.n_bins[f] = n_bins
        put_into_bins(X, begin, end, bins, space)
        bins.exact[begin:end] = ~bins.several[begin:end].any(axis=1)


@kernel
def find_values(X, f, found, space):
    """Write the values of a feature in ascending order, if there are at most ``MOST``.

    By a hash table, which takes a tenth of the time of sorting; a feature of many values is left as
    soon as one too many is met.

    Parameters
    ----------
    X : float32 array, shape (n_samples, n_features)
    f : int
        The feature.
    found : OUT float32 array, shape (MOST,)
    space : BinSpace

    Returns
    -------
    int
        How many values there are; 0 where they are too many.
    """
    column, slots = space.column, space.slots
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
            while slots[slot] >= 0 and found[slots[slot]] != value:
                slot = (slot + np.uint32(1)) & np.uint32(4 * MOST - 1)
            if slots[slot] < 0:
                if n_values == MOST:
                    return 0
                slots[slot] = n_values
                found[n_values] = value
                n_values += 1
    for v in range(n_values):
        column[v] = found[v]
    ascending(column[:n_values], space.sorting)
    order = space.sorting.order
    for v in range(n_values):
        found[v] = column[order[v]]
    return n_values


@kernel
def find_edges(X, f, edges, space):
    """Write where bins of about as many rows each begin, by an evenly spaced sample of the rows.

    Parameters and what is returned, how many there are, are those of :func:`find_values`.
    """
    column = space.column
    n, n_sample = X.shape[0], min(X.shape[0], space.column.shape[0])
    for i in range(n_sample):
        column[i] = X[i * n // n_sample, f]
    ascending(column[:n_sample], space.sorting)
    order = space.sorting.order
    # A bin that is full ends where the value changes, so that there are at most `MOST`.
    full = (n_sample + MOST - 1) // MOST
    edges[0] = column[order[0]]
    b = n_inside = 0
    for i in range(n_sample):
        value = column[order[i]]
        if i > 0 and n_inside >= full and value != column[order[i - 1]]:
            b += 1
            n_inside = 0
            edges[b] = value
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
        Its ``edges``, each a value that occurs, and ``n_bins`` are read.
    space : BinSpace
    """
    codes, several = bins.codes, bins.several
    column, place = space.column[:TOGETHER], space.sorting.keys[:TOGETHER]
    for start in range(0, X.shape[0], TOGETHER):
        n = min(TOGETHER, X.shape[0] - start)
        for f in range(begin, end):
            edges = bins.edges[f]
            for i in range(n):
                column[i] = X[start + i, f]
            find_bins(column, n, edges, bins.n_bins[f], place)
            for i in range(n):
                several[f, place[i]] |= edges[place[i]] != column[i]
            if f < codes.shape[1]:
                for i in range(n):
                    codes[start + i, f] = place[i]


@kernel
def find_bins(values, n, edges, n_bins, place):
    """Write the bins of some values of a feature, by halving.

    Parameters
    ----------
    values : float32 array, shape (>= n,)
    n : int
    edges : float32 array, shape (MOST,)
        Where bins begin; lesser values than the first are in the first bin as well.
    n_bins : int
    place : OUT uint32 array, shape (>= n,)
    """
    step = np.uint32(1)
    while 2 * step < n_bins:
        step = np.uint32(2 * step)
    for i in range(n):
        place[i] = 0
    while step > 0:
        for i in range(n):
            place[i] += step * np.uint32(edges[place[i] + step] <= values[i])
        step = np.uint32(step >> 1)


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
    ascending(spare_values[:n], space)
    order = space.order
    for i in range(n):
        values[first + i], places[first + i] = spare_values[order[i]], spare_places[order[i]]
