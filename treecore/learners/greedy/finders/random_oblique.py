"""The best of some random hyperplanes at every node, as a yardstick for the cleverer searches.

Directions are uniform in features divided by their deviations over all training rows, so that
units do not matter, or in the features as they are. Where the rows are centred does not matter:
along each direction every threshold is tried.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.compiling.random import next_normal, normal_layers, random_words
from treecore.learners.greedy.finders.oblique import (
    ABREAST,
    NodeSpace,
    cut_node,
    feature_scales,
    largest_of,
    write_direction,
)
from treecore.learners.greedy.splitter import SplitFinder
from treecore.learners.greedy.state import AT, FOUND, NO_SPLIT, PHASE, PLACE, REFINE
from treecore.rows.training_rows import TrainingRows


class RandomDirections(NamedTuple):
    """What the search reads and changes.

    - scales: float64 (n_features,); score: float64 (1,), the best of the node so far.
    - weights, directions: float64 (n_features,) and float32 (ABREAST, n_features), work space.
    """

    scales: np.ndarray
    random: np.ndarray
    layers: np.ndarray
    score: np.ndarray
    n_directions: int
    together: bool
    weights: np.ndarray
    directions: np.ndarray
    space: NodeSpace

    def changing(self) -> dict[str, Any]:
        """See :class:`treecore.learners.greedy.splitter.SplitFinder`."""
        return {"random": (self.random, 0), "score": (self.score, 0)}


@kernel
def try_directions(search, run, budget):
    """Draw and try some more directions; see ``SplitFinder.refine``."""
    clock, p, done = run.clock, search.scales.shape[0], 0
    node = run.nodes[clock[AT]]
    if clock[PLACE] == 0:
        node["feature"], search.score[0] = NO_SPLIT, np.inf
    while clock[PHASE] == REFINE and done < budget:
        n = min(ABREAST, search.n_directions - clock[PLACE])
        for d in range(n):
            for j in range(p):
                search.weights[j] = next_normal(search.random, search.layers)
            size = largest_of(search.weights, p)
            write_direction(search.weights, search.scales, size, search.directions[d])
        search.score[0] = cut_node(run, search.directions, n, search.score[0], -1.0, search.space)
        done += n * (node["stop"] - node["start"]) * p
        clock[PLACE] += n
        if clock[PLACE] >= search.n_directions:
            clock[PHASE] = FOUND
    return done


class RandomFinder(SplitFinder):
    """Draws ``n_directions`` for each node and keeps the best; a unit is a value multiplied.

    together: whether all features have one scale, so that those which vary more count more.
    """

    name = "random-oblique"
    refine = staticmethod(try_directions)
    rng: np.random.Generator

    def __init__(self, n_directions: int, rng: np.random.Generator, together: bool = False):
        self._together, self.rng = together, rng
        self.n_readings = n_directions

    def search_of(self, rows: TrainingRows, n_numbers: int) -> RandomDirections:
        """See ``SplitFinder``."""
        scales, (n, p) = feature_scales(rows), rows.X.shape
        if self._together:
            scales = (scales > 0).astype(np.float64)
        return RandomDirections(
            scales=scales,
            random=random_words(self.rng),
            layers=normal_layers(),
            score=np.array([np.inf]),
            n_directions=self.n_readings,
            together=self._together,
            weights=np.empty(p),
            directions=np.empty((ABREAST, p), dtype=np.float32),
            space=NodeSpace.of(n, n_numbers, ABREAST),
        )
