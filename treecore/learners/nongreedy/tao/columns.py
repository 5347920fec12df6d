"""Some rows of a table, column by column: what a solver reads that moves one weight at a time.

Zeros are not stored, whether or not the table was sparse: seventeen of twenty pixels of a written
digit are zeros, and no sum needs to pass over them. Columns without zeros share the places of their
values, so that measurements take half of the memory.

All columns of many rows would be a second table. Of a large dense one some are at hand at a time,
and whoever wants another one has it brought, with those that are wanted after it::

    X      x x x x x x x x x x          columns      2  5  6 | 7  9 ...
           x x x x x x x x x x    ->    values       x  x  x
           ...                                       x  x  x      the next three take their place
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.core.scaled_rows import is_kept
from treecore.rows.reading import SparseRows, n_columns

AT_HAND = 10
"""Of a large table, such a part of what the columns store is at hand, or the longest one."""


class Columns(NamedTuple):
    """Compressed columns (CSC): column j stores ``[start[j]:stop[j]]``.

    Attributes
    ----------
    values : float32 array, shape (n_stored,)
        Not zero.
    where : int32 array
        Places of the rows among those that were taken, ascending within each column: that of
        ``values[k]`` in column j is ``where[k + shift[j]]``.
    start, stop, shift : int64 arrays, shape (n_columns,)
        ``stop`` is -1 of a column that is not at hand, see :func:`bring`.
    sizes : int64 array, shape (n_columns,)
        How many values each stores when it is.
    X : float32 array, shape (n_samples, n_features)
        Where other columns come from; empty where all are at hand.
    rows : int array, shape (n_rows,)
    n_rows : int
    """

    values: np.ndarray
    where: np.ndarray
    start: np.ndarray
    stop: np.ndarray
    shift: np.ndarray
    sizes: np.ndarray
    X: np.ndarray
    rows: np.ndarray
    n_rows: int


def take_columns(X: np.ndarray | SparseRows, rows: np.ndarray) -> Columns:
    """The columns of some rows of a table.

    Parameters
    ----------
    X : float32 array, shape (n_samples, n_features), or SparseRows
    rows : int array, shape (n_rows,)
    """
    p, n = n_columns(X), len(rows)
    sizes = np.zeros(p, dtype=np.int64)
    sparse = isinstance(X, SparseRows)
    (count_stored if sparse else count_dense)(X, rows, sizes)
    full = sizes == n
    start, stop, shift = np.zeros((3, p), dtype=np.int64)
    if not sparse and not is_kept(int(sizes.sum()), 1, X.nbytes):
        room = max(int(sizes.max()), int(sizes.sum()) // AT_HAND)
        own = 0 if full.all() else room  # places of columns that do not share them; others follow
        where = np.empty(own + full.any() * n, dtype=np.int32)
        where[own:] = np.arange(len(where) - own)
        stop[:] = -1
        values = np.empty(room, dtype=np.float32)
        return Columns(values, where, start, stop, shift, sizes, X, rows, n)
    stored = np.where(full, 0, sizes)
    first = np.where(full, stored.sum(), np.cumsum(stored) - stored)
    start[1:] = np.cumsum(sizes)[:-1]
    stop[:] = start  # and on, with every value
    shift[:] = first - start
    values = np.empty(sizes.sum(), dtype=np.float32)
    where = np.empty(stored.sum() + full.any() * n, dtype=np.int32)
    (fill_stored if sparse else fill_dense)(X, rows, stop, shift, values, where)
    nothing = np.empty((0, 0), dtype=np.float32)
    return Columns(values, where, start, stop, shift, sizes, nothing, rows[:0], n)


@kernel
def bring(columns, wanted, place):
    """Have a column at hand, and of those that are wanted after it as many as there is room for.

    Parameters
    ----------
    columns : INOUT Columns
    wanted : int64 array
        Columns in the order in which they will be read; beyond the last one there are none.
    place : int
        Where the one is in ``wanted``.
    """
    if columns.stop[wanted[place]] >= 0:
        return
    start, stop, shift, sizes = columns.start, columns.stop, columns.shift, columns.sizes
    values, where, n = columns.values, columns.where, columns.n_rows
    for j in range(stop.shape[0]):
        stop[j] = -1
    taken = own = 0
    last = place
    while last < wanted.shape[0] and wanted[last] < stop.shape[0]:
        j = wanted[last]
        if taken + sizes[j] > values.shape[0]:
            break
        start[j] = stop[j] = taken
        shift[j] = (where.shape[0] - n if sizes[j] == n else own) - taken
        taken += sizes[j]
        own += 0 if sizes[j] == n else sizes[j]
        last += 1
    for i in range(n):
        x = columns.X[columns.rows[i]]
        for k in range(place, last):
            j = wanted[k]
            if x[j] != 0:
                values[stop[j]] = x[j]
                where[stop[j] + shift[j]] = i
                stop[j] += 1


@kernel
def count_dense(X, rows, sizes):
    """Count the entries of every column that are not zero.

    Parameters
    ----------
    X : float32 array, shape (n_samples, n_features)
    rows : int array, shape (n_rows,)
    sizes : INOUT int64 array, shape (n_features,)
    """
    for i in range(rows.shape[0]):
        x = X[rows[i]]
        for j in range(x.shape[0]):
            if x[j] != 0:
                sizes[j] += 1


@kernel
def fill_dense(X, rows, place, shift, values, where):
    """Write the entries of every column.

    Parameters
    ----------
    X : float32 array, shape (n_samples, n_features)
    rows : int array, shape (n_rows,)
    place : INOUT int64 array, shape (n_features,)
        Where the next entry of every column goes.
    shift : int64 array, shape (n_features,)
    values, where : OUT float32 and int32 arrays
        See :class:`Columns`.
    """
    for i in range(rows.shape[0]):
        x = X[rows[i]]
        for j in range(x.shape[0]):
            if x[j] != 0:
                values[place[j]] = x[j]
                where[place[j] + shift[j]] = i
                place[j] += 1


@kernel
def count_stored(X, rows, sizes):
    """:func:`count_dense` for SparseRows. Parameters are those of :func:`count_dense`."""
    for i in range(rows.shape[0]):
        for k in range(X.start[rows[i]], X.start[rows[i] + 1]):
            if X.values[k] != 0:
                sizes[X.where[k]] += 1


@kernel
def fill_stored(X, rows, place, shift, values, where):
    """:func:`fill_dense` for SparseRows. Parameters are those of :func:`fill_dense`."""
    for i in range(rows.shape[0]):
        for k in range(X.start[rows[i]], X.start[rows[i] + 1]):
            if X.values[k] != 0:
                j = X.where[k]
                values[place[j]] = X.values[k]
                where[place[j] + shift[j]] = i
                place[j] += 1
