"""The nearest point that a tree or a forest puts where it is wanted.

The rows of a leaf are a polyhedron, so its nearest point solves a small quadratic (l2) or linear
(l1) programme (Carreira-Perpiñán and Hada, *Counterfactual explanations for oblique decision trees:
exact, efficient algorithms*, AAAI 2021, section 3). Regions are tried in the order of a bound: the
distance to their box and to the furthest of their half-spaces. A forest has too many regions to try
all, so only those of background rows are (*Very fast, approximate counterfactual explanations for
decision forests*, AAAI 2023), and of points on the way to them: no point there is nearer, but one
elsewhere may be. A missing value stays missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from treecore.core.routing import apply, as_rows
from treecore.core.tree import Tree
from treecore.ensembles.forest import Forest
from treecore.inspection.nearest import Problem
from treecore.inspection.regions import Regions

NORMS = ("l2", "l1")

_NEAR_ROWS, _STEPS = 100, 32
"""Points on the way to the nearest background rows whose regions are searched too. Without them the
changes of 40 wines were 1.8 times as long."""


@dataclass(frozen=True, eq=False)
class Counterfactual:
    """The nearest point that reaches a wanted region.

    x: float64 (n_features,), NaN where a value is missing; leaves: int (n_trees,), one of each
    tree; changed: features that differ, those that moved furthest first.
    """

    x: np.ndarray
    distance: float
    leaves: np.ndarray
    changed: np.ndarray


def counterfactual(
    model: Tree | Forest,
    x: Any,
    wanted: int | tuple[float, float] | np.ndarray,
    background: Any = None,
    *,
    norm: str = "l2",
    scale: Any = None,
    bounds: tuple[Any, Any] | None = None,
    fixed: Sequence[int] = (),
    integer: Sequence[int] = (),
    groups: Sequence[Sequence[int]] = (),
) -> Counterfactual:
    """Return the nearest point to a row that a model puts where it is wanted.

    It is inside its region by what float32 rounding asks for. x: (n_features,); wanted: a class, a
    range of numbers or, of a tree, bool (n_leaves,); background: (n_rows, n_features), rows by
    which the regions of a forest are searched; scale: (n_features,); bounds: a pair that broadcasts
    to it; groups: features of zeros and ones of which one is 1, as categories are. Raises
    ValueError for arguments that make no sense and where there is no such point; TypeError for
    other models.
    """
    if not isinstance(model, Tree | Forest):
        raise TypeError(f"the nearest point needs a Tree or a Forest, not a {type(model).__name__}")
    p = model.n_features
    row = as_rows(np.asarray(x, dtype=np.float64)[None], p, missing=True)
    start, gone = row[0].copy(), np.isnan(row[0])
    trees = (model,) if isinstance(model, Tree) else model.trees
    start[gone] = trees[0].missing[gone]
    problem = _problem(p, start, norm, scale, bounds, fixed, integer, gone, groups)
    leaves = _wanted_leaves(model, wanted, problem, row, background)
    here = np.array([apply(tree, row)[0] for tree in trees])
    inside = (problem.low <= 0).all() and (problem.high >= 0).all()
    integral = (start[problem.integer] % 1 == 0).all()
    if (leaves == here).all(axis=1).any() and inside and integral:
        return Counterfactual(row[0], 0.0, here, np.empty(0, dtype=np.int64))

    regions = Regions(trees, leaves, problem)
    point, distance = None, np.inf
    for region in np.argsort(regions.bound, kind="stable").tolist():
        if regions.bound[region] >= distance:
            break
        u = regions.nearest(region, distance)
        if u is not None:
            point, distance, reached = problem.point(u), float(problem.length(u)), region
    if point is None:
        if isinstance(model, Forest):
            raise ValueError(
                "no point within the bounds, with these features fixed, missing or whole, has the "
                "wanted prediction in the regions searched"
            )
        raise ValueError(
            "no point within the bounds, with these features fixed, missing or whole, has the "
            "wanted prediction"
        )
    moved = np.where(np.isnan(point), 0.0, np.abs(point - start) / problem.scale)
    changed = np.argsort(-moved, kind="stable")[: np.count_nonzero(moved)]
    return Counterfactual(point, distance, leaves[reached], changed)


def units_and_range(X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Deviation (1 if none), smallest and largest value of each feature, float64 (n_features,)."""
    known = np.where(np.isnan(X).all(axis=0), 0.0, X)
    spread = np.nanstd(known, axis=0)
    low, high = np.nanmin(known, axis=0), np.nanmax(known, axis=0)
    return np.where(spread > 0, spread, 1.0), low, high


