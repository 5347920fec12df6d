"""The rows of W in joint learning: read a score, add a scaled example, project onto nu."""

from __future__ import annotations

import math

import numpy as np

from treecore.compiling.kernels import add_scaled, dot, kernel


@kernel(pasted=True)
def split_score(W, split, x):
    """The score w_i.x of one split. W: float32 (n_splits, width); x: float32 (width,)."""
    return dot(W[np.uint32(split)], x)


@kernel(pasted=True)
def add_scaled_row(W, split, step, x, nu):
    """Add ``step`` times x to w_i, then scale w_i so that ``||w_i||^2 <= nu``, offset included."""
    add_scaled(x, step, W[np.uint32(split)])
    project(W, split, nu)


@kernel(pasted=True)
def project(W, split, nu):
    """Scale a row so that ``||w||^2 <= nu``. W: float32 (n_splits, width)."""
    w = W[np.uint32(split)]
    square = dot(w, w)
    if square > nu:
        shrink = np.float32(math.sqrt(nu / square))
        for j in range(w.shape[0]):
            w[j] *= shrink


def mean_row_norm(W: np.ndarray) -> float:
    """The mean Euclidean norm of the rows, offset included; 0 without rows."""
    return float(np.sqrt(np.einsum("ij,ij->i", W, W)).mean()) if len(W) else 0.0
