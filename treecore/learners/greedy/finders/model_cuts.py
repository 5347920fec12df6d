"""Cuts for a tree whose leaves are linear models: each is the one behind which models err least.

A regression tree's cuts part rows of great targets from rows of small ones, which a linear model
tells apart without a cut. So here a node takes the cut for which two ridge regressions, one on each
side, have the least

    sum_n w_n (y_n - b_0 - b.z_n)^2  +  ridge ||b||^2

together, and is cut only where that spares more than ``price`` times the regression's parameters
times the mean squared error of the node: two would be Akaike's criterion, had the cut been given.

Every candidate is judged exactly, without a fit of its own rows: the rows of a node add their
``w z z'``, ``w z y`` and ``w y^2`` to the sums of their bin of each feature, the sums of all bins
on one side are those of the side, and a Cholesky factor of them gives its error. A feature of more
values than :data:`BINS` may be cut between bins of about as many rows each.

A feature that rises with one before, as hinges of a spline do, is neither cut nor in these
regressions; leaves read all features.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.core.scaling import Scaling
from treecore.core.thresholds import threshold_between
from treecore.core.tree import OBLIQUE
from treecore.learners.greedy.finders.oblique import multiply_rows
from treecore.learners.greedy.splitter import SplitFinder
from treecore.learners.greedy.state import AT, FOUND, N_WEIGHTS, NO_SPLIT, PHASE, PLACE, GreedyRun
from treecore.learners.nongreedy.ridge_leaves import STEADY_RIDGE
from treecore.rows.training_rows import TrainingRows

BINS = 64
"""Bins of a feature at most: with 32 California lost nothing, with 16 cpuact lost a thirtieth."""

FARTHEST = 10.0
"""Values of regressions are drawn in to so many deviations: outliers choose no cut."""

MAX_FEATURES_OF_CUTS = 100
"""Most features that may be cut: the sums of all bins take 256 bytes times their cube."""

_TOGETHER = 64
"""Rows whose terms are added to the bins one feature after another."""


class ModelCuts(NamedTuple):
    """What the search reads and changes. The clock counts rows added to bins, then features tried.

    - D, y: float64 (n_samples, q) and (n_samples, k), regressors, the constant first, and targets.
    - codes: int64 (n_samples, n_columns), bins; thresholds: float32 (n_columns, n_bins - 1).
    - features: int64 (n_columns,), what is cut; ``OBLIQUE`` for the last ones, which are the inner
      products with ``directions``, float32 (n_directions, n_features).
    - sums: float64 (n_columns, n_bins, width), of the rows added; parted, column, last: (1,), see
      :func:`best_model_cut`. terms, totals, factor, solved: work space.
    """

    D: np.ndarray
    y: np.ndarray
    weight: np.ndarray
    codes: np.ndarray
    thresholds: np.ndarray
    features: np.ndarray
    directions: np.ndarray
    sums: np.ndarray
    parted: np.ndarray
    column: np.ndarray
    last: np.ndarray
    price: float
    terms: np.ndarray
    totals: np.ndarray
    factor: np.ndarray
    solved: np.ndarray

    def changing(self) -> dict[str, Any]:
        """See :class:`treecore.learners.greedy.splitter.SplitFinder`."""
        column, last = (self.column, self.sums.shape[0]), (self.last, self.sums.shape[1])
        return {"parted": (self.parted, 0), "column": column, "last": last}


@kernel
def cut_for_models(cuts, run, budget):
    """Add some more rows to the bins, or try some more features; see ``SplitFinder.refine``."""
    clock, (n_columns, n_bins, _) = run.clock, cuts.sums.shape
    node, q, place = run.nodes[clock[AT]], cuts.D.shape[1], clock[PLACE]
    rows, mass = run.rows[node["start"] : node["stop"]], 0.0
    if place < rows.shape[0]:
        last = min(rows.shape[0], place + max(_TOGETHER, budget // max(1, n_columns)))
        add_moments(cuts, rows[place:last])
        clock[PLACE], cuts.parted[0] = last, np.inf
        return (last - place) * n_columns
    first, cost = place - rows.shape[0], n_bins * q  # a factor's share is so many sums
    stop, uncut = min(n_columns, first + max(1, budget // cost)), 0.0
    if first < n_columns:
        uncut = best_model_cut(cuts, run.rules.min_samples_leaf, first, stop)
    clock[PLACE] += stop - first
    if stop < n_columns:
        return (stop - first) * cost
    for row in rows:
        mass += cuts.weight[row]
    node["feature"], clock[PHASE] = NO_SPLIT, FOUND
    spared, column = uncut - cuts.parted[0], cuts.column[0]
    if spared > cuts.price * q * uncut / mass:
        node["feature"], node["fall"] = cuts.features[column], spared / mass
        node["threshold"], node["missing_left"] = cuts.thresholds[column, cuts.last[0]], False
        if node["feature"] == OBLIQUE:
            direction = cuts.directions[column - n_columns + cuts.directions.shape[0]]
            for j in range(direction.shape[0]):
                run.weights[clock[N_WEIGHTS], j] = direction[j]
        else:
            node["missing_left"] = run.means[node["feature"]] <= node["threshold"]
    return (stop - first) * cost


class BinnedFeature(NamedTuple):
    """Where a feature may be cut: the bin of each row, int64; thresholds between bins."""

    codes: np.ndarray
    thresholds: np.ndarray


def bin_feature(x: np.ndarray, n_bins: int = BINS) -> BinnedFeature:
    """Bins of a column of about as many rows each, or of one value each where these are few."""
    ordered = np.sort(x)
    first = np.unique(ordered)
    if len(first) > n_bins:
        first = np.unique(ordered[np.arange(n_bins) * len(x) // n_bins])
    first = first[first > ordered[0]]  # the least value of every bin but the first
    below = ordered[np.searchsorted(ordered, first) - 1]
    cuts = [threshold_between(a, b) for a, b in zip(below, first, strict=True)]
    codes = np.searchsorted(first, x, side="right").astype(np.int64)
    return BinnedFeature(codes, np.array(cuts, dtype=np.float32))


def cuttable_features(X: np.ndarray) -> list[int]:
    """Features whose cuts are not all cuts on one before: hinges rise where their feature rises."""
    kept: list[int] = []
    left = np.arange(X.shape[1])
    while left.size:
        x = X[:, left[0]]
        order = np.argsort(x, kind="stable")
        same = np.diff(x[order]) == 0
        kept.append(int(left[0]))
        left = left[1:]
        some = order[:: max(1, len(order) // BINS)]  # which tell of most others at once
        suspects = left[(np.diff(X[np.ix_(some, left)], axis=0) >= 0).all(axis=0)]
        implied = []
        for f in suspects:
            steps = np.diff(X[order, f])
            if (steps >= 0).all() and (steps[same] == 0).all():
                implied.append(f)
        left = np.setdiff1d(left, implied)
    return kept


def pair_directions(deviation: np.ndarray) -> np.ndarray:
    """Sums and differences of any two features, each divided by its deviation, float32 (n, p)."""
    p = len(deviation)
    one, other = np.triu_indices(p, 1)
    places = np.arange(len(one))
    directions = np.zeros((2, len(one), p))
    directions[:, places, one] = 1.0 / deviation[one]
    directions[0, places, other] = 1.0 / deviation[other]
    directions[1, places, other] = -1.0 / deviation[other]
    return directions.reshape(-1, p).astype(np.float32)


class ModelCutFinder(SplitFinder):
    """Finds the best cut for linear leaves.

    A unit of work is a row added to a bin.

    price: see the module docstring; directions: float32 (n_directions, n_features) or None, inner
    products with these may be cut as well.
    """

    name = "axis"
    refine = staticmethod(cut_for_models)
    n_readings = 1

    def __init__(self, price: float, directions: np.ndarray | None = None):
        self._price, self._given = price, directions

    def search_of(self, rows: TrainingRows, n_numbers: int) -> ModelCuts:
        """See ``SplitFinder``."""
        X, (n, p) = rows.X, rows.X.shape
        directions = np.empty((0, p), dtype=np.float32) if self._given is None else self._given
        features = cuttable_features(X)
        # Where an order is to be kept, constrained features are for the models alone.
        cut = [f for f in features if rows.monotonic is None or rows.monotonic[f] == 0]
        binned = [bin_feature(np.ascontiguousarray(X[:, f])) for f in cut]
        every, product = np.arange(n, dtype=np.int32), np.empty((1, n), dtype=np.float32)
        for place in range(len(directions)):
            multiply_rows(X, every, directions, place, 1, product)
            binned.append(bin_feature(product[0]))
        n_bins = 1 + max((len(feature.thresholds) for feature in binned), default=0)
        codes = np.zeros((n, len(binned)), dtype=np.int64)
        thresholds = np.zeros((len(binned), n_bins - 1), dtype=np.float32)
        for place, feature in enumerate(binned):
            codes[:, place] = feature.codes
            thresholds[place, : len(feature.thresholds)] = feature.thresholds
        scaling = Scaling.fit(X, robust=True)
        Z = scaling.transform(X)[:, features].astype(np.float64)
        D = np.ascontiguousarray(np.hstack([np.ones((n, 1)), np.clip(Z, -FARTHEST, FARTHEST)]))
        y = rows.y.astype(np.float64)
        if rows.loss.task == "classification":  # a regression for each class, of whether it is it
            y = np.eye(rows.n_outputs)[rows.y]
        q, k = D.shape[1], y.shape[1]
        width = q * (q + 1) // 2 + k * q + 2  # half a Gram matrix, moments, a square, and one
        return ModelCuts(
            D=D,
            y=y,
            weight=rows.weight_in_order,
            codes=codes,
            thresholds=thresholds,
            features=np.array([*cut, *[OBLIQUE] * len(directions)], dtype=np.int64),
            directions=directions,
            sums=np.zeros((len(binned), n_bins, width)),
            parted=np.full(1, np.inf),
            column=np.zeros(1, dtype=np.int64),
            last=np.zeros(1, dtype=np.int64),
            price=self._price,
            terms=np.zeros((_TOGETHER, width)),
            totals=np.zeros((3, width)),
            factor=np.zeros((q, q)),
            solved=np.zeros(q),
        )

    def begin(self, search: ModelCuts, run: GreedyRun, rows: np.ndarray) -> ModelCuts:
        """Empty the bins, but for rows that the clock has counted; see ``SplitFinder``."""
        search.sums[:] = 0.0
        add_moments(search, rows[: run.clock[PLACE]])
        return search


@kernel
def add_moments(cuts, rows):
    """Add what regressions need of some rows, int32 (n,), to the bins of every feature."""
    D, y, weight = cuts.D, cuts.y, cuts.weight
    codes, sums, terms = cuts.codes, cuts.sums, cuts.terms
    q, k, width = D.shape[1], y.shape[1], sums.shape[2]
    # Rows a few at a time, so that the bins of one feature stay near while they are added to.
    for begin in range(0, rows.shape[0], _TOGETHER):
        n = min(_TOGETHER, rows.shape[0] - begin)
        for r in range(n):
            i, at = rows[begin + r], 0
            for a in range(q):
                weighted = weight[i] * D[i, a]
                for b in range(a + 1):
                    terms[r, at] = weighted * D[i, b]
                    at += 1
            square = 0.0
            for c in range(k):
                weighted = weight[i] * y[i, c]
                square += weighted * y[i, c]
                for a in range(q):
                    terms[r, at] = weighted * D[i, a]
                    at += 1
            terms[r, at] = square
            terms[r, at + 1] = 1.0
        for f in range(codes.shape[1]):
            for r in range(n):
                code = codes[rows[begin + r], f]
                for j in range(width):
                    sums[f, code, j] += terms[r, j]


@kernel
def best_model_cut(cuts, smallest, begin, stop):
    """Write the cut behind which two ridge regressions err least, if it is better than before.

    Features from ``begin`` up to ``stop`` are tried. parted: the penalised error of both sides;
    column, last: the feature, and its last bin on the left. Returns the error of one regression for
    all.
    """
    sums, q, k = cuts.sums, cuts.D.shape[1], cuts.y.shape[1]
    n_bins, width = sums.shape[1:]
    total, left, right = cuts.totals[0], cuts.totals[1], cuts.totals[2]
    factor, solved = cuts.factor, cuts.solved
    total[:] = 0.0
    for b in range(n_bins):
        for j in range(width):
            total[j] += sums[0, b, j]
    uncut = penalised_error(total, q, k, factor, solved)
    for f in range(begin, stop):
        left[:] = 0.0
        for b in range(n_bins - 1):
            if sums[f, b, width - 1] == 0.0:
                continue
            for j in range(width):
                left[j] += sums[f, b, j]
            n_left = left[width - 1]
            if n_left < smallest or total[width - 1] - n_left < smallest:
                continue
            error = penalised_error(left, q, k, factor, solved)
            if error >= cuts.parted[0]:
                continue
            for j in range(width):
                right[j] = total[j] - left[j]
            error += penalised_error(right, q, k, factor, solved)
            if error < cuts.parted[0]:
                cuts.parted[0], cuts.column[0], cuts.last[0] = error, f, b
    return uncut


@kernel
def penalised_error(sums, q, k, factor, solved):
    """What a ridge regression leaves, its penalty counted: ``y'y - m' (G + ridge)^-1 m``."""
    at = 0
    for a in range(q):
        for b in range(a + 1):
            rest = sums[at]
            at += 1
            for c in range(b):
                rest -= factor[a, c] * factor[b, c]
            if a > b:
                factor[a, b] = rest / factor[b, b]
            else:
                factor[a, a] = np.sqrt(max(rest + (STEADY_RIDGE if a > 0 else 0.0), 1e-12))
    error = sums[at + k * q]
    for _ in range(k):
        for a in range(q):
            rest = sums[at]
            at += 1
            for c in range(a):
                rest -= factor[a, c] * solved[c]
            solved[a] = rest / factor[a, a]
            error -= solved[a] * solved[a]
    return max(error, 0.0)
