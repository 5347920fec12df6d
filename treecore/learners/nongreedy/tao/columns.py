"""Some rows of a table by column, without zeros, for a solver that moves one weight at a time.

Columns without zeros share the places of their values.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba.extending import register_jitable

from treecore.compiling.kernels import kernel

kernel_part = register_jitable(no_cfunc_wrapper=True)
"""Decorator: compiled into the kernel that calls it, sooner than one of its own; else Python."""


class Columns(NamedTuple):
    """Compressed columns (CSC): column j stores ``values[start[j]:start[j + 1]]``, without zeros.

    ``values[k]`` of column j is of the row at place ``where[k + shift[j]]`` among those taken.
    """

    values: np.ndarray
    where: np.ndarray
    start: np.ndarray
    shift: np.ndarray
    n_rows: int


def take_columns(X: np.ndarray, rows: np.ndarray) -> Columns:
    """The columns of some rows of a table (n_samples, n_features)."""
    p = X.shape[1]
    start = np.zeros(p + 1, dtype=np.int64)
    count_entries(X, rows, start)
    full = start[1:] == len(rows)
    own = np.where(full, 0, start[1:])  # places of a column's own; all full ones follow
    first = np.where(full, own.sum(), np.cumsum(own) - own)
    np.cumsum(start, out=start)
    shift = first - start[:-1]
    values = np.empty(start[-1], dtype=np.float32)
    where = np.empty(own.sum() + full.any() * len(rows), dtype=np.int32)
    place = start[:-1].copy()
    fill_entries(X, rows, place, shift, values, where)
    return Columns(values, where, start, shift, len(rows))


@kernel
def count_entries(X, rows, start):
    """Raise ``start[j + 1]`` by the entries of every column j that are not zero."""
    for i in range(rows.shape[0]):
        x = X[rows[i]]
        for j in range(x.shape[0]):
            if x[j] != 0:
                start[j + 1] += 1


@kernel
def fill_entries(X, rows, place, shift, values, where):
    """Write the entries of every column; place: int64 (n_features,), where the next one goes."""
    for i in range(rows.shape[0]):
        x = X[rows[i]]
        for j in range(x.shape[0]):
            if x[j] != 0:
                values[place[j]] = x[j]
                where[place[j] + shift[j]] = i
                place[j] += 1


@kernel_part
def add_column(columns, j, factor, out):
    """Add a column times a factor to numbers of the rows. out: float64 (n_rows,)."""
    first, stop = columns.start[j], columns.start[j + 1]
    values, where, own = columns.values, columns.where, columns.shift[j]
    if stop - first == out.shape[0]:  # no zeros: places need not be read, and lanes fill
        for i in range(out.shape[0]):
            out[i] += factor * np.float64(values[first + i])
        return
    for k in range(first, stop):
        out[where[k + own]] += factor * np.float64(values[k])


@kernel(reassociated=True)
def weighted_inner(columns, j, weight, x):
    """Sum of a column times weights and numbers of the rows. weight, x: float64 (n_rows,)."""
    first, stop = columns.start[j], columns.start[j + 1]
    values, total = columns.values[first:stop], 0.0
    if stop - first == x.shape[0]:  # as in `add_column`
        for i in range(x.shape[0]):
            total += np.float64(values[i]) * (weight[i] * x[i])
        return total
    where = columns.where[first + columns.shift[j] : stop + columns.shift[j]]
    for k in range(values.shape[0]):
        total += np.float64(values[k]) * (weight[where[k]] * x[where[k]])
    return total
