"""Tables of rows, dense or sparse: what sparse ones are made of, their sizes, some of their rows.

A dense table is an array, shape (n, p). How kernels read a row of either is in
:mod:`treecore.rows.reading`.
"""

from __future__ import annotations

from typing import NamedTuple, TypeGuard

import numpy as np

LARGE = 1 << 25
"""Bytes up to which a table is small, 32 MiB: whoever learns from a larger one keeps no second."""


class SparseRows(NamedTuple):
    """A table in compressed sparse rows (CSR): row i stores ``[start[i]:start[i + 1]]``.

    Attributes
    ----------
    values : float32 array, shape (n_stored,)
    where : int32 array, shape (n_stored,)
        Columns, ascending within each row and without repetition.
    start : int64 array, shape (n_samples + 1,)
    n_columns : int
    """

    values: np.ndarray
    where: np.ndarray
    start: np.ndarray
    n_columns: int


class DenseRow(NamedTuple):
    """One row of a dense table; a tuple, as code that counts no references returns no arrays."""

    values: np.ndarray


class SparseRow(NamedTuple):
    """The stored entries of one row: columns, int32, and values, float32."""

    where: np.ndarray
    values: np.ndarray


class CentredRows(NamedTuple):
    """A sparse table whose rows are centred; the dense centre is not subtracted but kept apart.

    Row i stands for ``stored[i] - centre``. Whoever multiplies with such rows has the centre, and
    needs its inner product with every row (:mod:`treecore.learners.nongreedy.centered_sparse`).

    Attributes
    ----------
    stored : SparseRows
    along_centre : float64 array, shape (n_samples,)
        Inner product of every stored row with the centre.
    """

    stored: SparseRows
    along_centre: np.ndarray


class CentredRow(NamedTuple):
    """One row of :class:`CentredRows`: columns, values, and inner product with the centre."""

    where: np.ndarray
    values: np.ndarray
    along_centre: float


def is_large(X) -> bool:
    """Whether a table is dense and has more than :data:`LARGE` bytes in float32.

    Parameters
    ----------
    X : array, shape (n_samples, n_features), or a sparse table
    """
    return isinstance(X, np.ndarray) and 4 * X.size > LARGE


def is_narrow(X) -> TypeGuard[np.ndarray]:
    """Whether a table is dense and of numbers of fewer bytes than float32: bytes, half precision.

    float32 has all of them, so that it makes no difference when a row becomes float32. A large
    table of such numbers stays as it is where a learner takes some rows at a time anyway.
    """
    return isinstance(X, np.ndarray) and X.dtype.itemsize < 4


def widened(X):
    """A dense table in float32, C-contiguous, itself where it is; a sparse one as it is."""
    return np.ascontiguousarray(X, dtype=np.float32) if isinstance(X, np.ndarray) else X


def n_rows(X) -> int:
    """The number of rows of a table."""
    if isinstance(X, CentredRows):
        return len(X.along_centre)
    return len(X.start) - 1 if isinstance(X, SparseRows) else len(X)


def n_columns(X) -> int:
    """The number of columns of a table."""
    return X.n_columns if isinstance(X, SparseRows) else X.shape[1]


def take_rows(X, rows):
    """Some rows of a table, as another table of the same kind.

    Parameters
    ----------
    X : array, shape (n_samples, p), SparseRows or CentredRows
    rows : int or bool array, or slice

    Returns
    -------
    array, SparseRows or CentredRows
    """
    if isinstance(X, CentredRows):
        return CentredRows(take_rows(X.stored, rows), X.along_centre[rows])
    if not isinstance(X, SparseRows):
        return np.ascontiguousarray(X[rows])
    if isinstance(rows, slice) and rows.step in (None, 1):
        first, stop, _ = rows.indices(n_rows(X))
        start = X.start[first : max(first, stop) + 1]
        part = slice(start[0], start[-1])
        return SparseRows(X.values[part], X.where[part], start - start[0], X.n_columns)
    rows = np.arange(n_rows(X))[rows]
    lengths = np.diff(X.start)[rows]
    start = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    stored = np.repeat(X.start[rows] - start[:-1], lengths) + np.arange(start[-1])
    return SparseRows(X.values[stored], X.where[stored], start, X.n_columns)
