"""The Cholesky factor of a symmetric matrix with a ridge, and systems that it solves."""

from __future__ import annotations

import math

from treecore.compiling.kernels import kernel


@kernel
def cholesky(gram, ridge, out):
    """Write the lower triangular L with ``L L' = gram + ridge``; only lower halves are used."""
    p = gram.shape[0]
    for j in range(p):
        for i in range(j, p):
            total = gram[i, j]
            if i == j:
                total += ridge
            for k in range(j):
                total -= out[i, k] * out[j, k]
            # Rounding may leave less than the ridge of a column that others explain.
            out[i, j] = math.sqrt(max(total, 1e-12 * ridge)) if i == j else total / out[j, j]


@kernel
def solve_lower(lower, b, out):
    """Write the x with ``L x = b``; out may be b itself."""
    for i in range(b.shape[0]):
        total = b[i]
        for k in range(i):
            total -= lower[i, k] * out[k]
        out[i] = total / lower[i, i]


@kernel
def solve_upper(lower, x):
    """Solve ``L' x = b`` in place. lower: float64 (p, p); x: float64 (p,), in: b."""
    p = x.shape[0]
    for i in range(p - 1, -1, -1):
        total = x[i]
        for k in range(i + 1, p):
            total -= lower[k, i] * x[k]
        x[i] = total / lower[i, i]
