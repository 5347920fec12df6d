"""Shared by the oblique finders: threshold search along a direction, a start at the axes.

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
from treecore.learners.greedy.splitter import Node, Split, SplitFinder
from treecore.learners.greedy.targets import Criteria
from treecore.rows.training_rows import TrainingRows

ABREAST = 4
"""Directions that rows are multiplied with when they are read: large nodes wait for their rows."""

_LARGEST = 1e30
"""Greatest entry of a raw direction: float32 ends at 3.4e38, and products need room."""


class ThresholdSearch:
    """Finds the best threshold along given directions, node by node.

    The products of a node's rows are sorted anew for each direction.
    """

    def __init__(self, rows: TrainingRows, criterion: Criteria, min_samples_leaf: int):
        self._X, self._entire = rows.complete.X, criterion
        self._min_samples_leaf = min_samples_leaf
        self._node: Node | None = None  # whose rows the criterion is of

    def criterion_of(self, node: Node, rows: np.ndarray):
        """The criterion of the node's rows alone. rows: int32 (node.n_rows,)."""
        if node is not self._node:
            self._node, self._criterion = node, self._entire.take(rows)
        return self._criterion

    def best(
        self, node: Node, rows: np.ndarray, directions: np.ndarray, to_beat: float = np.inf
    ) -> tuple[float, Split | None]:
        """The best cut of the node's rows along any of ``directions``, the first one of equals.

        rows: int32 (node.n_rows,); directions: float32 (n_directions, n_features), for raw rows;
        to_beat: score of an earlier cut. Returns score; split.
        """
        score, direction, lower, upper = cut_directions(
            self._X,
            rows,
            directions,
            self.criterion_of(node, rows),
            node.tally,
            self._min_samples_leaf,
            to_beat,
            DirectionSpace.of(node.n_rows, len(directions), node.tally),
        )
        if direction < 0:
            return to_beat, None
        gained = float(gain_of(self._criterion, node.tally, score))
        threshold = threshold_between(np.float32(lower), np.float32(upper))
        return score, Split(OBLIQUE, threshold, gained, directions[direction].copy())


class AxisSeededFinder(SplitFinder):
    """A finder that looks for a better split than the best axis-aligned one."""

    from_axis = True
    rng: np.random.Generator

    def attach(self, rows: TrainingRows, criterion: Criteria, min_samples_leaf: int) -> None:
        """Take the training rows."""
        self._training_rows, self._min_samples_leaf = rows.complete, min_samples_leaf
        self._threshold_search = ThresholdSearch(rows, criterion, min_samples_leaf)


def feature_scales(rows: TrainingRows) -> np.ndarray:
    """What makes features comparable: 1 / deviation, and 0 for those that are constant.

    Deviations have the floor of :class:`treecore.core.scaling.Scaling` and follow the weights.
    Returns float64 of shape (n_features,).
    """
    X, weight = rows.complete.X, rows.weight
    low, high = X.min(axis=0), X.max(axis=0)
    if (weight == weight[0]).all():
        deviation = Scaling.fit(X).deviation
    else:
        deviation = np.empty(X.shape[1])
        weighted_deviations(X, weight, deviation)
        floor = DEVIATION_FLOOR * (high.astype(np.float64) - low)
        deviation = np.maximum(deviation, np.where(low < high, floor, 1.0))
    return np.where(low < high, 1.0 / deviation, 0.0)


@kernel(allocates=True)
def weighted_deviations(X, weight, deviation):
    """Write the weighted standard deviation of every column.

    X: float32 (n_samples, n_features); weight: float64 (n_samples,); deviation: float64
    (n_features,), written.
    """
    total = 0.0
    for i in range(X.shape[0]):
        total += weight[i]
    mean = np.zeros(X.shape[1])
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            mean[j] += weight[i] / total * X[i, j]
    deviation[:] = 0.0
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            deviation[j] += weight[i] / total * (X[i, j] - mean[j]) ** 2
    for j in range(X.shape[1]):
        deviation[j] = math.sqrt(deviation[j])


def raw_directions(W: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """Directions for raw rows from those for features that are multiplied by ``scales``.

    A positive factor changes no decision; here one brings the greatest entry of each scaled
    direction to 1, and where that makes raw entries beyond 1e30, they are brought down to it.

    W: float64 (n_directions, n_features); scales: float64 (n_features,). Returns float32
    (n_directions, n_features).
    """
    size = np.abs(W).max(axis=1, keepdims=True)
    raw = W / np.where(size > 0, size, 1.0) * scales
    size = np.abs(raw).max(axis=1, keepdims=True)
    return (raw * (_LARGEST / np.maximum(size, _LARGEST))).astype(np.float32)


class DirectionSpace(NamedTuple):
    """Work space of :func:`cut_directions` for ``n`` rows.

    - products: float32 (n_abreast, n), of some directions at a time, in C order.
    - values: float32 (n,).
    - on_right: float64 array, as long as a tally.
    """

    products: np.ndarray
    values: np.ndarray
    on_right: np.ndarray
    sorting: SortSpace

    @classmethod
    def of(cls, n: int, n_directions: int, tally: np.ndarray) -> DirectionSpace:
        """That for so many rows and directions, and tallies like this one."""
        products = np.empty((min(n_directions, ABREAST), n), dtype=np.float32)
        values = np.empty(n, dtype=np.float32)
        return cls(products, values, np.empty_like(tally), sort_space(n))


@kernel
def cut_directions(X, rows, directions, criterion, tally, min_samples_leaf, to_beat, space):
    """The best place to cut rows along any of some directions.

    X: float32 (n_samples, n_features); rows: int32 (n,), the rows of X to cut; directions: float32
    (n_directions, n_features); to_beat: a score; only a lower one counts. Returns score: as of
    ``best_cut``; ``to_beat`` if no place has a lower one; direction: its index, the lowest of
    equals; -1 if there is none; lower, upper: the products between which the threshold lies.
    """
    values, on_right = space.values, space.on_right
    n, n_abreast = rows.shape[0], space.products.shape[0]
    best_score, best_direction = to_beat, -1
    best_lower = best_upper = np.float32(0.0)
    for d in range(directions.shape[0]):
        at = d % n_abreast
        if at == 0:
            multiply_rows(X, rows, directions, d, space.products)
        products, finite = space.products[at], True
        for i in range(n):
            finite &= np.isfinite(products[i])
        if not finite:
            continue
        ascending(products, space.sorting)
        order = space.sorting.order
        for i in range(n):
            values[i] = products[order[i]]
        rules = criterion, tally, min_samples_leaf, on_right
        score, n_left, _ = best_cut(values, order, n, False, 0, None, *rules)
        if score < best_score:
            best_score, best_direction = score, d
            best_lower, best_upper = values[n_left - 1], values[n_left]
    return best_score, best_direction, best_lower, best_upper


@kernel
def multiply_rows(X, rows, directions, first, products):
    """Write the inner products of some rows with some directions: a row is read once for all.

    X: float32 (n_samples, n_features); rows: int32 (n,); directions: float32 (n_directions,
    n_features); first: directions from this one on; products: float32 (n_abreast, n), written.
    """
    n_here = min(products.shape[0], directions.shape[0] - first)
    for i in range(rows.shape[0]):
        x = X[rows[i]]
        for d in range(n_here):
            products[d, i] = dot(directions[first + d], x)
