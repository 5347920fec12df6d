"""One move of OC1: the impurity of a node at every value of one coefficient.

The kernel (:func:`treecore.learners.greedy.finders.perturbation.perturb`) keeps only the best
value. Here all of them are kept: where each row would cross the hyperplane (the U_j of Murthy et
al. 1994, eq. 1), and the impurity between every two neighbouring crossings, which is a step curve.
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass

import numpy as np

from treecore.core.impurity import Criterion
from treecore.core.kernels import kernel
from treecore.core.rows import TrainingRows
from treecore.core.tree import OBLIQUE, Tree
from treecore.learners.greedy.criteria import (
    ClassCriterion,
    count,
    move,
    score,
    squared_error,
    start_totals,
    tally_rows,
)
from treecore.learners.greedy.finders.oblique import feature_scales
from treecore.learners.greedy.finders.perturbation import (
    Hyperplane,
    NodeProjection,
    add_slopes,
    count_sides,
    take_step,
)
from treecore.learners.greedy.targets import make_targets
from treecore.losses.log import LOG
from treecore.losses.squared import SQUARED

_FARTHEST = 1e6  # as in treecore.learners.greedy.finders.perturbation


@dataclass(frozen=True)
class Move:
    """What one coefficient can do for a node.

    Impurities of classes are sums over the rows of both sides, divided by the number of rows. That
    of numbers is their squared error about the means of both sides, as a share of that about the
    mean of the node: 1 where the split explains nothing.

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
    plane : Hyperplane
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
    plane: Hyperplane


