"""OC1: hill-climbing over hyperplanes, one coefficient at a time, with random ways out.

Murthy, Kasif and Salzberg 1994, "A System for Induction of Oblique Decision Trees" (JAIR 2), and
Murthy, Kasif, Salzberg and Beigel 1993 (AAAI). At every node, from each of several starts::

    perturb the coefficients until none moves        in sequence, or 50 at random (R-50)
    jump in a random direction                       up to `jumps` times
    where a random jump lowers the impurity, perturb again

The first start is the best axis-aligned split, the others are random hyperplanes, and the best
of all is taken; the axis-aligned split itself stays unless something gains more. Where it is not
asked for, all starts are random. One move is in
:mod:`treecore.learners.greedy.finders.perturbation`.

Features are divided by their deviations over all training rows and centred at their medians
over the node's, so that units do not matter. A coefficient turns the hyperplane about the rows
at its feature's centre, and the median is where the most of them are.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treecore.learners.greedy.finders.oblique import (
    AxisSeededFinder,
    feature_scales,
    raw_directions,
)
from treecore.learners.greedy.finders.perturbation import (
    Hyperplane,
    LineSpace,
    NodeProjection,
    add_slopes,
    perturb,
    random_jump,
)
from treecore.learners.greedy.splitter import Search, Split
from treecore.learners.greedy.targets import Criteria
from treecore.rows.training_rows import TrainingRows


class OC1Finder(AxisSeededFinder):
    """Climbs from several hyperplanes; a :class:`treecore.learners.greedy.splitter.SplitFinder`.

    A unit of work is a value read; sorting a row counts for four.

    - order: ``"sequential"``: in turn until none moves; ``"random"``: 50 drawn at random (R-50).
    - n_restarts: random hyperplanes to start from, besides the axis-aligned one.
    - n_jumps: random directions tried from each start.
    - from_axis: whether the axis-aligned split is the first start, and may stay; a random
      hyperplane takes its place otherwise, and the cut stays only where none divides the rows.
    """

    name = "oc1"

    def __init__(
        self,
        order: str,
        n_restarts: int,
        n_jumps: int,
        rng: np.random.Generator,
        from_axis: bool = True,
    ):
        self.rng = rng
        self._from_axis = from_axis
        self._sequential = order == "sequential"
        self._n_restarts, self._n_jumps = n_restarts, n_jumps
        self.n_readings = 20 * (1 + n_restarts)  # a few sweeps from each start

    def attach(self, rows: TrainingRows, criterion: Criteria, min_samples_leaf: int) -> None:
        """Take the training rows."""
        super().attach(rows, criterion, min_samples_leaf)
        self._scales = feature_scales(rows)
        self._evenly = bool((rows.weight == rows.weight[0]).all())

    def search(self, axis: Split | None) -> Search:
        """Climb from all starts; see ``SplitFinder``."""
        n_features, best = len(self._scales), axis if self._from_axis else None
        self._projection = self._make_projection()
        starts = self.rng.standard_normal((1 + self._n_restarts, n_features + 1))
        if best is not None:
            starts[0] = 0.0
            starts[0, best.feature] = 1.0
        starts[:, n_features] = 0.0
        for weights in starts:
            yield from self._hill_climb(weights)
            direction = raw_directions(weights[None, :n_features], self._scales)
            _, split = self._threshold_search.best(self._node, self._rows, direction)
            if split is not None and (best is None or split.gain > best.gain):
                best = split
            yield self._rows.size * n_features
        del self._projection  # before the next node has its own
        return best or axis

    def _hill_climb(self, weights: np.ndarray) -> Iterator[int]:
        """Improve the hyperplane ``weights``, in place, until every way out fails."""
        offset, node = np.array([len(self._scales)]), self._node
        projection = self._projection
        plane = Hyperplane(
            weights=weights,
            heights=np.empty(node.n_rows),
            on_right=np.zeros_like(node.tally),
            n_right=np.zeros(1, dtype=np.int64),
            score=np.array([np.inf]),  # anything is better than an offset not yet chosen
            stagnant=np.zeros(1, dtype=np.int64),
        )
        yield from self._slopes_of(weights, plane.heights)
        right = np.flatnonzero(plane.heights > 0).astype(np.int32)
        plane.on_right[:] = projection.criterion.tally(right)
        plane.n_right[0] = len(right)
        yield perturb(offset, np.zeros(1), plane, projection, 1)[2]
        if plane.score[0] == np.inf:
            return
        yield from self._perturb(plane, projection)
        for _ in range(self._n_jumps):
            direction = self.rng.standard_normal(len(weights))
            slopes = projection.space.slopes
            yield from self._slopes_of(direction, slopes)
            yield 4 * len(self._rows)
            if random_jump(direction, slopes, plane, projection):
                yield from self._perturb(plane, projection)

    def _perturb(self, plane: Hyperplane, projection: NodeProjection) -> Iterator[int]:
        """Perturb coefficients in the chosen order until the order is through."""
        # In random order as many as R-50 has, Algorithm 3 of the slides.
        n_moves = len(plane.weights) if self._sequential else 50
        moving = True
        while moving:
            coefficients = np.arange(n_moves)
            if not self._sequential:
                coefficients = self.rng.integers(len(plane.weights), size=n_moves)
            coins = self.rng.random(n_moves)
            n_moved = first = 0
            while first < n_moves:
                n_tried, n_more, units = perturb(
                    coefficients[first:], coins[first:], plane, projection, self.budget
                )
                first += n_tried
                n_moved += n_more
                yield units
            moving = self._sequential and n_moved > 0

    def _slopes_of(self, direction: np.ndarray, slopes: np.ndarray) -> Iterator[int]:
        """Write the slopes of the node's rows along ``direction``, (n_features + 1,)."""
        n_features = len(self._scales)
        slopes[:] = -direction[n_features]
        for first, last in self.pieces(n_features, len(self._rows)):
            yield add_slopes(direction, first, last, self._projection, slopes)

    def _make_projection(self) -> NodeProjection:
        node = self._node
        X = self._training_rows.X
        values = np.empty((X.shape[1], node.n_rows), dtype=np.float32)  # faster to read by feature
        centres = np.empty(X.shape[1])
        for f, column in enumerate(values):
            column[:] = X[self._rows, f]
            centres[f] = self._median(column)
        return NodeProjection(
            rows=self._rows,
            values=values,
            centres=centres,
            scales=self._scales,
            criterion=self._threshold_search.criterion_of(node, self._rows),
            tally=node.tally,
            min_samples_leaf=self._min_samples_leaf,
            space=LineSpace.of(node.n_rows, node.tally),
        )

    def _median(self, column: np.ndarray) -> float:
        """The upper median of a feature over the node's weights."""
        n = self._node.n_rows
        if self._evenly:
            return np.partition(column, n // 2)[n // 2]
        order = np.argsort(column, kind="stable")
        below = np.cumsum(self._training_rows.weight[self._rows[order]])
        # Half the weight, but not a last bit less: it is at most half up to a row.
        middle = (below <= below[-1] * (0.5 + 1e-12)).sum()
        return column[order[min(middle, n - 1)]]
