"""Logistic regression with an L1 penalty, and a ridge, by proximal Newton steps, in threads.

Minimises, over the weights w of a split in training coordinates ::

    F(w) = ||w||_1 + ridge/2 ||w||^2 + sum_i stake_i log(1 + exp(-t_i z_i.w))

where t_i is 1 for rows that go right and -1 for others. With a ridge (Zou and Hastie 2005, the
elastic net) features that say the same, as neighbours in a picture do, share the weight that the L1
penalty alone gives to one of them.

Every step replaces the sum by its quadratic model at w and minimises that, with the penalty as it
is, one coordinate at a time in their order; a line search makes sure that F falls (newGLMNET: Yuan,
Ho and Lin 2012, which LIBLINEAR follows too). What differs: a step works on the *live* coordinates
only, which are not zero or whose gradient exceeds the penalty; where a model takes many sweeps, the
last of them are extrapolated (:mod:`treecore.learners.nongreedy.tao.extrapolation`); nothing is
drawn; and it can start from weights that are nearly right.

Rows are read in raw features. Coordinate j of row i is ``z_ij = scale_j x_ij - shift_j``, and the
shift enters all sums in closed form: centring fills no zeros.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.learners.nongreedy.tao.columns import add_column, kernel_part, weighted_inner
from treecore.learners.nongreedy.tao.extrapolation import KEPT, Sweeps, keep_sweep, mix_sweeps


class NewtonSpace(NamedTuple):
    """Work space of :func:`fit_weights`, made outside of kernels: they compile the faster."""

    of_rows: np.ndarray
    of_weights: np.ndarray
    live: np.ndarray
    sweeps: Sweeps

    @classmethod
    def of(cls, n_rows: int, width: int) -> NewtonSpace:
        live = np.empty(width, dtype=np.int64)
        return cls(np.empty((4, n_rows)), np.empty((5, width)), live, Sweeps.of(width, n_rows))


@kernel
def fit_weights(columns, scale, shift, right, stake, ridge, tolerance, max_iter, w, space):
    """Minimise F, starting at ``w`` (width,) or, where that is no better, at 0; count the steps."""
    n, width, live = columns.n_rows, w.shape[0], space.live
    # Not by iterating over the tables: rows would count as strided then, and nothing fills lanes.
    table, of_weights = space.of_rows, space.of_weights
    scores, gradient, curvature, moved = table[0], table[1], table[2], table[3]
    slope, mixed, bend = of_weights[0], of_weights[1], of_weights[2]
    d, start = of_weights[3], of_weights[4]
    scores[:] = 0.0
    for j in range(width):
        d[j] = 0.0
        start[j] = w[j]
        w[j] = 0.0
    cost = math.log(2.0) * stake.sum()
    inner, enough, steps = 1.0, -1.0, 0
    while True:
        # One place in the code, as compiling takes its time.
        _differentiate(scores, right, stake, gradient, curvature)
        _sum_columns(columns, scale, shift, gradient, curvature, slope, mixed, bend)
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
                _add_scores(columns, scale, shift, start, scores)
                there = _cost(scores, right, stake) + penalty(start, d, ridge)
                if there < cost:
                    cost = there
                    for j in range(width):
                        w[j] = start[j]
                    continue
                scores[:] = 0.0
        if off <= enough or steps == max_iter:
            return steps
        n_sweeps = _minimise_model(
            columns, scale, shift, ridge, w, np.int64(n_live), inner * off, space
        )
        if n_sweeps == 1:
            inner *= 0.25
        # The model's decrease, up to its curvature: what the step promises.
        promised = 0.0
        for j in range(width):
            promised += slope[j] * d[j] + abs(w[j] + d[j]) - abs(w[j])
        taken = False
        # After that rounding is all that is left to gain.
        for _ in range(30):
            for i in range(n):
                gradient[i] = scores[i] + moved[i]
            there = _cost(gradient, right, stake) + penalty(w, d, ridge)
            if there - cost <= 0.01 * promised:
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
        for i in range(n):  # one array written over another brings seconds of compiling
            scores[i] = gradient[i]
        for j in range(width):
            w[j] += d[j]
            d[j] = 0.0


@kernel_part
def _cost(scores, right, stake):
    """The sum in F, never overflowing."""
    total = 0.0
    for i in range(scores.shape[0]):
        wrong = -scores[i] if right[i] else scores[i]
        total += stake[i] * (max(wrong, 0.0) + math.log1p(math.exp(-abs(wrong))))
    return total


@kernel(pasted=True)
def any_nonzero(w):
    """Whether a weight is not zero."""
    n_others = 0
    for j in range(w.shape[0]):
        n_others += w[j] != 0
    return n_others > 0


@kernel_part
def penalty(w, d, ridge):
    """F at w + d without its sum."""
    total = 0.0
    for j in range(w.shape[0]):
        there = w[j] + d[j]
        total += abs(there) + 0.5 * ridge * there * there
    return total


@kernel(pasted=True)
def _differentiate(scores, right, stake, gradient, curvature):
    """First and second derivative of every row's term by its score."""
    for i in range(scores.shape[0]):
        small = math.exp(-abs(scores[i]))
        high = 1.0 / (1.0 + small)  # the probability of the side that the score is on
        low = small * high
        wrong = low if (scores[i] > 0) == right[i] else high
        gradient[i] = -stake[i] * wrong if right[i] else stake[i] * wrong
        curvature[i] = stake[i] * high * low


