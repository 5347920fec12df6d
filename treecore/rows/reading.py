"""Rows of a table as kernels read them, dense or sparse.

Kernels never index a table themselves; they take ``row_at(X, i)`` and ask it for its inner
product with a vector, for one entry, or to be added to a vector. Dense and sparse tables answer
each in their own compiled code, so one kernel serves both::

    X  array (n, p)  ──row_at──> array (p,)          inner: in sixteen lanes, see `dot`
    X  SparseRows    ──row_at──> SparseRow           inner: over what is stored, in the same lanes
    X  CentredRows   ──row_at──> CentredRow          for joint learning only, see `centered_sparse`

Zeros that are not stored would add nothing, and the others are added in the order of :func:`dot`:
a row has the same inner products, to the last bit, whether its table is dense or sparse.

Where every nanosecond counts, tables are handed on with the number of a row in place of a view of
it, see :func:`dot_of_rows`: ``inner_at`` and ``entry_at`` for rows of X, ``row_inner`` and
``add_to_row`` for rows of W.
"""

from __future__ import annotations

import ctypes
import functools
import threading

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from treecore.compiling.dispatch import by_first, implements
from treecore.compiling.kernels import LANES, dot, dot_of_row, dot_of_rows, instructions, prefetch
from treecore.rows.gathered import dots_of_pairs
from treecore.rows.tables import CentredRow, CentredRows, SparseRow, SparseRows


@by_first
def row_at(X, i):
    """Row ``i`` of a table.

    Parameters
    ----------
    X : array, shape (n_samples, p), SparseRows or CentredRows
    i : int

    Returns
    -------
    array, shape (p,), SparseRow or CentredRow
        A view.
    """


@by_first
def inner(x, w):
    """Inner product of a row with a dense vector.

    Parameters
    ----------
    x : float32 array, shape (p,), or SparseRow
    w : float32 array, shape (>= p,)

    Returns
    -------
    float32
    """


@by_first
def entry(x, column):
    """One entry of a row.

    Parameters
    ----------
    x : float32 array, shape (p,), or SparseRow
    column : int

    Returns
    -------
    float32
    """


@by_first
def add_scaled(x, factor, w):
    """Add ``factor`` times a row to a dense vector.

    Parameters
    ----------
    x : float32 array, shape (p,), or SparseRow
    factor : float32
    w : INOUT float32 array, shape (>= p,)
    """


@by_first
def row_inner(x, W, k):
    """``inner(x, W[k])``.

    Parameters
    ----------
    x : float32 array, shape (p,), or SparseRow
    W : float32 array, shape (n, p)
    k : int

    Returns
    -------
    float32
    """


@by_first
def add_to_row(x, factor, W, k):
    """``add_scaled(x, factor, W[k])``.

    Parameters
    ----------
    x : float32 array, shape (p,), or SparseRow
    factor : float32
    W : INOUT float32 array, shape (n, p)
    k : int
    """


@by_first
def inner_at(X, i, W, k):
    """``inner(row_at(X, i), W[k])``.

    Parameters
    ----------
    X : float32 array, shape (n_samples, p), or SparseRows
    i : int
    W : float32 array, shape (n, p)
    k : int

    Returns
    -------
    float32
    """


@by_first
def four_inner_at(X, rows, W, splits):
    """``inner_at(X, rows[e], W, splits[e])`` for e = 0, 1, 2, 3; none waits for another one.

    Parameters
    ----------
    X : float32 array, shape (n_samples, p), or SparseRows
    rows : tuple of four int
    W : float32 array, shape (n, p)
    splits : tuple of four int

    Returns
    -------
    tuple of four float32
    """


@by_first
def entry_at(X, i, column):
    """``entry(row_at(X, i), column)``.

    Parameters
    ----------
    X : float32 array, shape (n_samples, p), or SparseRows
    i, column : int

    Returns
    -------
    float32
    """


@by_first
def prefetch_entry(X, i, column):
    """Ask for an entry that will be read soon, where it is known where it lies.

    Parameters
    ----------
    X : float32 array, shape (n_samples, p), or SparseRows
    i, column : int
    """


@by_first
def prefetch_row(X, i):
    """Ask for a row that will be read soon, where it is known where it lies.

    Parameters
    ----------
    X : float32 array, shape (n_samples, p), SparseRows or CentredRows
    i : int
    """


@implements(row_at, np.ndarray, inlined=True)
def _dense_row(X, i):
    return X[i]


@implements(row_at, SparseRows, inlined=True)
def _sparse_row(X, i):
    first, stop = X.start[i], X.start[i + 1]
    return SparseRow(X.where[first:stop], X.values[first:stop])


@implements(row_at, CentredRows, inlined=True)
def _centred_row(X, i):
    first, stop = X.stored.start[i], X.stored.start[i + 1]
    where, values = X.stored.where[first:stop], X.stored.values[first:stop]
    return CentredRow(where, values, X.along_centre[i])


