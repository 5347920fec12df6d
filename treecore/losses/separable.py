"""Losses on numbers that add up over the outputs: ``l(theta, y) = sum_q rho(theta_q - y_q)``.

``rho`` is convex with its minimum at 0. Below every split the tables keep a box that holds the
leaf values; in an interval a convex function is greatest at an end, so ::

    cost_below(y) = sum_q max( rho(low_q - y_q), rho(high_q - y_q) )

never underestimates a leaf. Rounding cannot break that: every operation is monotone, in float64
as on paper, and both sums run in the same order.

A new loss of this kind is one file: a NamedTuple of tables with ``low`` and ``high``, ``rho`` and
its derivative ``psi`` for it, and :func:`separable_loss`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from treecore.compiling.dispatch import by_first, implements
from treecore.compiling.kernels import kernel
from treecore.losses.base import Loss, cost_below, fit_leaf, gradient_step, grow_bound, leaf_cost


@by_first
def rho(tables, residual):
    """Loss of one output; residual: prediction less target, in deviations of the output."""


@by_first
def psi(tables, residual):
    """Derivative of ``rho`` by the residual."""


def separable_loss(
    name: str,
    title: str,
    sentence: str,
    make_tables: Callable,
    pull: tuple[float, float, float],
    constants: Callable | None = None,
) -> Loss:
    """A loss on numbers from its tables, whose class has a ``rho`` and a ``psi``.

    make_tables: of float32 (n_splits, n_outputs); pull: of ``Loss``, for whom a squared loss is
    halved; constants: None for iteratively reweighted means, for which ``psi`` must be continuous.
    """

    def tables_of(n_splits, n_leaves, n_outputs):
        shape = n_splits, n_outputs
        return make_tables(np.zeros(shape, np.float32), np.zeros(shape, np.float32))

    def reweighted(leaf, y, weight, n_leaves, n_outputs, smoothing):
        values = np.zeros((n_leaves, n_outputs))
        sums = np.empty((2, n_leaves, n_outputs))
        weight = np.ascontiguousarray(weight)
        fit_constants(tables_of(0, n_leaves, n_outputs), leaf, y, weight, smoothing, values, sums)
        return values.astype(np.float32)

    _implement_interface(
        type(make_tables(np.zeros((0, 1), np.float32), np.zeros((0, 1), np.float32)))
    )
    of_leaves = constants or reweighted
    return Loss(name, title, sentence, "regression", tables_of, of_leaves, pull)


@kernel
def fit_constants(tables, leaf, y, weight, smoothing, values, sums):
    """Minimise the weighted loss of the rows in every leaf, by iteratively reweighted means.

    Weights are ``psi(r) / r`` at the last mean (Holland and Welsch 1977).
    """
    # Squares need one step; 50 settle the other losses to 1e-6.
    for _ in range(50):
        moved = 0.0
        for j in range(values.shape[0]):
            for q in range(values.shape[1]):
                pull = smoothing * _pull(tables, values[j, q])
                sums[0, j, q] = 0.0
                sums[1, j, q] = pull
        for i in range(leaf.shape[0]):
            j = leaf[i]
            for q in range(values.shape[1]):
                pull = weight[i] * _pull(tables, values[j, q] - np.float64(y[i, q]))
                sums[0, j, q] += pull * np.float64(y[i, q])
                sums[1, j, q] += pull
        for j in range(values.shape[0]):
            for q in range(values.shape[1]):
                new = sums[0, j, q] / sums[1, j, q]
                moved = max(moved, abs(new - values[j, q]))
                values[j, q] = new
        if moved < 1e-7:
            break


@kernel
def _pull(tables, residual):
    """psi(r) / r, and its limit at 0."""
    if abs(residual) < 1e-6:
        residual = 1e-6
    return psi(tables, residual) / residual


def _implement_interface(kind: type) -> None:
    """Give tables of the class ``kind`` the functions of the interface, once."""
    if kind in leaf_cost.registry:
        return

    @implements(leaf_cost, kind)
    def _leaf_cost(tables, theta, leaf, y):
        total = 0.0
        for q in range(theta.shape[1]):
            total += rho(tables, np.float64(theta[leaf, q]) - np.float64(y[q]))
        return np.float32(total)

    @implements(cost_below, kind)
    def _cost_below(tables, split, y):
        total = 0.0
        for q in range(tables.low.shape[1]):
            at_low = rho(tables, np.float64(tables.low[split, q]) - np.float64(y[q]))
            at_high = rho(tables, np.float64(tables.high[split, q]) - np.float64(y[q]))
            total += at_low if at_low > at_high else at_high
        return np.float32(total)

    @implements(fit_leaf, kind)
    def _fit_leaf(tables, theta, leaf):
        return

    @implements(gradient_step, kind)
    def _gradient_step(tables, theta, leaf, y, rate):
        for q in range(theta.shape[1]):
            value, target = np.float64(theta[leaf, q]), np.float64(y[q])
            moved = value - rate * psi(tables, value - target)
            # A step ends at the target at the latest: no learning rate can make values diverge.
            if (moved - target) * (value - target) < 0.0:
                moved = target
            theta[leaf, q] = np.float32(moved)

    @implements(grow_bound, kind)
    def _grow_bound(tables, theta, split, left, right):
        a, b = left[split], right[split]
        low, high = tables.low, tables.high
        changed = False
        for q in range(theta.shape[1]):
            low_a, high_a = (low[a, q], high[a, q]) if a >= 0 else (theta[~a, q], theta[~a, q])
            low_b, high_b = (low[b, q], high[b, q]) if b >= 0 else (theta[~b, q], theta[~b, q])
            smallest = low_a if low_a < low_b else low_b
            largest = high_a if high_a > high_b else high_b
            if smallest != low[split, q] or largest != high[split, q]:
                low[split, q], high[split, q] = smallest, largest
                changed = True
        return changed