def node_projection(
    X: np.ndarray,
    y: np.ndarray,
    rows: np.ndarray,
    n_classes: int,
    criterion: Criterion,
    min_samples_leaf: int = 1,
) -> NodeProjection:
    """The rows of one node as OC1 sees them.

    Parameters
    ----------
    X : float32 array, shape (n_samples, n_features)
        All training rows: features are measured by their deviations.
    y : int64 array, shape (n_samples,), or float32 array, shape (n_samples, n_outputs)
        Classes, or numbers.
    rows : int array, shape (n,)
        Those of the node, at least one.
    n_classes : int
        Or outputs.
    criterion : Criterion
    min_samples_leaf : int
        Fewest rows on either side.
    """
    training_rows = TrainingRows(X, y, np.ones(len(y)), n_classes, LOG if y.ndim == 1 else SQUARED)
    targets = make_targets(training_rows, criterion)
    rows = np.sort(rows).astype(np.int32)
    places = np.argsort(X[rows], axis=0, kind="stable").T  # (n_features, n)
    order = np.ascontiguousarray(rows[places])
    values = np.ascontiguousarray(np.take_along_axis(X[rows].T, places, axis=1))
    return NodeProjection(
        rows=rows,
        values=values,
        order=order,
        centres=values[:, len(rows) // 2].astype(np.float64),
        scales=feature_scales(training_rows),
        criterion=targets.criterion,
        tally=targets.tally(rows),
        min_samples_leaf=min_samples_leaf,
    )


def plane_at(projection: NodeProjection, weights: np.ndarray) -> Hyperplane:
    """The hyperplane of some coefficients, and its sides.

    Parameters
    ----------
    projection : NodeProjection
    weights : array, shape (n_features + 1,)
        For scaled features; last the offset.
    """
    n_features = len(projection.scales)
    plane = Hyperplane(
        weights=weights.astype(np.float64),
        heights=np.zeros(len(projection.criterion.units)),
        on_right=np.zeros_like(projection.tally),
        n_right=np.zeros(1, dtype=np.int64),
        score=np.array([np.inf]),
        stagnant=np.zeros(1, dtype=np.int64),
    )
    plane.heights[projection.rows] = -plane.weights[n_features]
    add_slopes(plane.weights, 0, n_features, projection, plane.heights)
    right = projection.rows[plane.heights[projection.rows] > 0]
    tally_rows(projection.criterion, right, plane.on_right)
    plane.n_right[0] = len(right)
    none = np.empty(0, dtype=np.int32), np.empty(0)
    plane.score[0], _ = count_sides(*none, 0.0, plane, projection, np.empty_like(plane.on_right))
    return plane


def split_coefficients(tree: Tree, split: int, projection: NodeProjection) -> np.ndarray:
    """The coefficients, for scaled features, of a split of a tree.

    Parameters
    ----------
    tree : Tree
        Reads raw features.
    split : int
    projection : NodeProjection

    Returns
    -------
    float64 array, shape (n_features + 1,)
        Offset last; the greatest of the others is 1 or -1.
    """
    raw = np.zeros(tree.n_features)
    if tree.feature[split] == OBLIQUE:
        raw[:] = tree.weights[tree.row[split]]
    else:
        raw[tree.feature[split]] = 1.0
    # w.x - b = (w / scale).z - (b - w.centre); a constant feature has no scale and no part in z.
    weights = np.divide(raw, projection.scales, out=np.zeros_like(raw), where=projection.scales > 0)
    offset = float(tree.threshold[split]) - (raw * projection.centres).sum()
    coefficients = np.append(weights, offset)
    size = np.abs(weights).max(initial=0.0)
    return coefficients / size if size > 0 else coefficients


def raw_split(plane: Hyperplane, projection: NodeProjection) -> tuple[np.ndarray, float]:
    """Weights and threshold of a hyperplane, for raw rows.

    Parameters
    ----------
    plane : Hyperplane
    projection : NodeProjection

    Returns
    -------
    weights : float64 array, shape (n_features,)
    threshold : float
    """
    weights = plane.weights[:-1] * projection.scales
    return weights, float(plane.weights[-1] + (weights * projection.centres).sum())


def try_coefficient(
    plane: Hyperplane, projection: NodeProjection, coefficient: int, coin: float
) -> Move:
    """What ``perturb`` decides about one coefficient; ``plane`` itself stays as it is.

    Parameters
    ----------
    plane : Hyperplane
    projection : NodeProjection
    coefficient : int
    coin : float
        Uniform in [0, 1), see :class:`Move`.
    """
    rows, slopes = _moving(projection, coefficient)
    present = float(plane.weights[coefficient])
    after = copy.deepcopy(plane)
    with np.errstate(over="ignore"):
        steps = np.clip(-plane.heights[rows] / slopes, -_FARTHEST, _FARTHEST).astype(np.float32)
    order = np.argsort(steps, kind="stable")
    ordered = steps[order]
    gaps = np.flatnonzero(ordered[:-1] < ordered[1:])
    middles = (ordered[gaps].astype(np.float64) + ordered[gaps + 1].astype(np.float64)) / 2
    scores = np.full(len(gaps), np.inf)
    score_gaps(rows, slopes, order, gaps, plane, projection, scores)
    moves, best, lowest = False, None, np.inf
    if len(rows) >= 2 and np.isfinite(scores).any():
        step = middles[scores.argmin()]
        best = present + step
        on_right = np.empty_like(plane.on_right)
        lowest, _ = count_sides(rows, slopes, step, plane, projection, on_right)
        moves = _decide(after, lowest, coin)
        if moves:
            take_step(rows, slopes, step, after, projection)
            after.weights[coefficient] += step
    return Move(
        coefficient=coefficient,
        present=present,
        rows=rows[order],
        crossings=present + ordered.astype(np.float64),
        values=present + middles,
        starts=present + ordered[gaps].astype(np.float64),
        impurities=impurity_of(scores, projection),
        impurity_before=float(impurity_of(plane.score[0], projection)),
        impurity_best=float(impurity_of(lowest, projection)),
        best=best,
        coin=coin,
        stagnant=int(plane.stagnant[0]),
        moves=moves,
        plane=after,
    )


def _decide(plane: Hyperplane, lowest: float, coin: float) -> bool:
    """Whether to move to a hyperplane of this score; counts the moves that changed nothing."""
    if lowest < plane.score[0]:
        plane.stagnant[0] = 0
        return True
    if lowest == plane.score[0] and lowest < np.inf:
        plane.stagnant[0] += 1
        return coin < math.exp(-(plane.stagnant[0] - 1))
    return False


def _moving(projection: NodeProjection, coefficient: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows that a coefficient moves, int32, and how fast, float64."""
    if coefficient == len(projection.scales):
        return projection.rows, np.full(len(projection.rows), -1.0)
    values = projection.values[coefficient]
    slopes = (values - projection.centres[coefficient]) * projection.scales[coefficient]
    moving = slopes != 0
    return projection.order[coefficient][moving], slopes[moving]


@kernel
def score_gaps(rows, slopes, order, gaps, plane, projection, scores):
    """Write the score of the sides once the rows up to each of ``gaps`` have crossed.

    Parameters
    ----------
    rows, slopes : int32 and float64 arrays, shape (m,)
        As of ``best_step`` in :mod:`treecore.learners.greedy.finders.perturbation`.
    order : int64 array, shape (m,)
        Places in ``rows``, by crossing.
    gaps : int64 array, shape (n_gaps,)
        Places in ``order``, ascending.
    scores : OUT float64 array, shape (n_gaps,)
        Left as it is where a side has too few rows.
    """
    criterion, tally, n = projection.criterion, projection.tally, projection.rows.shape[0]
    on_right, n_right = plane.on_right.copy(), plane.n_right[0]
    for i in range(rows.shape[0]):  # first comes the step of minus infinity
        sign = np.int64(slopes[i] < 0) - np.int64(plane.heights[rows[i]] > 0)
        count(criterion, on_right, rows[i], sign)
        n_right += sign
    totals = start_totals(criterion, tally, on_right)
    k = 0
    for i in range(order.shape[0]):
        position = order[i]
        sign = 1 if slopes[position] > 0 else -1
        totals = move(criterion, tally, on_right, rows[position], sign, totals)
        n_right += sign
        if k < gaps.shape[0] and gaps[k] == i:
            if min(n_right, n - n_right) >= projection.min_samples_leaf:
                scores[k] = score(criterion, tally, on_right, totals)
            k += 1


def impurity_of(scores, projection: NodeProjection):
    """What scores of a criterion mean as impurities, see :class:`Move`; infinite ones stay so.

    Parameters
    ----------
    scores : float, or float64 array
        Of :func:`treecore.learners.greedy.criteria.score`.
    projection : NodeProjection
    """
    if isinstance(projection.criterion, ClassCriterion):
        return scores / len(projection.rows)
    n_units = int(projection.tally[-1])
    node_error = squared_error(*projection.criterion, projection.rows, projection.tally) * n_units
    return (
        1.0 + scores / node_error if node_error > 0 else np.where(np.isfinite(scores), 0.0, scores)
    )
