"""A large table in training coordinates, whose rows are scaled when they are read, not kept.

Scaled rows beside the table as it was given are a second table, a larger one. A small table keeps
them, as reading them is faster; of a large one, whoever learns takes some rows at a time::

    X      x x x x x x x x x x x x        rows 7, 2, 9, ... as SGD visits them
             │ │         │
    Z[rows]  z z ...     z                a block that stays in the cache

The numbers are the same, to the last bit, so that nothing that is learnt depends on the size.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.core.scaling import Scaling
from treecore.rows import tables
from treecore.rows.aligned import aligned_zeros
from treecore.rows.tables import CentredRows, SparseRows, is_narrow, widened

SHARE_KEPT = 16
"""Of a table that is larger, such a part of it at most is kept of some of its rows."""

BLOCK_VALUES = 1 << 17
"""Numbers of a block of scaled rows: 512 KiB, which the second cache holds."""

COPIED_ROWS = 64
"""Rows that are copied before they are scaled: read in random order, they wait together."""


class RowsOf:
    """Some rows of a table, copied where they are asked for, by ``some[slice]``.

    Parameters
    ----------
    X : float32 array, shape (n_samples, n_features)
    rows : int array, shape (n,)
    """

    def __init__(self, X: np.ndarray, rows: np.ndarray):
        self._X, self._rows = X, rows
        self.shape = len(rows), X.shape[1]

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, part: slice) -> np.ndarray:
        return self._X[self._rows[part]]


class ScaledRows:
    """The rows of a table in training coordinates; ``Z[rows]`` scales those asked for.

    Parameters
    ----------
    X : float32 array, shape (n_samples, n_features), C-contiguous, or one of narrower numbers
    scaling : Scaling
    among : int array, shape (n,), or None
        The rows of X that there are, in this order; None: all.
    """

    def __init__(self, X: np.ndarray, scaling: Scaling, among: np.ndarray | None = None):
        self._X, self._scaling, self._among = X, scaling, among
        self._scale = scaling.factor / scaling.deviation
        self.shape = len(X if among is None else among), scaling.width
        self.block_rows = max(1, BLOCK_VALUES // scaling.width)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows) -> np.ndarray:
        """Some rows, by a slice or an array of numbers, float32 (n, width)."""
        if isinstance(rows, slice):
            rows = np.arange(*rows.indices(len(self)))
        return self.write(rows, aligned_zeros((len(rows), self.shape[1])))

    def write(self, rows: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Write some rows, and return ``out``.

        Parameters
        ----------
        rows : int64 array, shape (n,)
        out : OUT float32 array, shape (n, width)
        """
        scaling = self._scaling
        if self._among is not None:
            rows = self._among[rows].astype(np.int64)
        X = self._X
        if is_narrow(X):  # which no kernel reads
            X, rows = widened(X[rows]), np.arange(len(rows))
        scale_rows(X, rows, scaling.mean, self._scale, -scaling.factor, out)
        return out


@kernel
def scale_rows(X, rows, mean, scale, constant, out):
    """Write some rows in training coordinates, as :meth:`Scaling.transform` does.

    Parameters
    ----------
    X : float32 array, shape (n_samples, n_features)
    rows : int64 array, shape (n,)
    mean, scale : float64 arrays, shape (n_features,)
    constant : float
        What follows the features of each row; zeros follow that.
    out : OUT float32 array, shape (n, width)
    """
    p = X.shape[1]
    for i in range(rows.shape[0]):
        if i % COPIED_ROWS == 0:
            for k in range(i, min(i + COPIED_ROWS, rows.shape[0])):
                row = np.uint64(rows[k])
                for j in range(p):
                    out[k, j] = X[row, j]
        for j in range(p):
            out[i, j] = np.float32((np.float64(out[i, j]) - mean[j]) * scale[j])
        out[i, p] = np.float32(constant)
        for j in range(p + 1, out.shape[1]):
            out[i, j] = np.float32(0.0)


def is_kept(n_rows: int, width: int, table: int = 0) -> bool:
    """Whether a table of float32 of that size is small enough for a copy.

    Parameters
    ----------
    n_rows, width : int
    table : int
        Bytes of the table that the rows are some of.
    """
    most = tables.LARGE if table <= tables.LARGE else min(tables.LARGE, table // SHARE_KEPT)
    return 4 * n_rows * width <= most


def rows_of(X: np.ndarray, rows: np.ndarray) -> np.ndarray | RowsOf:
    """Some rows of a table, in the form that suits their number; see :class:`RowsOf`."""
    return X[rows] if is_kept(len(rows), X.shape[1], X.nbytes) else RowsOf(X, rows)


def scaled_rows(X, scaling: Scaling, among: np.ndarray | None = None) -> Any:
    """A table in training coordinates, in the form that suits its size.

    Parameters
    ----------
    X : float32 array, shape (n_samples, n_features), C-contiguous, of narrower numbers, or
        SparseRows
    scaling : Scaling
    among : int array, shape (n,), or None
        The rows of X that are wanted, of a dense one; None: all.

    Returns
    -------
    float32 array, shape (n_samples, width), CentredRows or ScaledRows
    """
    if isinstance(X, SparseRows):
        return scaling.transform(X)
    if among is None and is_kept(len(X), scaling.width):
        return scaling.transform(X)
    if among is not None and is_kept(len(among), scaling.width, X.nbytes):
        return scaling.transform(RowsOf(X, among))
    return ScaledRows(X, scaling, among)


def write_rows(Z: np.ndarray | ScaledRows, rows: np.ndarray, out: np.ndarray) -> None:
    """Write some rows of a table in training coordinates side by side.

    Parameters
    ----------
    Z : float32 array, shape (n_samples, width), or ScaledRows
    rows : int64 array, shape (n,)
    out : OUT float32 array, shape (n, width)
    """
    if isinstance(Z, ScaledRows):
        Z.write(rows, out)
    else:
        np.take(Z, rows, axis=0, out=out, mode="clip")  # unbuffered


def blocks_of(
    Z: np.ndarray | CentredRows | ScaledRows, rows: np.ndarray, *by_row, multiple: int = 1
) -> Iterator[tuple]:
    """Some rows of a table as kernels read them, block by block where they are not kept.

    Parameters
    ----------
    Z : float32 array, shape (n_samples, width), CentredRows or ScaledRows
    rows : int64 array, shape (n,)
        In the order in which they are to be read.
    *by_row : arrays, shape (n_samples, ...)
        What else there is of every row.
    multiple : int
        Of how many rows blocks are whole numbers, but for the last one.

    Yields
    ------
    first : int
        Place in ``rows`` where the block begins.
    part : float32 array or CentredRows
    places : int64 array
        The rows of the block, as rows of ``part`` and of the arrays that follow.
    *parts : arrays
        Of ``by_row``.
    """
    if not isinstance(Z, ScaledRows):
        yield 0, Z, rows, *by_row
        return
    n_abreast = max(1, Z.block_rows // multiple) * multiple
    for first in range(0, len(rows), n_abreast):
        some = rows[first : first + n_abreast]
        yield first, Z[some], np.arange(len(some)), *(array[some] for array in by_row)
