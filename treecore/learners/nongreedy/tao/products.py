"""The Newton steps of TAO for many rows of few features, without a copy of their columns.

Minimises F of :mod:`treecore.learners.nongreedy.tao.newton` by the same steps. There a coordinate
is moved along its column, of all rows, which must lie together for that. Here a step reads the rows
once, as they lie in the table, and sums up what its model needs to know of them: the slope, and the
weighted inner products of the coordinates with one another (*covariance updates*, Friedman, Hastie
and Tibshirani 2010)::

    slope_j = sum_i gradient_i z_ij             products_jk = sum_i curvature_i z_ij z_ik

With these a sweep over the coordinates reads no row. Two numbers a row are kept, its score and how
far the step moves it. Answers are those of ``newton`` but for rounding.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.learners.nongreedy.tao.newton import any_nonzero, penalty, to_minimum, violation

MOST_FEATURES = 128
"""Of more, summing up the products of a row would take longer than sweeps over columns."""

_ARMIJO, _HALVINGS, _SWEEPS = 0.01, 30, 200
"""As in ``newton``."""


class ProductSpace(NamedTuple):
    """Work space of :func:`fit_by_products`.

    Attributes
    ----------
    of_rows : float64 array, shape (2, n_rows)
        Scores, and what a step adds to them.
    of_weights : float64 array, shape (6, width)
    products : float64 array, shape (width, width)
    live : int64 array, shape (width,)
    """

    of_rows: np.ndarray
    of_weights: np.ndarray
    products: np.ndarray
    live: np.ndarray

    @classmethod
    def of(cls, n_rows: int, width: int) -> ProductSpace:
        """That for so many rows and weights."""
        of_weights, products = np.empty((6, width)), np.empty((width, width))
        return cls(np.empty((2, n_rows)), of_weights, products, np.empty(width, dtype=np.int64))


@kernel
def fit_by_products(X, rows, scale, shift, right, stake, ridge, tolerance, max_iter, w, C, space):
    """Minimise F, starting at ``w`` or, where that is no better, at 0.

    Parameters
    ----------
    X : float32 array, shape (n_samples, n_features)
    rows : int array, shape (n_rows,)
        Those to learn from.
    scale, shift, right, stake, ridge, tolerance, max_iter
        See :func:`treecore.learners.nongreedy.tao.newton.fit_weights`.
    w : float64 array, shape (n_features + 1,)
        In: where to start. Out: the minimum.
    C : float
        Factor of all stakes.
    space : ProductSpace

    Returns
    -------
    int
        Newton steps taken.
    """
    n, width = rows.shape[0], w.shape[0]
    scores, moved, live = space.of_rows[0], space.of_rows[1], space.live
    slope, bend, start = space.of_weights[0], space.of_weights[1], space.of_weights[2]
    d = space.of_weights[3]
    scores[:] = 0.0
    moved[:] = 0.0
    for j in range(width):
        start[j], w[j], d[j] = w[j], 0.0, 0.0
    cost = C * (math.log(2.0) * stake.sum())
    inner, enough, steps = 1.0, -1.0, 0
    while True:
        _sum_rows(X, rows, scale, shift, right, stake, C, space)
        n_live, off = 0, 0.0
        for j in range(width):
            slope[j] += ridge * w[j]
            bend[j] += ridge
            off += violation(w[j], slope[j])
            if w[j] != 0 or abs(slope[j]) > 1.0:
                live[n_live] = j
                n_live += 1
        if enough < 0:  # at zero: now is the time to see whether the start is better
            enough = tolerance * off
            if any_nonzero(start):
                _move_scores(X, rows, scale, shift, start, moved)
                there = C * _cost_moved(scores, moved, right, stake) + penalty(start, d, ridge)
                if there < cost:
                    cost = there
                    for j in range(width):
                        w[j] = start[j]
                    for i in range(n):
                        scores[i] = moved[i]
                    continue
        if off <= enough or steps == max_iter:
            return steps
        if _sweep_products(ridge, w, n_live, inner * off, space) == 1:
            inner *= 0.25
        _move_scores(X, rows, scale, shift, d, moved)
        # The model's decrease, up to its curvature: what the step promises.
        promised = 0.0
        for j in range(width):
            promised += slope[j] * d[j] + abs(w[j] + d[j]) - abs(w[j])
        taken = False
        for _ in range(_HALVINGS):
            there = C * _cost_moved(scores, moved, right, stake) + penalty(w, d, ridge)
            if there - cost <= _ARMIJO * promised:
                taken = True
                break
            promised *= 0.5
            for j in range(width):
                d[j] *= 0.5
            for i in range(n):
                moved[i] *= 0.5
        if not taken:
            return steps
        steps += 1
        cost = there
        for i in range(n):
            scores[i] += moved[i]
        for j in range(width):
            w[j] += d[j]
            d[j] = 0.0


@kernel
def _sum_rows(X, rows, scale, shift, right, stake, C, space):
    """Write slope, second derivatives and products of all coordinates, of raw rows."""
    scores, products = space.of_rows[0], space.products
    slope, bend, mixed = space.of_weights[0], space.of_weights[1], space.of_weights[4]
    x, width, p = space.of_weights[5], space.products.shape[0], X.shape[1]
    for j in range(width):
        slope[j] = mixed[j] = 0.0
        for k in range(width):
            products[j, k] = 0.0
    total_g = total_c = 0.0
    for i in range(rows.shape[0]):
        row = rows[i]
        small = math.exp(-abs(scores[i]))
        high = 1.0 / (1.0 + small)  # the probability of the side that the score is on
        low = small * high
        wrong = low if (scores[i] > 0) == right[i] else high
        weight = C * stake[i]
        g = -weight * wrong if right[i] else weight * wrong
        c = weight * high * low
        total_g += g
        total_c += c
        for j in range(p):
            x[j] = np.float64(X[row, j])
            slope[j] += g * x[j]
        for j in range(p):
            bent = c * x[j]
            mixed[j] += bent
            if bent != 0:
                for k in range(j + 1):
                    products[j, k] += bent * x[k]
    for j in range(width):
        s, t = scale[j], shift[j]
        for k in range(j + 1):
            raw = s * scale[k] * products[j, k]
            crossed = shift[k] * s * mixed[j] + t * scale[k] * mixed[k]
            products[j, k] = raw - crossed + t * shift[k] * total_c
            products[k, j] = products[j, k]
        slope[j] = s * slope[j] - t * total_g
        bend[j] = max(products[j, j], 0.0) + 1e-12


@kernel
def _move_scores(X, rows, scale, shift, d, moved):
    """Write ``z_i.d`` of every row, from raw rows."""
    p, shifted = X.shape[1], 0.0
    for j in range(d.shape[0]):
        shifted += d[j] * shift[j]
    for i in range(rows.shape[0]):
        row, total = rows[i], 0.0
        for j in range(p):
            total += d[j] * scale[j] * np.float64(X[row, j])
        moved[i] = total - shifted


@kernel
def _cost_moved(scores, moved, right, stake):
    """The sum in F where the step ends, by stakes without their factor; never overflowing."""
    total = 0.0
    for i in range(scores.shape[0]):
        score = scores[i] + moved[i]
        wrong = -score if right[i] else score
        total += stake[i] * (max(wrong, 0.0) + math.log1p(math.exp(-abs(wrong))))
    return total


@kernel
def _sweep_products(ridge, w, n_live, enough, space):
    """Sweep over the live coordinates until their violations sum to ``enough``; count sweeps.

    ``d`` comes as zeros and leaves as the step.
    """
    slope, bend, d = space.of_weights[0], space.of_weights[1], space.of_weights[3]
    pull, live, products = space.of_weights[4], space.live, space.products
    width = w.shape[0]
    for j in range(width):
        pull[j] = 0.0  # of the model's slope, what the step adds
    for n_sweeps in range(1, _SWEEPS + 1):
        violations = 0.0
        n_still_live = 0
        for place in range(n_live):
            j = live[place]
            now = slope[j] + pull[j] + ridge * d[j]
            there = w[j] + d[j]
            off = violation(there, now)
            violations += off
            if there == 0 and abs(now) < 0.9:
                continue  # zero, and well inside: not looked at again in this step
            live[n_still_live] = j
            n_still_live += 1
            if off < 1e-14:
                continue
            change = to_minimum(there, now, bend[j])
            if change != 0:
                d[j] += change
                for k in range(width):
                    pull[k] += change * products[j, k]
        if violations <= enough:
            return n_sweeps
        n_live = n_still_live
    return _SWEEPS
