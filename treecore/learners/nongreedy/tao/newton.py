"""Logistic regression with an L1 penalty, and a ridge, by proximal Newton steps, in threads.

Minimises, over the weights w of a split in training coordinates ::

    F(w) = ||w||_1 + ridge/2 ||w||^2 + sum_i stake_i log(1 + exp(-t_i z_i.w))

where t_i is 1 for rows that go right and -1 for others. With a ridge (Zou and Hastie 2005, the
elastic net) features that say the same, as neighbours in a picture do, share the weight that the L1
penalty alone gives to one of them.

Every step replaces the sum by its quadratic model at w and minimises that, with the penalty as it
is, one coordinate at a time in their order; a line search makes sure that F falls (newGLMNET: Yuan,
Ho and Lin 2012, which LIBLINEAR follows too). What differs: a step works on the *live* coordinates
only, which are not zero or whose gradient exceeds the penalty; order and sums are fixed, with
nothing drawn, so that the answer is a function of the problem; and it can start from weights that
are nearly right.

Rows are read in raw features. Coordinate j of row i is ``z_ij = scale_j x_ij - shift_j``, and the
shift enters all sums in closed form: centring fills no zeros.
"""

from __future__ import annotations

import math

import numpy as np

from treecore.compiling.kernels import kernel

_ARMIJO = 0.01
"""Share of the model's decrease that a step must achieve."""

_HALVINGS = 30
"""Most halvings of a step; after that rounding is all that is left to gain."""

_SWEEPS = 200
"""Most sweeps over the live coordinates in one step."""


@kernel
def fit_weights(columns, scale, shift, right, stake, ridge, tolerance, max_iter, w):
    """Minimise F, starting at ``w`` or, where that is no better, at 0.

    Parameters
    ----------
    columns : Columns
    scale, shift : float64 arrays, shape (width,)
        Coordinates from ``columns.start`` on (the offset) store nothing: they are ``-shift``.
    right : bool array, shape (n_rows,)
    stake : float64 array, shape (n_rows,)
    ridge : float
        Not negative. It weighs on the offset too.
    tolerance : float
        Stop when the subgradient's L1 norm is at most this share of its norm at w = 0.
    max_iter : int
        Most Newton steps.
    w : float64 array, shape (width,)
        In: where to start. Out: the minimum.

    Returns
    -------
    int
        Newton steps taken.
    """
    n, width = columns.n_rows, w.shape[0]
    scores = np.zeros(n)
    gradient, curvature = np.empty(n), np.empty(n)
    slope, mixed, bend = np.empty(width), np.empty(width), np.empty(width)
    d, moved = np.zeros(width), np.empty(n)
    live = np.empty(width, dtype=np.int64)

    start = w.copy()
    w[:] = 0.0
    cost = math.log(2.0) * stake.sum()
    inner, enough, steps = 1.0, -1.0, 0
    while True:
        # One place in the code, as compiling takes its time.
        _differentiate(scores, right, stake, gradient, curvature)
        _sum_columns(columns, scale, shift, gradient, curvature, slope, mixed, bend)
        n_live, violation = 0, 0.0
        for j in range(width):
            slope[j] += ridge * w[j]
            bend[j] += ridge
            violation += _violation(w[j], slope[j])
            if w[j] != 0 or abs(slope[j]) > 1.0:
                live[n_live] = j
                n_live += 1
        if enough < 0:  # at zero: now is the time to see whether the start is better
            enough = tolerance * violation
            if _any(start):
                _add_scores(columns, scale, shift, start, scores)
                there = _cost(scores, right, stake) + _penalty(start, d, ridge)
                if there < cost:
                    cost = there
                    for j in range(width):
                        w[j] = start[j]
                    continue
                scores[:] = 0.0
        if violation <= enough or steps == max_iter:
            return steps
        n_sweeps = _minimise_model(
            columns, scale, shift, curvature, slope, mixed, bend, ridge, live[:n_live], w,
            inner * violation, d, moved,
        )  # fmt: skip
        if n_sweeps == 1:
            inner *= 0.25
        # The model's decrease, up to its curvature: what the step promises.
        promised = 0.0
        for j in range(width):
            promised += slope[j] * d[j] + abs(w[j] + d[j]) - abs(w[j])
        taken = False
        for _ in range(_HALVINGS):
            for i in range(n):
                gradient[i] = scores[i] + moved[i]
            there = _cost(gradient, right, stake) + _penalty(w, d, ridge)
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
        for i in range(n):  # one array written over another brings seconds of compiling
            scores[i] = gradient[i]
        for j in range(width):
            w[j] += d[j]
            d[j] = 0.0


@kernel
def _cost(scores, right, stake):
    """The sum in F, never overflowing."""
    total = 0.0
    for i in range(scores.shape[0]):
        wrong = -scores[i] if right[i] else scores[i]
        total += stake[i] * (max(wrong, 0.0) + math.log1p(math.exp(-abs(wrong))))
    return total


