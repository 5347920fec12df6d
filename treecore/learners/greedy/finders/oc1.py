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

from typing import Any, NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.compiling.random import (
    next_below,
    next_double,
    next_normal,
    normal_layers,
    random_words,
)
from treecore.learners.greedy.finders.oblique import (
    NodeSpace,
    cut_node,
    feature_scales,
    largest_of,
    write_direction,
)
from treecore.learners.greedy.finders.perturbation import (
    Hyperplane,
    NodeProjection,
    find_sides,
    perturb,
    write_slopes,
)
from treecore.learners.greedy.finders.sorting import ascending
from treecore.learners.greedy.settings import OC1Settings
from treecore.learners.greedy.splitter import SplitFinder
from treecore.learners.greedy.state import AT, FOUND, NO_SPLIT, PHASE, PLACE, REFINE
from treecore.rows.training_rows import TrainingRows

START, PERTURB, JUMP = range(3)
"""What is next at a node whose centres are known; after the last jump comes the cut."""

NEXT, N_STARTED, N_JUMPED, N_TRIED, N_MOVED, HAS_SPLIT = range(6)
"""Places in ``HillClimb.places``.

What is next; starts begun; jumps from this one; coefficients tried in this order, and moved;
whether the node has a split that a better one has to gain more than.
"""


class HillClimb(NamedTuple):
    """What the search reads and changes.

    - starts: float64 (n_starts, n_features + 1); plane: the hyperplane that climbs.
    - moves, coins: see :func:`perturb`; places: int64 (6,), see ``NEXT``.
    - direction, raw: float64 (n_features + 1,) and float32 (1, n_features), work space.
    """

    columns: np.ndarray
    centres: np.ndarray
    scales: np.ndarray
    weight: np.ndarray
    random: np.ndarray
    layers: np.ndarray
    starts: np.ndarray
    plane: Hyperplane
    moves: np.ndarray
    coins: np.ndarray
    places: np.ndarray
    sequential: bool
    from_axis: bool
    n_jumps: int
    direction: np.ndarray
    raw: np.ndarray
    space: NodeSpace

    def changing(self) -> dict[str, Any]:
        """See :class:`treecore.learners.greedy.splitter.SplitFinder`."""
        names = "centres", "random", "starts", "coins"
        arrays = {name: (getattr(self, name), 0) for name in names}
        arrays |= {name: (array, 0) for name, array in self.plane._asdict().items()}
        arrays["moves"] = self.moves, len(self.centres) + 2
        return arrays | {"places": (self.places, len(self.starts) + len(self.coins) + self.n_jumps)}


@kernel
def climb_hills(climb, run, budget):
    """Go on with the hill-climbing at the node at hand; see ``SplitFinder.refine``."""
    # Each attribute is read once: reading one takes the compiler as long as the struct is.
    clock, places, plane, random = run.clock, climb.places, climb.plane, climb.random
    columns, centres, scales, space = climb.columns, climb.centres, climb.scales, climb.space
    starts, moves, coins, raw = climb.starts, climb.moves, climb.coins, climb.raw
    direction, layers, n_jumps = climb.direction, climb.layers, climb.n_jumps
    weights, score, sequential = plane.weights, plane.score, climb.sequential
    at, p, n_moves, done = clock[AT], scales.shape[0], coins.shape[0], 0
    node, tally, smallest = run.nodes[at], run.tally[at], run.rules.min_samples_leaf
    rows = run.rows[node["start"] : node["stop"]]
    n = rows.shape[0]
    ground = NodeProjection(rows, columns, centres, scales, run.criterion, tally, smallest, space)
    while clock[PHASE] == REFINE and done < budget:
        if clock[PLACE] < p:
            f = clock[PLACE]
            centres[f] = upper_median(columns[f], rows, climb.weight, space)
            done += 4 * n
            clock[PLACE] += 1
            if clock[PLACE] == p:
                for k in range(starts.shape[0]):
                    for j in range(p + 1):
                        starts[k, j] = next_normal(random, layers)
                    starts[k, p] = 0.0
                places[:] = 0  # START is next, and nothing has begun
                places[HAS_SPLIT] = climb.from_axis and node["feature"] != NO_SPLIT
                if places[HAS_SPLIT]:
                    starts[0] = 0.0
                    starts[0, node["feature"]] = 1.0
            continue
        if places[NEXT] == JUMP and places[N_JUMPED] >= n_jumps:
            write_direction(weights, scales, largest_of(weights, p), raw[0])
            least = node["fall"] if places[HAS_SPLIT] else -1.0
            if cut_node(run, raw, 1, np.inf, least, space) < np.inf:
                places[HAS_SPLIT] = 1
            done += n * p
            places[NEXT] = START
            if places[N_STARTED] >= starts.shape[0]:
                clock[PHASE] = FOUND
            continue
        if places[NEXT] == START:
            start = starts[min(places[N_STARTED], starts.shape[0] - 1)]
            for j in range(p + 1):
                weights[j] = start[j]
            places[N_STARTED] += 1
            places[N_JUMPED] = 0
            done += write_slopes(weights, ground, plane.heights)
            find_sides(plane, ground)
            score[0], plane.stagnant[0] = np.inf, 0  # anything is better than no offset yet
        elif places[NEXT] == JUMP:
            places[N_JUMPED] += 1
            for j in range(p + 1):
                direction[j] = next_normal(random, layers)
        if places[NEXT] != PERTURB:  # a single move
            places[N_TRIED], coins[n_moves - 1] = n_moves - 1, 0.0
            moves[n_moves - 1] = p + (places[NEXT] == JUMP)
        first = places[N_TRIED]
        n_tried, n_moved, units = perturb(
            moves[first:], coins[first:], direction, plane, ground, budget - done, None
        )
        done += units
        places[N_TRIED] += n_tried
        places[N_MOVED] += n_moved
        if places[N_TRIED] < n_moves:
            continue
        if places[N_MOVED] > 0 and (sequential or places[NEXT] != PERTURB):
            places[NEXT], places[N_TRIED] = PERTURB, 0
            for i in range(n_moves):
                moves[i] = i if sequential else next_below(random, p + 1)
            for i in range(n_moves):
                coins[i] = next_double(random)
        else:
            if places[NEXT] == START:  # no offset divides the rows
                places[N_JUMPED] = n_jumps
            places[NEXT] = JUMP
        places[N_MOVED] = 0
    return done