@implements(inner, np.ndarray, inlined=True)
def _dense_inner(x, w):
    return dot(w, x)


@functools.cache
def _plain_lanes(thread: int):
    """In plain Python: whoever reads by an address has to find the numbers still there."""
    return (ctypes.c_float * LANES)()


def _plain_address():
    return ctypes.cast(_plain_lanes(threading.get_ident()), ctypes.POINTER(ctypes.c_float))


@instructions(_plain_address)
def _lanes(typing):
    """Room for ``LANES`` numbers on the stack: an array would have to be allocated."""

    def codegen(context, builder, signature, arguments):
        room = cgutils.alloca_once(builder, ir.FloatType(), size=LANES)
        return builder.bitcast(room, context.get_value_type(signature.return_type))

    return types.CPointer(types.float32)(), codegen


@implements(inner, SparseRow)
def _sparse_inner(x, w):
    # The order of `dot`: blocks lane by lane, lanes by halves, the rest one by one.
    lanes = numba.carray(_lanes(), LANES)
    for lane in range(LANES):
        lanes[lane] = np.float32(0.0)
    in_blocks = w.shape[0] // LANES * LANES
    n, k = x.where.shape[0], 0
    while k < n and x.where[k] < in_blocks:
        lanes[x.where[k] % LANES] += w[x.where[k]] * x.values[k]
        k += 1
    width = LANES
    while width > 1:
        width //= 2
        for lane in range(width):
            lanes[lane] += lanes[lane + width]
    total = lanes[0]
    while k < n:
        total += w[x.where[k]] * x.values[k]
        k += 1
    return total


@implements(entry, np.ndarray)
def _dense_entry(x, column):
    return x[column]


@implements(entry, SparseRow)
def _sparse_entry(x, column):
    k = np.searchsorted(x.where, column)
    if k < x.where.shape[0] and x.where[k] == column:
        return x.values[k]
    return np.float32(0.0)


@implements(row_inner, np.ndarray, inlined=True)
def _dense_row_inner(x, W, k):
    return dot_of_row(W, k, x)


@implements(row_inner, SparseRow)
def _sparse_row_inner(x, W, k):
    return inner(x, W[k])


@implements(add_to_row, np.ndarray, inlined=True)
def _add_dense_to_row(x, factor, W, k):
    row = np.uint32(k)
    for j in range(W.shape[1]):
        W[row, j] += factor * x[j]


@implements(add_to_row, SparseRow)
def _add_sparse_to_row(x, factor, W, k):
    add_scaled(x, factor, W[k])


@implements(inner_at, np.ndarray, inlined=True)
def _dense_inner_at(X, i, W, k):
    return dot_of_rows(W, k, X, i)


@implements(inner_at, SparseRows, inlined=True)
def _sparse_inner_at(X, i, W, k):
    return inner(row_at(X, i), W[k])


@implements(four_inner_at, np.ndarray, inlined=True)
def _four_dense(X, rows, W, splits):
    k, l, m, n = splits
    a, b, c, d = rows
    return dots_of_pairs(W, X, k, l, m, n, a, b, c, d)


@implements(four_inner_at, SparseRows, inlined=True)
def _four_sparse(X, rows, W, splits):
    k, l, m, n = splits
    a, b, c, d = rows
    return inner_at(X, a, W, k), inner_at(X, b, W, l), inner_at(X, c, W, m), inner_at(X, d, W, n)


@implements(entry_at, np.ndarray, inlined=True)
def _dense_entry_at(X, i, column):
    return X[i, column]


@implements(entry_at, SparseRows, inlined=True)
def _sparse_entry_at(X, i, column):
    return entry(row_at(X, i), column)


@implements(prefetch_entry, np.ndarray, inlined=True)
def _prefetch_dense(X, i, column):
    prefetch(X, i, column)


@implements(prefetch_row, np.ndarray, inlined=True)
def _prefetch_dense_row(X, i):
    for j in range(0, X.shape[1], LANES):  # a cache line, on most processors
        prefetch(X, i, j)


@implements(prefetch_row, SparseRows)
def _prefetch_no_row(X, i):
    pass


@implements(prefetch_row, CentredRows)
def _prefetch_no_centred_row(X, i):
    pass


@implements(prefetch_entry, SparseRows, inlined=True)
def _prefetch_nothing(X, i, column):
    pass


@implements(add_scaled, np.ndarray, inlined=True)
def _add_dense(x, factor, w):
    for j in range(w.shape[0]):
        w[j] += factor * x[j]


@implements(add_scaled, SparseRow, inlined=True)
def _add_sparse(x, factor, w):
    for k in range(x.where.shape[0]):
        w[x.where[k]] += factor * x.values[k]
