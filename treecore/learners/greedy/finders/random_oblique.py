"""The best of some random hyperplanes at every node, as a yardstick for the cleverer searches.

Directions are uniform in features divided by their deviations over all training rows, so that
units do not matter, or in the features as they are. Where the rows are centred does not matter:
along each direction every threshold is tried.
"""

from __future__ import annotations

import numpy as np

from treecore.learners.greedy.finders.oblique import (
    ABREAST,
    ThresholdSearch,
    feature_scales,
    raw_directions,
)
from treecore.learners.greedy.splitter import Node, Search, Split, SplitFinder
from treecore.learners.greedy.targets import Criteria
from treecore.rows.training_rows import TrainingRows


class RandomFinder(SplitFinder):
    """Draws directions and keeps the best.

    A unit of work is a value multiplied. A direction costs what a pass over the node's rows
    does, and little more to sort and scan.

    - n_directions: drawn for each node.
    - together: whether all features have one scale, so that those which vary more count more.
    """

    name = "random-oblique"
    rng: np.random.Generator

    def __init__(self, n_directions: int, rng: np.random.Generator, together: bool = False):
        self._n_directions, self._together = n_directions, together
        self.rng = rng
        self.n_readings = n_directions

    def attach(self, rows: TrainingRows, criterion: Criteria, min_samples_leaf: int) -> None:
        """Take the training rows."""
        self._threshold_search = ThresholdSearch(rows, criterion, min_samples_leaf)
        self._scales = feature_scales(rows)
        if self._together:
            self._scales = (self._scales > 0).astype(np.float64)

    def begin(self, node: Node, rows: np.ndarray) -> None:
        """Draw the directions of a node."""
        super().begin(node, rows)
        W = self.rng.standard_normal((self._n_directions, len(self._scales)))
        self._directions = raw_directions(W, self._scales)

    def search(self, axis: Split | None) -> Search:
        """Try the directions; see ``SplitFinder``."""
        score, best, cost = np.inf, None, self._rows.size * len(self._scales)
        for first, last in self.pieces(self._n_directions, cost, ABREAST):
            directions = self._directions[first:last]
            score, split = self._threshold_search.best(self._node, self._rows, directions, score)
            best = split or best
            yield (last - first) * cost
        return best
