"""Shared by the oblique finders: the search for a threshold along a direction.

However a finder comes by a direction, its rows are cut by what the finished tree will compute:
the float32 inner product of raw rows, by the same ``dot``. Along it every threshold is tried, as
along a feature. So the rows are routed as they were counted, each side keeps its least number, and
gains of oblique and axis-aligned splits compare.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import dot, kernel
from treecore.core.scaling import DEVIATION_FLOOR, Scaling
from treecore.core.thresholds import threshold_between
from treecore.core.tree import OBLIQUE
from treecore.learners.greedy.criteria import gain_of
from treecore.learners.greedy.finders.best_cut import best_cut
from treecore.learners.greedy.finders.sorting import SortSpace, ascending, sort_space
from treecore.learners.greedy.state import AT, N_WEIGHTS, GreedyRun
from treecore.rows.training_rows import TrainingRows

ABREAST = 4
"""Directions that rows are multiplied with when they are read: large nodes wait for their rows."""

_LARGEST = 1e30
"""Greatest entry of a raw direction: float32 ends at 3.4e38, and products need room."""


def feature_scales(rows: TrainingRows) -> np.ndarray:
    """What makes features comparable, float64 (n_features,): 1 / deviation, 0 of constant ones."""
    X, weight = rows.complete.X, rows.weight
    low, high = X.min(axis=0), X.max(axis=0)
    if (weight == weight[0]).all():
        deviation = Scaling.fit(X).deviation
    else:
        deviation = np.array([_weighted_deviation(column, weight) for column in X.T])
        floor = DEVIATION_FLOOR * (high.astype(np.float64) - low)
        deviation = np.maximum(deviation, np.where(low < high, floor, 1.0))
    return np.where(low < high, 1.0 / deviation, 0.0)


def _weighted_deviation(x: np.ndarray, weight: np.ndarray) -> float:
    """The weighted standard deviation of a column, by sums of one row after another."""
    share = weight / weight.cumsum()[-1]
    mean = (share * x).cumsum()[-1]
    return math.sqrt((share * (x - mean) ** 2).cumsum()[-1])


@kernel
def write_scales(X, together, scales):
    """Write :func:`feature_scales` of two features or more, whose rows weigh the same.

    together: whether all features that vary have the scale 1.
    """
    n = X.shape[0]
    for f in range(scales.shape[0]):
        low = high = X[0, f]
        mean = square = 0.0
        for i in range(n):
            low, high = min(low, X[i, f]), max(high, X[i, f])
            mean += X[i, f]
        mean /= n
        for i in range(n):
            square += (X[i, f] - mean) ** 2
        span = np.float64(high) - np.float64(low)
        spread = max(math.sqrt(square / n), DEVIATION_FLOOR * span)
        if together or span <= 1e-7 * abs(mean):
            spread = 1.0
        scales[f] = 1.0 / spread if low < high else 0.0


@kernel(pasted=True)
def largest_of(weights, n):
    """The greatest size of the first ``n`` numbers; 1 where all are 0."""
    size = 0.0
    for j in range(n):
        size = max(size, abs(weights[j]))
    return size if size > 0 else 1.0


@kernel(pasted=True)
def write_direction(weights, scales, size, direction):
    """Write a float32 direction for raw rows from ``weights / size``, of scaled features.

    A positive factor changes no decision: entries beyond 1e30 are brought down to it.
    """
    largest = _LARGEST
    for j in range(scales.shape[0]):
        largest = max(largest, abs(np.float64(weights[j]) / size * scales[j]))
    for j in range(scales.shape[0]):
        raw = np.float64(weights[j]) / size * scales[j]
        direction[j] = np.float32(raw * (_LARGEST / largest))


class NodeSpace(NamedTuple):
    """Work space at nodes of up to ``n`` rows; on_right is as long as a tally.

    products: float32 (n_directions, n); values: float32 (n,); rows, slopes: int32 and float64 (n,).
    """

    products: np.ndarray
    values: np.ndarray
    rows: np.ndarray
    slopes: np.ndarray
    on_right: np.ndarray
    sorting: SortSpace

    @classmethod
    def of(cls, n: int, n_numbers: int, n_directions: int = 1) -> NodeSpace:
        """That for so many rows, tallies of so many numbers, and directions at once."""
        products = np.empty((n_directions, n), dtype=np.float32)
        values, rows = np.empty(n, dtype=np.float32), np.empty(n, dtype=np.int32)
        return cls(products, values, rows, np.empty(n), np.empty(n_numbers), sort_space(n))


@kernel(pasted=True)
def cut_directions(X, rows, directions, n_directions, criterion, tally, smallest, to_beat, space):
    """The best place to cut rows along any of the first directions, at most ``ABREAST``.

    Returns score, direction, and the products between which the threshold lies; only a score lower
    than ``to_beat`` counts, and the direction is -1 where there is none.
    """
    n, order, values = rows.shape[0], space.sorting.order, space.values[: rows.shape[0]]
    best_score, best_direction = to_beat, -1
    best_lower = best_upper = np.float32(0.0)
    multiply_rows(X, rows, directions, 0, n_directions, space.products)
    for d in range(n_directions):
        products, finite = space.products[d, :n], True
        for i in range(n):
            finite &= np.isfinite(products[i])
        if not finite:
            continue
        ascending(products, space.sorting)
        for i in range(n):
            values[i], order[i] = products[order[i]], rows[order[i]]
        rules = criterion, tally, smallest, space.on_right
        score, n_left, _ = best_cut(values, order[:n], n, False, 0, None, *rules)
        if score < best_score:
            best_score, best_direction = score, d
            best_lower, best_upper = values[n_left - 1], values[n_left]
    return best_score, best_direction, best_lower, best_upper


@kernel(pasted=True)
def multiply_rows(X, rows, directions, first, n_here, products):
    """Write the products (>= n_here, >= n) of rows and directions: a row is read once for all."""
    for i in range(rows.shape[0]):
        x = X[rows[i]]
        for d in range(n_here):
            products[d, i] = dot(directions[first + d], x)


@kernel(pasted=True)
def cut_node(run: GreedyRun, directions, n_directions, to_beat, least, space):
    """Cut the node at hand along some directions, and write a split that gains more than ``least``.

    Returns its score; ``to_beat`` where nothing is written.
    """
    at, criterion, smallest = run.clock[AT], run.criterion, run.rules.min_samples_leaf
    node, tally = run.nodes[at], run.tally[at]
    rows = run.rows[node["start"] : node["stop"]]
    score, direction, lower, upper = cut_directions(
        run.complete, rows, directions, n_directions, criterion, tally, smallest, to_beat, space
    )
    if direction < 0:
        return to_beat
    gain = gain_of(criterion, tally, score)
    if gain <= least:
        return to_beat
    node["feature"], node["fall"], node["missing_left"] = OBLIQUE, gain, False
    node["threshold"] = threshold_between(lower, upper)
    for j in range(directions.shape[1]):
        run.weights[run.clock[N_WEIGHTS], j] = directions[direction, j]
    return score
