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
from treecore.learners.greedy.finders.oblique import NodeSpace
from treecore.learners.greedy.finders.sorting import ascending
from treecore.learners.greedy.variance_criterion import VarianceCriterion

_FARTHEST = 1e6
"""Crossings farther away are taken to be there: no coefficient is to drown all others."""


class Hyperplane(NamedTuple):
    """A hyperplane at one node, and where the node's rows stand, by their places in the node.

    - weights: float64 (n_features + 1,), of scaled features, and last the offset b, of "feature"
      -1.
    - heights: float64 (n,), V of the node's rows; on_right: tally of those with V > 0, on the
      right.
    - n_right, score, stagnant: (1,), their number, the score of the two sides, and moves since the
      last improvement that changed nothing.
    """

    weights: np.ndarray
    heights: np.ndarray
    on_right: np.ndarray
    n_right: np.ndarray
    score: np.ndarray
    stagnant: np.ndarray


class NodeProjection(NamedTuple):
    """The rows of one node, the table by feature, and the criterion.

    - rows: int32 (n,), their numbers in the table.
    - columns: float32 (n_features, n_samples), of all rows; nothing is missing.
    - centres, scales: float64 (n_features,), the scaled feature is ``(value - centre) * scale``.
    - criterion: of all rows.
    - tally, min_samples_leaf: see :func:`treecore.learners.greedy.finders.best_cut.best_cut`.
    """

    rows: np.ndarray
    columns: np.ndarray
    centres: np.ndarray
    scales: np.ndarray
    criterion: ClassCriterion | VarianceCriterion
    tally: np.ndarray
    min_samples_leaf: int
    space: NodeSpace


class LineTrace(NamedTuple):
    """What :func:`best_step` met on one line.

    - counts: int64 (2,), how many rows cross, and how many steps were scored.
    - rows, crossings: (n,), rows that cross the hyperplane, and the steps at which they do,
      ascending.
    - steps, starts, scores: (n,), half-way between neighbouring crossings; the crossing before; the
      score after each step, infinite where a side has too few rows. lowest: (1,), what was
      returned.
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
def write_slopes(direction, projection, slopes):
    """Write the slopes of the node's rows, float64 (>= n,), along a direction; return values read.

    Those along the weights of a hyperplane are the rows' heights above it.
    """
    units, rows, n = 0, projection.rows, projection.rows.shape[0]
    slopes[:n] = -direction[projection.scales.shape[0]]
    for f in range(projection.scales.shape[0]):
        factor = direction[f] * projection.scales[f]
        if factor == 0:
            continue
        centre, column = projection.centres[f], projection.columns[f]
        for i in range(n):
            slopes[i] += factor * (column[rows[i]] - centre)
        units += n
    return units


@kernel(pasted=True)
def best_step(rows, slopes, plane, projection, trace):
    """The score of the best step along a line, and the least such step: Algorithm 2, lines 1 to 5.

    rows, slopes: int32 and float64 (m,), the rows whose slope is not 0.
    """
    m, members, n = rows.shape[0], projection.rows, projection.rows.shape[0]
    criterion, tally = projection.criterion, projection.tally
    crossings, on_right = projection.space.values, projection.space.on_right
    for c in range(on_right.shape[0]):
        on_right[c] = plane.on_right[c]
    n_right = plane.n_right[0]
    for i in range(m):
        # First comes the step of minus infinity, where rows of negative slope are on the right.
        was_right, is_right = plane.heights[rows[i]] > 0, slopes[i] < 0
        sign = np.int64(is_right) - np.int64(was_right)
        count(criterion, on_right, members[rows[i]], sign)
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
        totals = move(criterion, tally, on_right, members[rows[place]], sign, totals)
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


@kernel(pasted=True)
def count_sides(rows, slopes, step, plane, projection, on_right):
    """Score the sides that a step would leave, rounded as they will be; write ``on_right``."""
    criterion, tally = projection.criterion, projection.tally
    for c in range(on_right.shape[0]):
        on_right[c] = plane.on_right[c]
    n_right = plane.n_right[0]
    for i in range(rows.shape[0]):
        height = plane.heights[rows[i]]
        is_right = height + step * slopes[i] > 0
        sign = np.int64(is_right) - np.int64(height > 0)
        count(criterion, on_right, projection.rows[rows[i]], sign)
        n_right += sign
    if min(projection.rows.shape[0] - n_right, n_right) < projection.min_samples_leaf:
        return np.inf
    return score(criterion, tally, on_right, start_totals(criterion, tally, on_right))


@kernel(pasted=True)
def take_step(rows, slopes, step, lowest, plane, projection):
    """Take the step that :func:`best_step` has just found; the plane's weights stay."""
    heights, on_right = plane.heights, projection.space.on_right
    plane.score[0] = lowest
    for c in range(on_right.shape[0]):
        plane.on_right[c] = on_right[c]
    for i in range(rows.shape[0]):
        before = heights[rows[i]] > 0
        heights[rows[i]] += step * slopes[i]
        plane.n_right[0] += np.int64(heights[rows[i]] > 0) - np.int64(before)