@kernel(pasted=True)
def _sum_columns(columns, scale, shift, gradient, curvature, slope, mixed, bend):
    """Per coordinate: gradient, sum of curvature times ``scale x``, second derivative."""
    total_g, total_c = gradient.sum(), curvature.sum()
    p = columns.start.shape[0] - 1
    for j in range(slope.shape[0]):
        g = c = cc = 0.0
        if j < p:
            shifted = columns.shift[j]
            for k in range(columns.start[j], columns.start[j + 1]):
                x = np.float64(columns.values[k])
                i = columns.where[k + shifted]
                g += gradient[i] * x
                bent = curvature[i] * x
                c += bent
                cc += bent * x
        s, t = scale[j], shift[j]
        slope[j] = s * g - t * total_g
        mixed[j] = s * c
        bend[j] = max(s * s * cc - 2.0 * t * s * c + t * t * total_c, 0.0) + 1e-12


@kernel(pasted=True)
def _add_scores(columns, scale, shift, w, scores):
    """Add ``z_i.w`` to every score."""
    shifted = 0.0
    for j in range(w.shape[0]):
        shifted += w[j] * shift[j]
        if w[j] != 0 and j < columns.start.shape[0] - 1:
            add_column(columns, j, w[j] * scale[j], scores)
    for i in range(scores.shape[0]):
        scores[i] -= shifted


@kernel(pasted=True)
def to_minimum(there, now, bend):
    """The minimum of ``(bend/2) (v - there)^2 + now (v - there) + |v|``, less ``there``."""
    v = there - now / bend
    cut = 1.0 / bend
    v = v - cut if v > cut else (v + cut if v < -cut else 0.0)
    return v - there


@kernel_part
def violation(weight, slope):
    """Size of the least subgradient of F by one coordinate: 0 where F is least along it."""
    if weight > 0:
        return abs(slope + 1.0)
    if weight < 0:
        return abs(slope - 1.0)
    return max(abs(slope) - 1.0, 0.0)


@kernel_part
def _model(slope, curvature, ridge, w, d, moved, shifted):
    """The quadratic model of F at w + d, up to a constant."""
    total = 0.0
    for j in range(w.shape[0]):
        total += slope[j] * d[j] + abs(w[j] + d[j]) + 0.5 * ridge * d[j] * d[j]
    for i in range(moved.shape[0]):
        total += 0.5 * curvature[i] * (moved[i] - shifted) ** 2
    return total


@kernel(pasted=True)
def _minimise_model(columns, scale, shift, ridge, w, n_live, enough, space):
    """Sweep over the live coordinates until their violations sum to ``enough``; count sweeps.

    ``d``, zeros at first, becomes the step, and ``moved`` what it adds to the scores.
    """
    table, of_weights = space.of_rows, space.of_weights
    curvature, moved, live, sweeps = table[2], table[3], space.live, space.sweeps
    slope, mixed, bend, d = of_weights[0], of_weights[1], of_weights[2], of_weights[3]
    p = columns.start.shape[0] - 1
    moved[:] = 0.0
    total_c = curvature.sum()
    shifted = 0.0  # sum_j d_j shift_j
    bent = 0.0  # sum_i curvature_i moved_i
    n_sweeps = n_kept = 0
    while n_sweeps < 200:
        keep_sweep(sweeps, np.int64(n_kept), d, moved)
        n_kept += 1
        if n_kept == KEPT:
            n_kept = 0
            mix_sweeps(sweeps)
            here = _model(slope, curvature, ridge, w, d, moved, shifted)
            there = 0.0
            for j in range(d.shape[0]):
                there += sweeps.d[0, j] * shift[j]
            if _model(slope, curvature, ridge, w, sweeps.d[0], sweeps.moved[0], there) < here:
                shifted, bent = there, 0.0
                for j in range(d.shape[0]):
                    d[j] = sweeps.d[0, j]
                    bent += d[j] * mixed[j]
                for i in range(moved.shape[0]):
                    moved[i] = sweeps.moved[0, i]
            keep_sweep(sweeps, np.int64(n_kept), d, moved)
            n_kept = 1
        n_sweeps += 1
        violations = 0.0
        n_still_live = 0
        for place in range(n_live):
            j = live[place]
            s, t = scale[j], shift[j]
            inner = weighted_inner(columns, j, curvature, moved) if j < p else 0.0
            now = slope[j] + s * inner - shifted * mixed[j] - t * (bent - shifted * total_c)
            now += ridge * d[j]
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
                shifted += change * t
                bent += change * mixed[j]
                if j < p:
                    add_column(columns, j, change * s, moved)
        if violations <= enough:
            break
        if n_still_live < n_live:
            n_kept = 0  # what is not looked at any more must stay as it is
        n_live = n_still_live
    for i in range(moved.shape[0]):
        moved[i] -= shifted
    return n_sweeps