def _problem(p, start, norm, scale, bounds, fixed, integer, gone, groups) -> Problem:
    if norm not in NORMS:
        raise ValueError(f"norm={norm!r} must be one of {', '.join(NORMS)}")
    units = np.ones(p) if scale is None else np.asarray(scale, dtype=np.float64)
    if units.shape != (p,) or not (np.isfinite(units) & (units > 0)).all():
        raise ValueError(f"scale must hold a positive number for each of the {p} features")
    low, high = (np.full(p, side) for side in (-np.inf, np.inf))
    if bounds is not None:
        low, high = (np.array(np.broadcast_to(side, (p,)), dtype=np.float64) for side in bounds)
        if not (low <= high).all():
            raise ValueError("a feature has a lower bound above its upper one, or one is NaN")
    groups = tuple(np.array(group, dtype=np.int64) for group in groups)
    integer = [*integer, *(j for group in groups for j in group)]
    for name, features in (("fixed", fixed), ("integer", integer)):
        if any(not 0 <= j < p for j in features):
            raise ValueError(f"{name} must hold numbers of features, from 0 to {p - 1}")
    held = np.isin(np.arange(p), fixed) | gone
    low[held] = high[held] = start[held]
    moved = np.flatnonzero(np.isin(np.arange(p), integer) & ~held)
    with np.errstate(invalid="ignore"):
        low, high = (low - start) / units, (high - start) / units
    return Problem(low, high, moved, start, units, norm, gone, groups)


def _wanted_leaves(model: Tree | Forest, wanted, problem: Problem, row, background) -> np.ndarray:
    """The leaves of the regions that are wanted, int (n_regions, n_trees)."""
    if isinstance(model, Forest):
        if background is None:
            raise ValueError("a forest needs background rows, whose regions are searched")
        rows = as_rows(np.asarray(background), model.n_features, missing=True)
        rows = np.concatenate([row, rows])
        rows = rows[_are_wanted(model, wanted, model.scores(rows))]
        between = _on_the_way(rows, problem)
        between = between[_are_wanted(model, wanted, model.scores(between))]
        leaves = np.unique(model.apply(np.concatenate([rows, between])), axis=0)
    elif isinstance(wanted, np.ndarray) and wanted.dtype == bool:
        if wanted.shape != (model.n_leaves,):
            raise ValueError(
                f"wanted must have one truth value for each of {model.n_leaves} leaves"
            )
        leaves = np.flatnonzero(wanted)[:, None]
    elif model.linear is not None:
        raise ValueError(
            "a linear leaf has no single prediction to search for: train with leaf='constant', "
            "or say which leaves are wanted"
        )
    else:
        leaves = np.flatnonzero(_are_wanted(model, wanted, model.values))[:, None]
    if len(leaves):
        return leaves
    if isinstance(model, Forest):
        raise ValueError("no background row has the wanted prediction")
    raise ValueError("no leaf of the tree has the wanted prediction")


def _are_wanted(model: Tree | Forest, wanted, said: np.ndarray) -> np.ndarray:
    """Which answers of a model, (n, n_outputs), are wanted."""
    if isinstance(wanted, tuple):
        if model.n_outputs != 1 or len(wanted) != 2:
            raise ValueError("wanted must be two numbers, for a model that predicts one")
        return (said[:, 0] >= wanted[0]) & (said[:, 0] <= wanted[1])
    if not 0 <= wanted < model.n_outputs:
        raise ValueError(f"wanted={wanted!r} is not a class: they are 0 to {model.n_outputs - 1}")
    return said.argmax(axis=1) == wanted


def _on_the_way(rows: np.ndarray, problem: Problem) -> np.ndarray:
    """Points from the row to the nearest of others, as far as the limits let it move."""
    u = np.nan_to_num((rows - problem.start) / problem.scale)
    u = np.clip(u, problem.low, problem.high)
    u = u[np.argsort(problem.length(u), kind="stable")[:_NEAR_ROWS]]
    parts = np.arange(1, _STEPS + 1)[:, None, None] / _STEPS
    points = problem.start + (parts * u * problem.scale).reshape(-1, u.shape[1])
    return np.where(problem.gone, np.nan, points)
