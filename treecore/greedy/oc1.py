"""OC1: hill-climbing over hyperplanes, one coefficient at a time, with random ways out.

Murthy, Kasif and Salzberg 1994, "A System for Induction of Oblique Decision Trees" (JAIR 2), and
Murthy, Kasif, Salzberg and Beigel 1993 (AAAI). At every node, from each of several starts::

    perturb the coefficients until none moves        in sequence, or 50 at random (R-50)
    leap in a random direction                       up to `jumps` times
    where a leap lowers the impurity, perturb again

The first start is the best axis-aligned split, the others are random hyperplanes, and the best
of all is taken; the axis-aligned split itself stays unless something gains more. One move is in
:mod:`treecore.greedy.perturbation`.

Features are divided by their deviations over all training rows and centred at their medians
over the node's, so that units do not matter. A coefficient turns the hyperplane about the rows
at its feature's centre, and the median is where the most of them are.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treecore.greedy.oblique import FromAxis, feature_scales, raw_directions
from treecore.greedy.perturbation import Ground, Plane, add_slopes, leap, perturb
from treecore.impurity import Criterion, count_terms

ORDERS = ("sequential", "random")
"""Orders in which coefficients are perturbed: in turn until none moves, or 50 drawn at random."""

N_RANDOM = 50
"""Perturbations of R-50, Algorithm 3 of the slides."""


class OC1Finder(FromAxis):
    """Climbs from several hyperplanes; a :class:`treecore.greedy.growth.SplitFinder`.

    A unit of work is a value read; sorting a row counts for four.

    Parameters
    ----------
    criterion : Criterion
        Entropy or Gini.
    order : str
        One of ``ORDERS``.
    n_restarts : int
        Random hyperplanes to start from, besides the axis-aligned one.
    n_jumps : int
        Random directions tried from each start.
    rng : numpy.random.Generator
    """

    name = "oc1"

    def __init__(
        self,
        criterion: Criterion,
        order: str,
        n_restarts: int,
        n_jumps: int,
        rng: np.random.Generator,
    ):
        super().__init__(criterion)
        self._sequential = order == "sequential"
        self._n_restarts, self._n_jumps = n_restarts, n_jumps
        self._rng = rng
        self.n_readings = 20 * (1 + n_restarts)  # a few sweeps from each start

    def attach(self, X: np.ndarray, y: np.ndarray, n_classes: int, min_samples_leaf: int) -> None:
        super().attach(X, y, n_classes, min_samples_leaf)
        self._scales = feature_scales(X)
        self._terms = count_terms(len(y), Criterion(self._criterion))
        self._heights, self._slopes = np.empty(len(y)), np.empty(len(y))

    def _improve(self) -> Iterator[int]:
        n_features = len(self._scales)
        self._ground = self._make_ground()
        starts = self._rng.standard_normal((1 + self._n_restarts, n_features + 1))
        if self._best is not None:
            starts[0] = 0.0
            starts[0, self._best.feature] = 1.0
        starts[:, n_features] = 0.0
        for weights in starts:
            yield from self._climb(weights)
            direction = raw_directions(weights[None, :n_features], self._scales)
            _, split = self._cutter.best(self._node, self._rows, direction)
            if split is not None and (self._best is None or split.gain > self._best.gain):
                self._best = split
            yield self._rows.size * n_features

    def _climb(self, weights: np.ndarray) -> Iterator[int]:
        """Improve the hyperplane ``weights``, in place, until every way out fails."""
        offset = np.array([len(self._scales)])
        plane = Plane(
            weights=weights,
            heights=self._heights,
            on_right=np.zeros_like(self._node.counts),
            score=np.array([np.inf]),  # anything is better than an offset not yet chosen
            stagnant=np.zeros(1, dtype=np.int64),
        )
        yield from self._slopes_of(weights, plane.heights)
        labels = self._y[self._rows[plane.heights[self._rows] > 0]]
        plane.on_right[:] = np.bincount(labels, minlength=len(plane.on_right))
        yield perturb(offset, np.zeros(1), plane, self._ground, 1)[2]
        if plane.score[0] == np.inf:
            return
        yield from self._perturb(plane)
        for _ in range(self._n_jumps):
            direction = self._rng.standard_normal(len(weights))
            yield from self._slopes_of(direction, self._slopes)
            yield 4 * len(self._rows)
            if leap(direction, self._slopes, plane, self._ground):
                yield from self._perturb(plane)

    def _perturb(self, plane: Plane) -> Iterator[int]:
        """Perturb coefficients in the chosen order until the order is through."""
        n_moves = len(plane.weights) if self._sequential else N_RANDOM
        moving = True
        while moving:
            coefficients = np.arange(n_moves)
            if not self._sequential:
                coefficients = self._rng.integers(len(plane.weights), size=n_moves)
            coins = self._rng.random(n_moves)
            n_moved = first = 0
            while first < n_moves:
                n_tried, n_more, units = perturb(
                    coefficients[first:], coins[first:], plane, self._ground, self._budget
                )
                first += n_tried
                n_moved += n_more
                yield units
            moving = self._sequential and n_moved > 0

    def _slopes_of(self, direction: np.ndarray, slopes: np.ndarray) -> Iterator[int]:
        """Write the slopes of the node's rows along ``direction``, (n_features + 1,)."""
        n, n_features = len(self._rows), len(self._scales)
        slopes[self._rows] = -direction[n_features]
        first = 0
        while first < n_features:
            last = min(n_features, first + max(1, self._budget // n))
            yield add_slopes(direction, first, last, self._ground, slopes)
            first = last

    def _make_ground(self) -> Ground:
        node, lines = self._node, self._axis.lines
        values = lines.values[:, node.start : node.stop]
        return Ground(
            rows=self._rows,
            values=values,
            order=lines.order[:, node.start : node.stop],
            centres=values[:, node.n_rows // 2].astype(np.float64),
            scales=self._scales,
            labels=lines.labels,
            counts=node.counts,
            terms=self._terms,
            criterion=self._criterion,
            min_samples_leaf=self._min_samples_leaf,
        )
