"""Quadratics with a ridge and an L1 penalty, by a Cholesky factor or by coordinate descent."""

from __future__ import annotations

import math

from treecore.compiling.kernels import kernel

SWEEPS = 1000
"""Sweeps over the coordinates at most."""

STILL = 1e-9
"""Greatest step of a coordinate, as a share of the greatest one, at which descent ends."""


@kernel
def penalised_solution(gram, factor, moment, ridge, l1, b):
    """Write the b that minimises ``b' G b - 2 m.b + ridge ||b||^2 + l1 ||b||_1``.

    Parameters
    ----------
    gram : float64 array, shape (p, p)
        G: symmetric, not negative; only its lower half is read.
    factor : float64 array, shape (p, p)
        Of ``G + ridge``, by :func:`cholesky`; read where ``l1`` is 0.
    moment : float64 array, shape (p,)
        m.
    ridge, l1 : float
        The ridge is positive.
    b : INOUT float64 array, shape (p,)
        In: where coordinate descent begins (Friedman, Hastie and Tibshirani 2010).
    """
    p = moment.shape[0]
    if l1 == 0.0:
        solve_lower(factor, moment, b)
        solve_upper(factor, b)
        return
    for _ in range(SWEEPS):
        moved, largest = 0.0, 0.0
        for j in range(p):
            pull = moment[j]
            for k in range(p):
                if k != j and b[k] != 0.0:
                    pull -= (gram[j, k] if k < j else gram[k, j]) * b[k]
            size = max(abs(pull) - 0.5 * l1, 0.0) / (gram[j, j] + ridge)
            new = size if pull > 0 else -size
            moved = max(moved, abs(new - b[j]))
            largest = max(largest, size)
            b[j] = new
        if moved <= STILL * largest:
            break


@kernel
def cholesky(gram, ridge, out):
    """Write the lower triangular L with ``L L' = gram + ridge``.

    Parameters
    ----------
    gram : float64 array, shape (p, p)
        Symmetric, not negative; only its lower half is read.
    ridge : float
        Positive.
    out : OUT float64 array, shape (p, p)
        Only its lower half is written.
    """
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
    """Write the x with ``L x = b``.

    Parameters
    ----------
    lower : float64 array, shape (p, p)
    b : float64 array, shape (p,)
    out : OUT float64 array, shape (p,)
        May be b itself.
    """
    for i in range(b.shape[0]):
        total = b[i]
        for k in range(i):
            total -= lower[i, k] * out[k]
        out[i] = total / lower[i, i]


@kernel
def solve_upper(lower, x):
    """Solve ``L' x = b`` in place.

    Parameters
    ----------
    lower : float64 array, shape (p, p)
    x : INOUT float64 array, shape (p,)
        In: b.
    """
    p = x.shape[0]
    for i in range(p - 1, -1, -1):
        total = x[i]
        for k in range(i + 1, p):
            total -= lower[k, i] * x[k]
        x[i] = total / lower[i, i]
