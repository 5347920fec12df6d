"""Arithmetic on rows scattered over a table: products of four at a time, and sums of many."""

from __future__ import annotations

import numpy as np

from treecore.compiling.kernels import kernel


@kernel(inlined=True, reassociated=True)
def dots_of_four(W, k, X, a, b, c, d):
    """``dot(W[k], X[i])`` for i = a, b, c, d; both tables are C-contiguous and of float32."""
    p = q = r = s = np.float32(0.0)
    for j in range(W.shape[1]):
        w = W[k, j]
        p += w * X[a, j]
        q += w * X[b, j]
        r += w * X[c, j]
        s += w * X[d, j]
    return p, q, r, s


@kernel(inlined=True, reassociated=True)
def sum_scaled_rows(X, rows, factor, first, stop, out):
    """Write the sum of ``factor[e] * X[rows[e]]`` for e from ``first`` up to ``stop``."""
    out[:] = np.float32(0.0)
    last_full = first + (stop - first) // 8 * 8
    for e in range(first, last_full, 8):
        a, b, c, d = rows[e], rows[e + 1], rows[e + 2], rows[e + 3]
        k, l, m, n = rows[e + 4], rows[e + 5], rows[e + 6], rows[e + 7]
        of_a, of_b, of_c, of_d = factor[e], factor[e + 1], factor[e + 2], factor[e + 3]
        of_k, of_l, of_m, of_n = factor[e + 4], factor[e + 5], factor[e + 6], factor[e + 7]
        for j in range(out.shape[0]):
            out[j] += (of_a * X[a, j] + of_b * X[b, j] + of_c * X[c, j] + of_d * X[d, j]) + (
                of_k * X[k, j] + of_l * X[l, j] + of_m * X[m, j] + of_n * X[n, j]
            )
    for e in range(last_full, stop):
        f, a = factor[e], rows[e]
        for j in range(out.shape[0]):
            out[j] += f * X[a, j]
