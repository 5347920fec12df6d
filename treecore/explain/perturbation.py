"""One move of OC1: the impurity of a node at every value of one coefficient.

The kernel (:func:`treecore.greedy.perturbation.perturb`) keeps only the best value. Here all of
them are kept: where each row would cross the hyperplane (the U_j of Murthy et al. 1994, eq. 1),
and the impurity between every two neighbouring crossings, which is a step curve.
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass

import numpy as np

from treecore.greedy.oblique import feature_scales
from treecore.greedy.perturbation import Ground, Plane, add_slopes, count_sides, take_step
from treecore.greedy.targets import make_targets
from treecore.impurity import Criterion, scaled_impurity
from treecore.losses import LOG
from treecore.rows import TrainingRows
from treecore.tree import OBLIQUE, Tree

_FARTHEST = 1e6  # as in treecore.greedy.perturbation


@dataclass(frozen=True)
class Move:
    """What one coefficient can do for a node.

    Impurities are sums over the rows of both sides, divided by the number of rows.

    Attributes
    ----------
    coefficient : int
        A feature, or n_features for the offset.
    present : float
        Its value now.
    rows : int32 array, shape (m,)
        The rows that move with it, in the order of their crossings.
    crossings : float64 array, shape (m,)
        The values at which they cross the hyperplane: U_j, ascending.
    values : float64 array, shape (n_values,)
        Candidates, ascending: half-way between neighbouring crossings.
    starts : float64 array, shape (n_values,)
        The last crossing before each: between two of them the impurity does not change.
    impurities : float64 array, shape (n_values,)
        Infinite where a side would have too few rows.
    impurity_before, impurity_best : float
        At present, and at the best candidate; infinite where there is none.
    best : float or None
        The candidate of least impurity, the lowest of equals.
    coin, stagnant : float, int
        A candidate that is only as good as the present is moved to if
        ``coin < exp(-stagnant)``.
    moves : bool
    plane : Plane
        After the move.
    """

    coefficient: int
    present: float
    rows: np.ndarray
    crossings: np.ndarray
    values: np.ndarray
    starts: np.ndarray
    impurities: np.ndarray
    impurity_before: float
    impurity_best: float
    best: float | None
    coin: float
    stagnant: int
    moves: bool
    plane: Plane


def node_ground(
    X: np.ndarray,
    y: np.ndarray,
    rows: np.ndarray,
    n_classes: int,
    criterion: Criterion,
    min_samples_leaf: int = 1,
) -> Ground:
    """The rows of one node as OC1 sees them.

    Parameters
    ----------
    X : float32 array, shape (n_samples, n_features)
        All training rows: features are measured by their deviations.
    y : int64 array, shape (n_samples,)
    rows : int array, shape (n,)
        Those of the node, at least one.
    """
    given = TrainingRows(X, y, np.ones(len(y)), n_classes, LOG)
    targets = make_targets(given, criterion)
    rows = np.sort(rows).astype(np.int32)
    places = np.argsort(X[rows], axis=0, kind="stable").T  # (n_features, n)
    order = np.ascontiguousarray(rows[places])
    values = np.ascontiguousarray(np.take_along_axis(X[rows].T, places, axis=1))
    return Ground(
        rows=rows,
        values=values,
        order=order,
        centres=values[:, len(rows) // 2].astype(np.float64),
        scales=feature_scales(given),
        judge=targets.judge,
        whole=targets.tally(rows),
        min_samples_leaf=min_samples_leaf,
    )


def plane_at(ground: Ground, weights: np.ndarray) -> Plane:
    """The hyperplane of these coefficients, float64 (n_features + 1,), and its sides."""
    n_features = len(ground.scales)
    plane = Plane(
        weights=weights.astype(np.float64),
        heights=np.zeros(len(ground.judge.labels)),
        on_right=np.zeros_like(ground.whole),
        n_right=np.zeros(1, dtype=np.int64),
        score=np.array([np.inf]),
        stagnant=np.zeros(1, dtype=np.int64),
    )
    plane.heights[ground.rows] = -plane.weights[n_features]
    add_slopes(plane.weights, 0, n_features, ground, plane.heights)
    labels = ground.judge.labels[ground.rows[plane.heights[ground.rows] > 0]]
    plane.on_right[:] = np.bincount(labels, minlength=len(plane.on_right))
    plane.n_right[0] = len(labels)
    none = np.empty(0, dtype=np.int32), np.empty(0)
    plane.score[0], _ = count_sides(*none, 0.0, plane, ground, np.empty_like(plane.on_right))
    return plane


def split_coefficients(tree: Tree, split: int, ground: Ground) -> np.ndarray:
    """The coefficients, for scaled features, of a split of a tree; the greatest is 1 or -1."""
    raw = np.zeros(tree.n_features)
    if tree.feature[split] == OBLIQUE:
        raw[:] = tree.weights[tree.row[split]]
    else:
        raw[tree.feature[split]] = 1.0
    # w.x - b = (w / scale).z - (b - w.centre); a constant feature has no scale and no part in z.
    weights = np.divide(raw, ground.scales, out=np.zeros_like(raw), where=ground.scales > 0)
    offset = float(tree.threshold[split]) - (raw * ground.centres).sum()
    found = np.append(weights, offset)
    size = np.abs(weights).max(initial=0.0)
    return found / size if size > 0 else found


def raw_split(plane: Plane, ground: Ground) -> tuple[np.ndarray, float]:
    """Weights, float64 (n_features,), and threshold of a hyperplane, for raw rows."""
    weights = plane.weights[:-1] * ground.scales
    return weights, float(plane.weights[-1] + (weights * ground.centres).sum())


def try_coefficient(plane: Plane, ground: Ground, coefficient: int, coin: float) -> Move:
    """What ``perturb`` decides about one coefficient; ``plane`` itself stays as it is.

    Parameters
    ----------
    plane : Plane
    ground : Ground
    coefficient : int
    coin : float
        Uniform in [0, 1), see :class:`Move`.
    """
    rows, slopes = _moving(ground, coefficient)
    present, n = float(plane.weights[coefficient]), len(ground.rows)
    after = copy.deepcopy(plane)
    with np.errstate(over="ignore"):
        steps = np.clip(-plane.heights[rows] / slopes, -_FARTHEST, _FARTHEST).astype(np.float32)
    order = np.argsort(steps, kind="stable")
    ordered = steps[order]
    gaps = np.flatnonzero(ordered[:-1] < ordered[1:])
    middles = (ordered[gaps].astype(np.float64) + ordered[gaps + 1].astype(np.float64)) / 2
    scores = _scores_past(plane, ground, rows, slopes, order, gaps)
    moves, best, score = False, None, np.inf
    if len(rows) >= 2 and np.isfinite(scores).any():
        step = middles[scores.argmin()]
        best = present + step
        on_right = np.empty_like(plane.on_right)
        score, _ = count_sides(rows, slopes, step, plane, ground, on_right)
        moves = _decide(after, score, coin)
        if moves:
            take_step(rows, slopes, step, after, ground)
            after.weights[coefficient] += step
    return Move(
        coefficient=coefficient,
        present=present,
        rows=rows[order],
        crossings=present + ordered.astype(np.float64),
        values=present + middles,
        starts=present + ordered[gaps].astype(np.float64),
        impurities=scores / n,
        impurity_before=float(plane.score[0]) / n,
        impurity_best=float(score) / n,
        best=best,
        coin=coin,
        stagnant=int(plane.stagnant[0]),
        moves=moves,
        plane=after,
    )


def _decide(plane: Plane, score: float, coin: float) -> bool:
    """Whether to move to a hyperplane of this score; counts the moves that changed nothing."""
    if score < plane.score[0]:
        plane.stagnant[0] = 0
        return True
    if score == plane.score[0] and score < np.inf:
        plane.stagnant[0] += 1
        return coin < math.exp(-(plane.stagnant[0] - 1))
    return False


def _moving(ground: Ground, coefficient: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows that a coefficient moves, int32, and how fast, float64."""
    if coefficient == len(ground.scales):
        return ground.rows, np.full(len(ground.rows), -1.0)
    values = ground.values[coefficient]
    slopes = (values - ground.centres[coefficient]) * ground.scales[coefficient]
    moving = slopes != 0
    return ground.order[coefficient][moving], slopes[moving]


