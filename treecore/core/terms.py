"""Impurity in a form that a split search can update row by row.

Times n, entropy and Gini impurity of rows of weight n, of which n_c belongs to class c, follow from
a sum over the classes::

    n * entropy = f(n) - sum_c f(n_c)       with  f(m) = m log2 m
    n * Gini    = n - sum_c f(n_c) / n      with  f(m) = m^2

so a row that moves changes one *term* f(n_c) of each side. Weights and terms are multiples of
powers of two, which float64 adds up without rounding: equal splits are exact ties.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.core.impurity import Criterion

WEIGHT_BITS = 44
"""A weight that is no whole number keeps so many binary digits of the total."""

SUM_BITS = 51
"""Binary digits of a sum of terms, which float64 must hold."""


class Terms(NamedTuple):
    """The terms of one set of training rows, which are multiples of 1 / ``fine``.

    table: f(0), f(1), ..., or empty unless weights are whole numbers; kind: a Criterion as a plain
    number (numba takes 30 microseconds to recognise an enum).
    """

    table: np.ndarray
    fine: float
    kind: int


def summable_weights(weight: np.ndarray) -> tuple[np.ndarray, bool]:
    """Weights in the same ratios whose sums are exact, and whether they are whole numbers."""
    times = weight / weight[weight > 0].min()
    integral = np.rint(times)
    if (np.abs(times - integral) <= 1e-9 * times).all() and integral.sum() < 2.0**WEIGHT_BITS:
        return integral, True
    step = 2.0 ** (math.ceil(math.log2(weight.sum())) - WEIGHT_BITS)
    steps = np.maximum(np.rint(weight / step), weight > 0)  # no row loses all of its weight
    return steps * step, False


def make_terms(total: float, integral: bool, criterion: Criterion) -> Terms:
    """Return the terms for rows of such a total weight."""
    gini = criterion == Criterion.GINI
    largest = total * total if gini else total * math.log2(max(total, 2.0))
    fine = 2.0 ** (SUM_BITS - math.ceil(math.log2(largest + 1.0)))
    # At most 2 MiB of terms are looked up.
    m = np.arange(min(int(total), 1 << 18) + 1 if integral else 0, dtype=np.float64)
    exact = m * m if gini else m * np.log2(np.maximum(m, 1.0))
    return Terms(np.rint(exact * fine) / fine, fine, int(criterion))


@kernel(inlined=True)
def term(terms, m):
    """Return f(m) of a weight, rounded to a multiple of ``1 / terms.fine``."""
    if m < terms.table.shape[0]:
        return terms.table[np.uint64(m)]
    exact = m * m if terms.kind == Criterion.GINI else m * math.log2(m) if m > 0.0 else 0.0
    return np.rint(exact * terms.fine) / terms.fine


@kernel(pasted=True)
def scaled_impurity(n, total, terms):
    """Return n times the impurity of rows of weight ``n`` whose classes' terms sum to ``total``."""
    if terms.kind == Criterion.GINI:
        return n - total / n
    return term(terms, n) - total


@kernel
def impurity_of(weights, terms):
    """Return n times the impurity of rows of these weights by class, float64 (n_classes,)."""
    n = total = 0.0
    for c in range(weights.shape[0]):
        n += weights[c]
        total += term(terms, weights[c])
    return scaled_impurity(n, total, terms)
