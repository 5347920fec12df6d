"""OC1's one move: a hyperplane is turned along one line to where the impurity is lowest.

A row's *height* above the hyperplane is V = w.z - b. Whatever is changed (a coefficient, the
offset, all coefficients in some direction) by ``step``, each height changes by ``step * slope``:
the slope is the row's feature, -1, or its product with the direction. The row crosses the
hyperplane at ``step = -V / slope``, from left to right as the step grows if its slope is
positive, from right to left otherwise. This is eq. 1 of Murthy et al.: their U_j is the
coefficient after such a step. Rows of slope 0 never cross, and are never divided by.

Sorting the crossings and passing them one after another, as a split search passes values,
gives the impurity of every hyperplane on the line: Algorithm 2 of the slides, lines 1 to 5.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.learners.greedy.class_criterion import ClassCriterion
from treecore.learners.greedy.criteria import count, move, score, start_totals
from treecore.learners.greedy.finders.sorting import SortSpace, ascending, sort_space
from treecore.learners.greedy.variance_criterion import VarianceCriterion

_FARTHEST = 1e6
"""Crossings farther away are taken to be there: no coefficient is to drown all others."""


class Hyperplane(NamedTuple):
    """A hyperplane at one node, and where the node's rows stand, by their places in the node.

    - weights: float64 (n_features + 1,), coefficients for scaled features, and last the offset b,
      whose "feature" is -1.
    - heights: float64 (n,), V of the node's rows; rows with V > 0 are on the right.
    - on_right: float64 array, tally of the rows on the right, see
      :mod:`treecore.learners.greedy.criteria`.
    - n_right: int64 (1,), their number.
    - score: float64 (1,), of the two sides.
    - stagnant: int64 (1,), moves since the last improvement that changed nothing.
    """

    weights: np.ndarray
    heights: np.ndarray
    on_right: np.ndarray
    n_right: np.ndarray
    score: np.ndarray
    stagnant: np.ndarray


class LineSpace(NamedTuple):
    """Work space of moves at nodes of up to ``n`` rows.

    - rows, slopes: int32 and float64 (>= n,).
    - crossings: float32 (n,).
    - on_right: float64 array, as long as a tally.
    """

    rows: np.ndarray
    slopes: np.ndarray
    crossings: np.ndarray
    on_right: np.ndarray
    sorting: SortSpace

    @classmethod
    def of(cls, n: int, tally: np.ndarray) -> LineSpace:
        """That for so many rows and tallies like this one."""
        rows, slopes = np.empty(n, dtype=np.int32), np.empty(n)
        crossings = np.empty(n, dtype=np.float32)
        return cls(rows, slopes, crossings, np.empty_like(tally), sort_space(n))


class NodeProjection(NamedTuple):
    """The rows of one node by feature, and the criterion.

    - rows: int32 (n,), their numbers in the table, for whoever shows them.
    - values: float32 (n_features, n), of these rows, feature by feature.
    - centres, scales: float64 (n_features,), the scaled feature is ``(value - centre) * scale``.
    - criterion: of these rows alone, in their order.
    - tally, min_samples_leaf: see :func:`treecore.learners.greedy.finders.best_cut.best_cut`.
    """

    rows: np.ndarray
    values: np.ndarray
    centres: np.ndarray
    scales: np.ndarray
    criterion: ClassCriterion | VarianceCriterion
    tally: np.ndarray
    min_samples_leaf: int
    space: LineSpace


class LineTrace(NamedTuple):
    """What :func:`best_step` met on one line.

    - counts: int64 (2,), how many rows cross, and how many steps were scored.
    - rows: int32 (n,), places of rows that cross the hyperplane, in the order of their crossings.
    - crossings: float32 (n,), the steps at which they do, ascending.
    - steps: float64 (n,), Half-way between neighbouring crossings, ascending.
    - starts: float32 (n,), the last crossing before each step.
    - scores: float64 (n,), of the sides after each step; infinite where a side has too few rows.
    - lowest: float64 (1,), the score that was returned.
    """

    counts: np.ndarray
    rows: np.ndarray
    crossings: np.ndarray
    steps: np.ndarray
    starts: np.ndarray
    scores: np.ndarray
    lowest: np.ndarray

    @classmethod
    def of(cls, projection: NodeProjection) -> LineTrace:
        """A trace of no rows, for those of a node."""
        n = len(projection.rows)
        crossings, starts = np.empty((2, n), dtype=np.float32)
        steps, scores = np.empty((2, n))
        counts, rows = np.zeros(2, dtype=np.int64), np.empty(n, dtype=np.int32)
        return cls(counts, rows, crossings, steps, starts, scores, np.array([np.inf]))


@kernel
def add_slopes(direction, first, last, projection, slopes):
    """Add the part of some features to the slopes of the node's rows along a direction.

    direction: float64 (n_features + 1,), for scaled features; the offset, last, is not read; first,
    last: features from ``first`` up to ``last`` (exclusive); slopes: float64 (n,). Returns int,
    values read.
    """
    units = 0
    values, n = projection.values, projection.values.shape[1]
    for f in range(first, last):
        factor = direction[f] * projection.scales[f]
        if factor == 0:
            continue
        centre = projection.centres[f]
        for i in range(n):
            slopes[i] += factor * (values[f, i] - centre)
        units += n
    return units


@kernel
def best_step(rows, slopes, plane, projection, trace=None):
    """The step along a line to the lowest impurity: Algorithm 2, lines 1 to 5.

    rows: int32 (m,), places of the rows whose slope is not 0; slopes: float64 (m,); trace: receives
    every step that is scored. Returns score; step: the least step that has it.
    """
    m, n = rows.shape[0], projection.rows.shape[0]
    criterion, tally = projection.criterion, projection.tally
    crossings, on_right = projection.space.crossings, projection.space.on_right
    for c in range(on_right.shape[0]):
        on_right[c] = plane.on_right[c]
    n_right = plane.n_right[0]
    for i in range(m):
        # First comes the step of minus infinity, where rows of negative slope are on the right.
        was_right, is_right = plane.heights[rows[i]] > 0, slopes[i] < 0
        sign = np.int64(is_right) - np.int64(was_right)
        count(criterion, on_right, rows[i], sign)
        n_right += sign
        crossing = -plane.heights[rows[i]] / slopes[i]
        crossings[i] = np.float32(min(max(crossing, -_FARTHEST), _FARTHEST))
    totals = start_totals(criterion, tally, on_right)
    ascending(crossings[:m], projection.space.sorting)
    order = projection.space.sorting.order
    if trace is not None:
        trace.counts[0], trace.counts[1] = m, 0
        for i in range(m):
            trace.rows[i], trace.crossings[i] = rows[order[i]], crossings[order[i]]
    best_score, best = np.inf, 0.0
    for i in range(m - 1):
        place = order[i]
        sign = 1 if slopes[place] > 0 else -1
        totals = move(criterion, tally, on_right, rows[place], sign, totals)
        n_right += sign
        here, following = crossings[place], crossings[order[i + 1]]
        if here < following:
            between, step = np.inf, (np.float64(here) + np.float64(following)) / 2
            if min(n_right, n - n_right) >= projection.min_samples_leaf:
                between = score(criterion, tally, on_right, totals)
            if between < best_score:
                best_score, best = between, step
            if trace is not None:
                k = trace.counts[1]
                trace.steps[k], trace.starts[k], trace.scores[k] = step, here, between
                trace.counts[1] += 1
    if best_score < np.inf:
        # Crossings are rounded. Were a step judged by them alone, climbing might never end.
        best_score = count_sides(rows, slopes, best, plane, projection, on_right)
    if trace is not None:
        trace.lowest[0] = best_score
    return best_score, best


@kernel
def count_sides(rows, slopes, step, plane, projection, on_right):
    """Score the sides that a step would leave, to the last bit of its rounding.

    on_right: float64 array, written, tally of the right side after the step. Returns score:
    infinite where a side has too few rows.
    """
    criterion, tally = projection.criterion, projection.tally
    for c in range(on_right.shape[0]):
        on_right[c] = plane.on_right[c]
    n_right = plane.n_right[0]
    for i in range(rows.shape[0]):
        height = plane.heights[rows[i]]
        is_right = height + step * slopes[i] > 0
        sign = np.int64(is_right) - np.int64(height > 0)
        count(criterion, on_right, rows[i], sign)
        n_right += sign
    if min(projection.rows.shape[0] - n_right, n_right) < projection.min_samples_leaf:
        return np.inf
    return score(criterion, tally, on_right, start_totals(criterion, tally, on_right))


@kernel
def take_step(rows, slopes, step, lowest, plane, projection):
    """Take the step that :func:`best_step` has just found; ``lowest``: its score.

    plane: changed in place, but for its weights.
    """
    heights, on_right = plane.heights, projection.space.on_right
    plane.score[0] = lowest
    for c in range(on_right.shape[0]):
        plane.on_right[c] = on_right[c]
    for i in range(rows.shape[0]):
        before = heights[rows[i]] > 0
        heights[rows[i]] += step * slopes[i]
        plane.n_right[0] += np.int64(heights[rows[i]] > 0) - np.int64(before)


@kernel
def perturb(coefficients, coins, plane, projection, budget, trace=None):
    """Algorithm 2, one coefficient after another, until ``budget`` units of work are done.

    A hyperplane of equal impurity is moved to with probability ``exp(-stagnant)``, as in Murthy
    et al. 1993; the slides print one minus that, which would move the more readily the longer
    nothing has improved, and never settle.

    coefficients: int64 (n_moves,), their indices; ``n_features`` is the offset; coins: float64
    (n_moves,), uniform in [0, 1): one for each move, read or not; plane: changed in place; trace:
    receives the line of the last coefficient that moves any row. Returns n_tried: coefficients
    done, at least one; n_moved: those that were changed; units: work done: values read, and four
    times the rows sorted.
    """
    n, n_features = projection.rows.shape[0], projection.scales.shape[0]
    rows, slopes = projection.space.rows, projection.space.slopes
    values = projection.values
    n_tried = n_moved = units = 0
    while n_tried < coefficients.shape[0] and (units < budget or n_tried == 0):
        m = coefficients[n_tried]
        coin = coins[n_tried]
        n_tried += 1
        n_moving = 0
        if m == n_features:
            for i in range(n):
                rows[i], slopes[i] = i, -1.0
            n_moving = n
        else:
            # The rows at the centre keep their side, whatever the coefficient: most rows, in
            # most pixels of most images.
            centre, scale = projection.centres[m], projection.scales[m]
            for i in range(n):
                slope = (values[m, i] - centre) * scale
                if slope != 0:
                    rows[n_moving], slopes[n_moving] = i, slope
                    n_moving += 1
            units += n
        units += 4 * n_moving + 1
        if n_moving == 0:
            continue
        lowest, step = best_step(rows[:n_moving], slopes[:n_moving], plane, projection, trace)
        if lowest < plane.score[0]:
            plane.stagnant[0] = 0
        elif lowest == plane.score[0] and lowest < np.inf:
            moves = coin < math.exp(-plane.stagnant[0])
            plane.stagnant[0] += 1
            if not moves:
                continue
        else:
            continue
        take_step(rows[:n_moving], slopes[:n_moving], step, lowest, plane, projection)
        plane.weights[m] += step
        n_moved += 1
    return n_tried, n_moved, units


def random_jump(direction, slopes, plane, projection):
    """Turn the hyperplane along a direction if that lowers the impurity (Murthy et al. 1994).

    direction: float64 (n_features + 1,); slopes: float64 (n,), what :func:`add_slopes` makes of it,
    less its offset; plane: changed in place. Returns bool, whether it was turned.
    """
    rows = np.flatnonzero(slopes).astype(np.int32)
    lowest, step = best_step(rows, slopes[rows], plane, projection, None)
    if not lowest < plane.score[0]:
        return False
    take_step(rows, slopes[rows], step, lowest, plane, projection)
    plane.weights[:] += step * direction
    return True
