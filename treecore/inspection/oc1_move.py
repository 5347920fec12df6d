"""One move of OC1: the impurity of a node at every value of one coefficient.

Where rows cross the hyperplane (the U_j of Murthy et al. 1994, eq. 1) and the impurity between
every two neighbouring crossings, from the trace of ``perturb``.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np

from treecore.core.impurity import Criterion
from treecore.core.tree import Tree, split_weights
from treecore.learners.greedy.class_criterion import ClassCriterion
from treecore.learners.greedy.finders.oblique import NodeSpace, feature_scales
from treecore.learners.greedy.finders.perturbation import (
    Hyperplane,
    LineTrace,
    NodeProjection,
    count_sides,
    find_sides,
    perturb,
    write_slopes,
)
from treecore.learners.greedy.targets import make_criterion
from treecore.learners.greedy.variance_criterion import squared_error
from treecore.losses.log import LOG
from treecore.losses.squared import SQUARED
from treecore.rows.training_rows import TrainingRows


@dataclass(frozen=True)
class Move:
    """What one coefficient can do for a node.

    Impurities are means over its rows; of numbers, shares of the squared error about its mean.

    - coefficient: a feature, or n_features for the offset; present: its value now.
    - rows, crossings: (m,), in ascending order of the values at which they cross the hyperplane.
    - values, starts, impurities: (n_values,), candidates, half-way between crossings; the last
      crossing before each; infinite where a side has too few rows. best: of least impurity.
    - coin, stagnant: an equally good candidate is moved to if ``coin < exp(-stagnant)``.
    - plane: after the move.
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
    """The rows of one node as OC1 sees them; X, y: all rows, by which features are scaled."""
    training_rows = TrainingRows(X, y, np.ones(len(y)), n_classes, LOG if y.ndim == 1 else SQUARED)
    targets = make_criterion(training_rows, criterion)
    rows = np.sort(rows).astype(np.int32)
    tally = targets.tally(rows)
    return NodeProjection(
        rows=rows,
        columns=np.ascontiguousarray(X.T),
        centres=np.sort(X[rows], axis=0)[len(rows) // 2].astype(np.float64),
        scales=feature_scales(training_rows),
        criterion=targets,
        tally=tally,
        min_samples_leaf=min_samples_leaf,
        space=NodeSpace.of(len(rows), len(tally)),
    )


def plane_at(projection: NodeProjection, weights: np.ndarray) -> Hyperplane:
    """The hyperplane of coefficients (n_features + 1,), offset last, and its sides."""
    plane = Hyperplane(
        weights=weights.astype(np.float64),
        heights=np.zeros(len(projection.rows)),
        on_right=np.zeros_like(projection.tally),
        n_right=np.zeros(1, dtype=np.int64),
        score=np.array([np.inf]),
        stagnant=np.zeros(1, dtype=np.int64),
    )
    write_slopes(plane.weights, projection, plane.heights)
    find_sides(plane, projection)
    none = np.empty(0, dtype=np.int32), np.empty(0)
    plane.score[0] = count_sides(*none, 0.0, plane, projection, np.empty_like(plane.on_right))
    return plane


def split_coefficients(tree: Tree, split: int, projection: NodeProjection) -> np.ndarray:
    """Coefficients (n_features + 1,) of a split for scaled features, offset last; largest ±1."""
    (raw,) = split_weights(tree, [split])
    # w.x - b = (w / scale).z - (b - w.centre); a constant feature has no scale and no part in z.
    weights = np.divide(raw, projection.scales, out=np.zeros_like(raw), where=projection.scales > 0)
    offset = float(tree.threshold[split]) - (raw * projection.centres).sum()
    coefficients = np.append(weights, offset)
    size = np.abs(weights).max(initial=0.0)
    return coefficients / size if size > 0 else coefficients


def raw_split(plane: Hyperplane, projection: NodeProjection) -> tuple[np.ndarray, float]:
    """Weights, float64 (n_features,), and threshold of a hyperplane, for raw rows."""
    weights = plane.weights[:-1] * projection.scales
    return weights, float(plane.weights[-1] + (weights * projection.centres).sum())


def try_coefficient(
    plane: Hyperplane, projection: NodeProjection, coefficient: int, coin: float
) -> Move:
    """What ``perturb`` decides about one coefficient; ``plane`` stays; coin: uniform in [0, 1)."""
    present, stagnant = float(plane.weights[coefficient]), int(plane.stagnant[0])
    after, trace = copy.deepcopy(plane), LineTrace.of(projection)
    tried = np.array([coefficient]), np.array([coin])
    _, n_moved, _ = perturb(*tried, np.empty(0), after, projection, 1, trace)
    n_rows, n_values = trace.counts
    steps, scores = trace.steps[:n_values], trace.scores[:n_values]
    return Move(
        coefficient=coefficient,
        present=present,
        rows=projection.rows[trace.rows[:n_rows]],
        crossings=present + trace.crossings[:n_rows].astype(np.float64),
        values=present + steps,
        starts=present + trace.starts[:n_values].astype(np.float64),
        impurities=impurity_of(scores, projection),
        impurity_before=float(impurity_of(plane.score[0], projection)),
        impurity_best=float(impurity_of(trace.lowest[0], projection)),
        best=present + steps[scores.argmin()] if np.isfinite(scores).any() else None,
        coin=coin,
        stagnant=stagnant,
        moves=n_moved > 0,
        plane=after,
    )


def impurity_of(scores, projection: NodeProjection):
    """What scores of a criterion mean as impurities, see :class:`Move`; infinite ones stay so."""
    if isinstance(projection.criterion, ClassCriterion):
        return scores / len(projection.rows)
    mean_error = squared_error(projection.criterion, projection.rows, projection.tally)
    node_error = mean_error * projection.tally[-1]
    return (
        1.0 + scores / node_error if node_error > 0 else np.where(np.isfinite(scores), 0.0, scores)
    )