@kernel(pasted=True)
def upper_median(column, rows, weight, space):
    """The upper median of a float32 column (n_samples,) over some rows and their weights."""
    n, total, below = rows.shape[0], 0.0, 0.0
    values, order = space.values, space.sorting.order
    for i in range(n):
        values[i] = column[rows[i]]
    ascending(values[:n], space.sorting)
    for i in range(n):
        total += weight[rows[order[i]]]
    middle = 0
    # Half the weight, but not a last bit less: it is at most half up to a row.
    while middle < n - 1 and below + weight[rows[order[middle]]] <= total * (0.5 + 1e-12):
        below += weight[rows[order[middle]]]
        middle += 1
    return values[order[middle]]


class OC1Finder(SplitFinder):
    """Climbs from several hyperplanes; a :class:`treecore.learners.greedy.splitter.SplitFinder`.

    A unit of work is a value read; sorting a row counts for four. Where all starts are random, the
    axis-aligned split stays only if none of them divides the rows.
    """

    name = "oc1"
    refine = staticmethod(climb_hills)
    from_axis = True
    rng: np.random.Generator

    def __init__(self, settings: OC1Settings, rng: np.random.Generator):
        self._settings, self.rng = settings, rng
        self.n_readings = 20 * (1 + settings.restarts)  # a few sweeps from each start

    def search_of(self, rows: TrainingRows, n_numbers: int) -> HillClimb:
        """See ``SplitFinder``."""
        settings = self._settings
        scales, (n, p) = feature_scales(rows), rows.X.shape  # before columns: it takes some memory
        sequential = settings.order == "sequential"
        n_moves = p + 1 if sequential else 50  # as R-50 has, Algorithm 3 of the slides
        plane = Hyperplane(
            weights=np.zeros(p + 1),
            heights=np.zeros(n),
            on_right=np.zeros(n_numbers),
            n_right=np.zeros(1, dtype=np.int64),
            score=np.zeros(1),
            stagnant=np.zeros(1, dtype=np.int64),
        )
        return HillClimb(
            columns=np.ascontiguousarray(rows.complete.X.T),
            centres=np.zeros(p),
            scales=scales,
            weight=rows.weight_in_order,
            random=random_words(self.rng),
            layers=normal_layers(),
            starts=np.zeros((1 + settings.restarts, p + 1)),
            plane=plane,
            moves=np.zeros(n_moves, dtype=np.int64),
            coins=np.zeros(n_moves),
            places=np.zeros(6, dtype=np.int64),
            sequential=sequential,
            from_axis=settings.start == "axis",
            n_jumps=settings.jumps,
            direction=np.empty(p + 1),
            raw=np.empty((1, p), dtype=np.float32),
            space=NodeSpace.of(n, n_numbers),
        )
