"""Rows of W for sparse tables: centred features, at the price of the entries that are stored.

Sparse features are mostly positive, and learning on features that are not centred is slow, but
centring fills the table. So neither the rows nor the steps along them are ever written out. With
``m`` the centre, a row of the table is ``z = u - m``, where only the sparse ``u`` is stored, and a
row of W is kept as ::

    w = c (v - a m)        v dense, changed only where u stores entries; a and c numbers

    w.z        =  c ( v.u - v.m - a m.u + a m.m )            a score reads v where u is stored
    w + s z    =  c ( (v + (s/c) u) - (a + s/c) m )          a step writes v there, and a
    ||w||^2    =  c^2 ( v.v - 2 a v.m + a^2 m.m )            the projection changes c alone

``v.m`` and ``v.v`` are kept up to date from what float32 has made of every entry of ``v``, so
that they do not drift, in float64, since they nearly cancel. At the end of every pass ``c`` and
``a`` are multiplied out (*applied*), and ``v`` is the row itself.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from treecore.compiling.dispatch import implements
from treecore.compiling.kernels import kernel
from treecore.learners.nongreedy.weight_rows import add_scaled_row, split_score

SMALLEST_FACTOR = 1e-3
"""A row whose ``c`` falls below this is multiplied out at once: steps are divided by it."""

GREATEST_CANCELLATION = 1e8
"""So is one whose ``|a m|^2`` is this many times ``|v - a m|^2``: float32 holds v to 1 in 10^7."""


class CenteredSparseRows(NamedTuple):
    """W, for tables of the type :class:`treecore.rows.tables.CentredRows`.

    Attributes
    ----------
    v : float32 array, shape (n_splits, width)
    a, c : float64 arrays, shape (n_splits,)
        Row i is ``c[i] * (v[i] - a[i] * centre)``.
    along_centre, square : float64 arrays, shape (n_splits,)
        Invariant: ``v[i] @ centre`` and ``v[i] @ v[i]``.
    centre : float64 array, shape (width,)
    centre_square : float
        ``centre @ centre``.
    """

    v: np.ndarray
    a: np.ndarray
    c: np.ndarray
    along_centre: np.ndarray
    square: np.ndarray
    centre: np.ndarray
    centre_square: float

    @classmethod
    def of(cls, W: np.ndarray, centre: np.ndarray) -> CenteredSparseRows:
        """Rows for tables centred at ``centre``.

        Parameters
        ----------
        W : array, shape (n_splits, width)
            The rows written out; copied.
        centre : float64 array, shape (width,)
        """
        n = len(W)
        rows = cls(
            v=np.array(W, dtype=np.float32),
            a=np.zeros(n),
            c=np.ones(n),
            along_centre=np.zeros(n),
            square=np.zeros(n),
            centre=centre,
            centre_square=math.fsum(centre**2),  # np.sum adds in an order of the processor's
        )
        rows.refresh()
        return rows

    def dense(self) -> np.ndarray:
        """The rows written out, float64 (n_splits, width)."""
        return self.c[:, None] * (self.v - self.a[:, None] * self.centre)

    def apply_pending(self) -> np.ndarray:
        """Multiply out; return the rows, float32, to be changed if followed by :meth:`refresh`."""
        apply_pending_rows(self)
        return self.v

    def refresh(self) -> None:
        """Compute products and squares anew from a ``v`` that has changed."""
        apply_pending_rows(self)

    def norms(self) -> np.ndarray:
        """The length of every row, float64 (n_splits,)."""
        square = self.square - 2 * self.a * self.along_centre + self.a**2 * self.centre_square
        return self.c * np.sqrt(np.maximum(square, 0.0))


@kernel
def apply_pending_row(W, split):
    """Write one row into its ``v``, so that ``c`` is 1 and ``a`` is 0.

    Parameters
    ----------
    W : CenteredSparseRows
        Changed in place.
    split : int
    """
    v, a, c = W.v[split], W.a[split], W.c[split]
    along, square = 0.0, 0.0
    for j in range(v.shape[0]):
        entry = np.float64(v[j])
        if c != 1.0 or a != 0.0:
            v[j] = np.float32(c * (entry - a * W.centre[j]))
            entry = np.float64(v[j])
        along += entry * W.centre[j]
        square += entry * entry
    W.a[split], W.c[split] = 0.0, 1.0
    W.along_centre[split], W.square[split] = along, square


@kernel
def apply_pending_rows(W):
    """:func:`apply_pending_row` for all rows."""
    for split in range(W.a.shape[0]):
        apply_pending_row(W, split)


@implements(split_score, CenteredSparseRows)
def _implicit_score(W, split, x):
    v, a = W.v[split], W.a[split]
    product = 0.0
    for k in range(x.where.shape[0]):
        product += np.float64(v[x.where[k]]) * np.float64(x.values[k])
    centred = product - W.along_centre[split] - a * (x.along_centre - W.centre_square)
    return np.float32(W.c[split] * centred)


@implements(add_scaled_row, CenteredSparseRows)
def _add_scaled_implicit(W, split, step, x, nu):
    v = W.v[split]
    factor = np.float64(step) / W.c[split]
    along, square = W.along_centre[split], W.square[split]
    for k in range(x.where.shape[0]):
        j = x.where[k]
        old = np.float64(v[j])
        v[j] = np.float32(old + factor * np.float64(x.values[k]))
        new = np.float64(v[j])
        along += (new - old) * W.centre[j]
        square += (new - old) * (new + old)
    W.along_centre[split], W.square[split] = along, square
    a = W.a[split] + factor
    W.a[split] = a
    c = W.c[split]
    centre_part = a * a * W.centre_square
    left = square - 2.0 * a * along + centre_part
    if c * c * left > nu:
        c = math.sqrt(nu / left)
        W.c[split] = c
    if c < SMALLEST_FACTOR or centre_part > GREATEST_CANCELLATION * abs(left):
        apply_pending_row(W, split)
