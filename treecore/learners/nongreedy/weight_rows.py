"""The rows of W in joint learning: read a score, add a scaled example, project onto nu.

Kernels call these on W, whose type decides which code that is. Here W is a dense float32 array
(n_splits, width); for mini-batches and momentum it is
:class:`~treecore.learners.nongreedy.sgd.batches.MomentumRows`, a NamedTuple with its own
:func:`split_score` and :func:`add_scaled_row` and with four methods, for between the passes::

    dense()            the rows written out
    norms()            their lengths
    apply_pending()    the rows as an array to be changed
    refresh()          to be called when they have been changed
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from treecore.compiling.dispatch import by_first, implements
from treecore.compiling.kernels import add_scaled, dot, kernel


@by_first
def split_score(W, split, x):
    """The score w_i.x of one split.

    W: float32 (n_splits, width) or MomentumRows; x: float32 (width,).
    """


@by_first
def add_scaled_row(W, split, step, x, nu):
    """Add ``step`` times a row to w_i, then scale w_i so that ``||w_i||^2 <= nu``.

    nu: greatest squared norm of a row of W, offset included.
    """


def dense_rows(W) -> np.ndarray:
    """The rows of W, (n_splits, width), to be read; whatever form W has."""
    return W if isinstance(W, np.ndarray) else W.dense()


@contextmanager
def editable_rows(W) -> Iterator[np.ndarray]:
    """The rows of W as one array that may be changed; what follows from them is computed after."""
    if isinstance(W, np.ndarray):
        yield W
    else:
        yield W.apply_pending()
        W.refresh()


def row_norms(W) -> np.ndarray:
    """The Euclidean norm of every row, offset included."""
    return np.sqrt(np.einsum("ij,ij->i", W, W)) if isinstance(W, np.ndarray) else W.norms()


@kernel
def project(W, split, nu):
    """Scale a row so that ``||w||^2 <= nu``. W: float32 (n_splits, width)."""
    w = W[np.uint32(split)]
    square = dot(w, w)
    if square > nu:
        shrink = np.float32(math.sqrt(nu / square))
        for j in range(w.shape[0]):
            w[j] *= shrink


@implements(split_score, np.ndarray, inlined=True)
def _dense_score(W, split, x):
    return dot(W[np.uint32(split)], x)


@implements(add_scaled_row, np.ndarray, inlined=True)
def _add_scaled_dense(W, split, step, x, nu):
    add_scaled(x, step, W[np.uint32(split)])
    project(W, split, nu)