@kernel
def _any(w):
    """Whether a weight is not zero."""
    n_others = 0
    for j in range(w.shape[0]):
        n_others += w[j] != 0
    return n_others > 0


@kernel
def _penalty(w, d, ridge):
    """F at w + d without its sum."""
    total = 0.0
    for j in range(w.shape[0]):
        there = w[j] + d[j]
        total += abs(there) + 0.5 * ridge * there * there
    return total


@kernel
def _differentiate(scores, right, stake, gradient, curvature):
    """First and second derivative of every row's term by its score."""
    for i in range(scores.shape[0]):
        small = math.exp(-abs(scores[i]))
        high = 1.0 / (1.0 + small)  # the probability of the side that the score is on
        low = small * high
        wrong = low if (scores[i] > 0) == right[i] else high
        gradient[i] = -stake[i] * wrong if right[i] else stake[i] * wrong
        curvature[i] = stake[i] * high * low


@kernel
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


@kernel
def _add_scores(columns, scale, shift, w, scores):
    """Add ``z_i.w`` to every score."""
    shifted = 0.0
    for j in range(w.shape[0]):
        shifted += w[j] * shift[j]
        if w[j] != 0 and j < columns.start.shape[0] - 1:
            _add_column(columns, j, w[j] * scale[j], scores)
    for i in range(scores.shape[0]):
        scores[i] -= shifted


@kernel
def _add_column(columns, j, factor, out):
    shifted = columns.shift[j]
    for k in range(columns.start[j], columns.start[j + 1]):
        out[columns.where[k + shifted]] += factor * np.float64(columns.values[k])


@kernel
def _bent_inner(columns, j, curvature, moved):
    """Sum of ``curvature * x * moved`` down a column, in four lanes, added pairwise."""
    a = b = c = d = 0.0
    first, stop = columns.start[j], columns.start[j + 1]
    last_full = first + (stop - first) // 4 * 4
    values, where, own = columns.values, columns.where, columns.shift[j]
    for k in range(first, last_full, 4):
        at = k + own
        a += np.float64(values[k]) * curvature[where[at]] * moved[where[at]]
        b += np.float64(values[k + 1]) * curvature[where[at + 1]] * moved[where[at + 1]]
        c += np.float64(values[k + 2]) * curvature[where[at + 2]] * moved[where[at + 2]]
        d += np.float64(values[k + 3]) * curvature[where[at + 3]] * moved[where[at + 3]]
    for k in range(last_full, stop):
        a += np.float64(values[k]) * curvature[where[k + own]] * moved[where[k + own]]
    return (a + b) + (c + d)


@kernel
def _violation(weight, slope):
    """Size of the least subgradient of F by one coordinate: 0 where F is least along it."""
    if weight > 0:
        return abs(slope + 1.0)
    if weight < 0:
        return abs(slope - 1.0)
    return max(abs(slope) - 1.0, 0.0)


@kernel
def _minimise_model(
    columns, scale, shift, curvature, slope, mixed, bend, ridge, live, w, enough, d, moved
):
    """Sweep over the live coordinates until their violations sum to ``enough``; count sweeps.

    ``d`` comes as zeros and leaves as the step; ``moved`` leaves as what it adds to the scores.
    While sweeping, ``moved`` lacks the shift, which is kept in two numbers.
    """
    p = columns.start.shape[0] - 1
    moved[:] = 0.0
    total_c = curvature.sum()
    shifted = 0.0  # sum_j d_j shift_j
    bent = 0.0  # sum_i curvature_i moved_i
    n_live = live.shape[0]
    n_sweeps = 0
    while n_sweeps < _SWEEPS:
        n_sweeps += 1
        violations = 0.0
        n_still_live = 0
        for place in range(n_live):
            j = live[place]
            s, t = scale[j], shift[j]
            inner = _bent_inner(columns, j, curvature, moved) if j < p else 0.0
            now = slope[j] + s * inner - shifted * mixed[j] - t * (bent - shifted * total_c)
            now += ridge * d[j]
            there = w[j] + d[j]
            violation = _violation(there, now)
            violations += violation
            if there == 0 and abs(now) < 0.9:
                continue  # zero, and well inside: not looked at again in this step
            live[n_still_live] = j
            n_still_live += 1
            if violation < 1e-14:
                continue
            # The minimum of (bend/2) (v - there)^2 + now (v - there) + |v|.
            v = there - now / bend[j]
            cut = 1.0 / bend[j]
            v = v - cut if v > cut else (v + cut if v < -cut else 0.0)
            change = v - there
            if change != 0:
                d[j] += change
                shifted += change * t
                bent += change * mixed[j]
                if j < p:
                    _add_column(columns, j, change * s, moved)
        if violations <= enough:
            break
        n_live = n_still_live
    for i in range(moved.shape[0]):
        moved[i] -= shifted
    return n_sweeps