@kernel(pasted=True)
def perturb(moves, coins, direction, plane, projection, budget, trace):
    """Algorithm 2, one coefficient after another, until ``budget`` units of work are done.

    A hyperplane of equal impurity is moved to with probability ``exp(-stagnant)``, as in Murthy et
    al. 1993; the slides print one minus that, which would never settle. All coefficients at once,
    along ``direction`` (Murthy et al. 1994), are moved only where that lowers the impurity.

    moves: int64 (n_moves,), coefficients: ``n_features`` is the offset, and one more is all of
    them; coins: float64 (n_moves,), in [0, 1). Returns moves done, those that changed something,
    and units.
    """
    members, n, n_features = projection.rows, projection.rows.shape[0], projection.scales.shape[0]
    rows, slopes = projection.space.rows, projection.space.slopes
    n_tried = n_moved = units = 0
    while n_tried < moves.shape[0] and (units < budget or n_tried == 0):
        m, coin = moves[n_tried], coins[n_tried]
        n_tried += 1
        n_moving = 0
        if m > n_features:
            units += write_slopes(direction, projection, slopes)
        elif m == n_features:
            slopes[:n] = -1.0
        else:
            centre, scale = projection.centres[m], projection.scales[m]
            column = projection.columns[m]
            for i in range(n):
                slopes[i] = (column[members[i]] - centre) * scale
            units += n
        # The rows at the centre keep their side, whatever the coefficient: most rows, in most
        # pixels of most images.
        for i in range(n):
            slope = slopes[i]
            if slope != 0:
                rows[n_moving], slopes[n_moving] = i, slope
                n_moving += 1
        units += 4 * n_moving + 1
        if n_moving == 0:
            continue
        lowest, step = best_step(rows[:n_moving], slopes[:n_moving], plane, projection, trace)
        if not lowest < plane.score[0]:
            if m > n_features or not lowest == plane.score[0] < np.inf:
                continue
            plane.stagnant[0] += 1
            if coin >= math.exp(1 - plane.stagnant[0]):
                continue
        elif m <= n_features:
            plane.stagnant[0] = 0
        take_step(rows[:n_moving], slopes[:n_moving], step, lowest, plane, projection)
        n_moved += 1
        if m <= n_features:
            plane.weights[m] += step
        else:
            for j in range(n_features + 1):
                plane.weights[j] += step * direction[j]
    return n_tried, n_moved, units


@kernel(pasted=True)
def find_sides(plane, projection):
    """Sum up the rows on the right of a hyperplane, by their heights."""
    plane.on_right[:], plane.n_right[0] = 0.0, 0
    for i in range(projection.rows.shape[0]):
        if plane.heights[i] > 0:
            count(projection.criterion, plane.on_right, projection.rows[i], 1)
            plane.n_right[0] += 1
