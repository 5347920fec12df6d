"""Rows of a table as kernels read them, dense or sparse.

Kernels never index a table themselves; they take ``row_at(X, i)`` and ask it for its inner
product with a vector, for one entry, or to be added to a vector. Dense and sparse tables answer
each in their own compiled code, so one kernel serves both::

    X  array (n, p)  ──row_at──> DenseRow       inner: see `dot`
    X  SparseRows    ──row_at──> SparseRow      inner: over what is stored
    X  CentredRows   ──row_at──> CentredRow     for joint learning only, see `centered_sparse`

A view of a row costs nothing in kernels that count no references (``allocates`` in
:mod:`treecore.compiling.kernels`): they alone may read row by row.
"""

from __future__ import annotations

import numpy as np

from treecore.compiling.dispatch import by_first, implements
from treecore.compiling.kernels import dot, kernel
from treecore.rows.tables import CentredRow, CentredRows, DenseRow, SparseRow, SparseRows


@by_first
def row_at(X, i):
    """Row ``i`` of a table.

    Parameters
    ----------
    X : array, shape (n_samples, p), SparseRows or CentredRows
    i : int

    Returns
    -------
    DenseRow, SparseRow or CentredRow
        Views of the table.
    """


@by_first
def inner(x, w):
    """Inner product of a row with a dense vector.

    Parameters
    ----------
    x : DenseRow, SparseRow, or float32 array, shape (p,)
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
    x : DenseRow, SparseRow, or float32 array, shape (p,)
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
    x : DenseRow, SparseRow, or float32 array, shape (p,)
    factor : float32
    w : INOUT float32 array, shape (>= p,)
    """


@implements(row_at, np.ndarray, inlined=True)
def _dense_row(X, i):
    return DenseRow(X[i])


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
def _vector_inner(x, w):
    return dot(w, x)


@implements(inner, DenseRow, inlined=True)
def _dense_inner(x, w):
    return dot(w, x.values)


@kernel(reassociated=True)
def _dot_of_stored(where, values, w):
    total = np.float32(0.0)
    for k in range(where.shape[0]):
        total += w[where[k]] * values[k]
    return total


@implements(inner, SparseRow, inlined=True)
def _sparse_inner(x, w):
    return _dot_of_stored(x.where, x.values, w)


@implements(entry, np.ndarray, inlined=True)
def _vector_entry(x, column):
    return x[column]


@implements(entry, DenseRow, inlined=True)
def _dense_entry(x, column):
    return x.values[column]


@implements(entry, SparseRow)
def _sparse_entry(x, column):
    k = np.searchsorted(x.where, column)
    if k < x.where.shape[0] and x.where[k] == column:
        return x.values[k]
    return np.float32(0.0)


@implements(add_scaled, np.ndarray, inlined=True)
def _add_vector(x, factor, w):
    for j in range(w.shape[0]):
        w[j] += factor * x[j]


@implements(add_scaled, DenseRow, inlined=True)
def _add_dense(x, factor, w):
    for j in range(w.shape[0]):
        w[j] += factor * x.values[j]


@implements(add_scaled, SparseRow, inlined=True)
def _add_sparse(x, factor, w):
    for k in range(x.where.shape[0]):
        w[x.where[k]] += factor * x.values[k]