def _scores_past(plane: Plane, ground: Ground, rows, slopes, order, gaps) -> np.ndarray:
    """Sums of the sides' scaled impurities once the rows up to each of ``gaps`` have crossed.

    ``order`` are places in ``rows``, by crossing; float64 (n_gaps,).
    """
    n_classes = len(plane.on_right)
    labels = ground.judge.labels[rows]
    # First comes the step of minus infinity, where rows of negative slope are on the right.
    first = np.bincount(labels[slopes < 0], minlength=n_classes) + plane.on_right
    first -= np.bincount(labels[plane.heights[rows] > 0], minlength=n_classes)
    passing = np.zeros((len(rows), n_classes), dtype=np.int64)
    passing[np.arange(len(rows)), labels[order]] = np.where(slopes[order] > 0, 1, -1)
    on_right = first + np.cumsum(passing, axis=0)[gaps]
    on_left = ground.whole - on_right
    scores = np.full(len(gaps), np.inf)
    terms = ground.judge.terms
    sides = [(side, side.sum(axis=1), terms[side].sum(axis=1)) for side in (on_left, on_right)]
    for i in range(len(gaps)):
        if min(n[i] for _, n, _ in sides) >= ground.min_samples_leaf:
            left, right = (
                scaled_impurity(n[i], total[i], terms, ground.judge.criterion)
                for _, n, total in sides
            )
            scores[i] = left + right
    return scores
