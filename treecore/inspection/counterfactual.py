"""The nearest point that a tree sends to a wanted leaf, exact for hard oblique splits.

The rows of a leaf are a polyhedron, so its nearest point solves a small quadratic (l2) or linear
(l1) programme (Carreira-Perpiñán and Hada, *Counterfactual explanations for oblique decision trees:
exact, efficient algorithms*, AAAI 2021, section 3); the first is non-negative least squares (Lawson
and Hanson 1974, chapter 23, LDP). Leaves are tried in the order of a bound: the distance to the
furthest of their half-spaces. Whole numbers are branched upon (Land and Doig 1960). A missing value
stays so or is set, beginning at the mean: for each leaf both are tried, all or none.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linprog, nnls

from treecore.core.routing import apply, as_rows, leaf_labels
from treecore.core.tree import OBLIQUE, Tree, parents, split_weights

NORMS = ("l2", "l1")


@dataclass(frozen=True, eq=False)
class Counterfactual:
    """The nearest point that reaches a wanted leaf.

    x: float64 (n_features,), NaN where a value stays missing; changed: features that differ, those
    that moved furthest first; n_solved: leaves for which a programme was solved.
    """

    x: np.ndarray
    distance: float
    leaf: int
    changed: np.ndarray
    n_solved: int


@dataclass(frozen=True, eq=False)
class _Problem:
    """What all leaves share: in coordinates ``u = (x' - x) / scale`` of the features that move."""

    low: np.ndarray
    high: np.ndarray
    integer: np.ndarray
    start: np.ndarray
    scale: np.ndarray
    norm: str
    gone: np.ndarray
    fixed: np.ndarray
    groups: tuple[np.ndarray, ...]

    def with_missing(self, stay: np.ndarray) -> _Problem:
        """The same where some features, bool (n_features,), do not move as they stay missing."""
        low, high = np.where(stay, 0.0, self.low), np.where(stay, 0.0, self.high)
        integer = self.integer[~stay[self.integer]]
        return dataclasses.replace(self, low=low, high=high, integer=integer, gone=stay)


def counterfactual(
    tree: Tree,
    x: Any,
    wanted: int | tuple[float, float] | np.ndarray,
    *,
    norm: str = "l2",
    scale: Any = None,
    bounds: tuple[Any, Any] | None = None,
    fixed: Sequence[int] = (),
    integer: Sequence[int] = (),
    groups: Sequence[Sequence[int]] = (),
) -> Counterfactual:
    """Return the nearest point to a row that a tree puts where it is wanted.

    It is inside its leaf by what float32 rounding asks for. x: (n_features,); wanted: a class, a
    range of numbers or bool (n_leaves,); scale: (n_features,); bounds: a pair that broadcasts to
    it; groups: features of zeros and ones of which one is 1, as categories are. Raises ValueError
    for arguments that make no sense and where there is no such point; TypeError for other models.
    """
    if not isinstance(tree, Tree):
        raise TypeError(f"the nearest point needs a single Tree, not a {type(tree).__name__}")
    p = tree.n_features
    row = as_rows(np.asarray(x, dtype=np.float64)[None], p, missing=True)
    start, gone = row[0].copy(), np.isnan(row[0])
    start[gone] = tree.missing[gone]
    problem = _problem(p, start, norm, scale, bounds, fixed, integer, gone, groups)
    leaves = _wanted_leaves(tree, wanted)
    if not leaves.any():
        if isinstance(wanted, tuple):
            low, high = wanted
            raise ValueError(f"no leaf of the tree predicts a number from {low:g} to {high:g}")
        raise ValueError(f"no leaf of the tree predicts {wanted!r}")
    here = int(apply(tree, row)[0])
    as_it_is = problem.with_missing(gone)
    inside = (as_it_is.low <= 0).all() and (as_it_is.high >= 0).all()
    if leaves[here] and inside and (start[as_it_is.integer] % 1 == 0).all():
        return Counterfactual(row[0], 0.0, here, np.empty(0, dtype=np.int64), 0)

    paths = _Paths(tree, problem)
    bound = paths.bounds()
    best: tuple[float, np.ndarray, _Problem, int] | None = None
    n_solved = 0
    for leaf in np.flatnonzero(leaves)[np.argsort(bound[leaves], kind="stable")]:
        limit = best[0] if best is not None else np.inf
        if bound[leaf] >= limit:
            break
        n_solved += 1
        for stay in paths.may_stay(int(leaf)):
            limit = best[0] if best is not None else np.inf
            found = _nearest_inside(tree, paths, int(leaf), problem.with_missing(stay), limit)
            if found is not None:
                best = (*found, int(leaf))
    if best is None:
        raise ValueError(
            "no point within the bounds, with these features fixed or whole, has the wanted "
            "prediction"
        )
    distance, u, solved, leaf = best
    point = _point(solved, u)
    moved = np.where(np.isnan(point), 0.0, np.abs(point - start) / problem.scale)
    differs = (moved > 0) | (gone & ~np.isnan(point))
    changed = np.argsort(-moved, kind="stable")
    return Counterfactual(point, distance, leaf, changed[differs[changed]], n_solved)


def units_and_range(X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Deviation (1 if none), smallest and largest value of each feature, float64 (n_features,)."""
    known = np.where(np.isnan(X).all(axis=0), 0.0, X)
    spread = np.nanstd(known, axis=0)
    low, high = np.nanmin(known, axis=0), np.nanmax(known, axis=0)
    return np.where(spread > 0, spread, 1.0), low, high


def _problem(p, start, norm, scale, bounds, fixed, integer, gone, groups) -> _Problem:
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
    held = np.array(sorted(set(fixed)), dtype=np.int64)
    low[held] = high[held] = start[held]
    moved = np.array(sorted(set(integer) - set(fixed)), dtype=np.int64)
    with np.errstate(invalid="ignore"):
        low, high = (low - start) / units, (high - start) / units
    is_held = np.isin(np.arange(p), held)
    return _Problem(low, high, moved, start, units, norm, gone, is_held, groups)


def _wanted_leaves(tree: Tree, wanted) -> np.ndarray:
    if isinstance(wanted, np.ndarray) and wanted.dtype == bool:
        if wanted.shape != (tree.n_leaves,):
            raise ValueError(f"wanted must have one truth value for each of {tree.n_leaves} leaves")
        return wanted
    if tree.linear is not None:
        raise ValueError(
            "a linear leaf has no single prediction to search for: train with leaf='constant', "
            "or say which leaves are wanted"
        )
    if isinstance(wanted, tuple):
        if tree.n_outputs != 1 or len(wanted) != 2:
            raise ValueError("wanted must be a pair of numbers for a tree that predicts one number")
        return (tree.values[:, 0] >= wanted[0]) & (tree.values[:, 0] <= wanted[1])
    if not 0 <= wanted < tree.n_outputs:
        raise ValueError(f"wanted={wanted!r} is not a class: they are 0 to {tree.n_outputs - 1}")
    return leaf_labels(tree) == wanted


class _Paths:
    """The half-spaces of the leaves, ``normal . u >= offset`` with normals of unit size."""

    def __init__(self, tree: Tree, problem: _Problem):
        self._of_split, self._of_leaf = parents(tree)
        self._right = tree.right
        self._tree = tree
        self._gone, self._fixed = problem.gone, problem.fixed
        # Cuts on what is missing: they may be nothing to go to, and cost nothing at least.
        self._open = problem.gone[tree.feature] & (tree.feature != OBLIQUE)
        normals = split_weights(tree)
        threshold = tree.threshold.astype(np.float64)
        terms = normals * problem.start
        self._score = terms.sum(axis=1) - threshold
        # What float32 may get wrong in a score, here and some way from here.
        n_terms = np.count_nonzero(normals, axis=1)
        size = np.abs(terms).sum(axis=1) + np.abs(threshold)
        # 2^-24 is the greatest relative error of one float32 operation.
        self.slack = 4 * (n_terms + 2) * 2.0**-24 * size + 1e-30
        self._normal = normals * problem.scale
        # Fixed features do not move: a half-space is as far away as the others let it be.
        free = problem.low < problem.high
        self.free = np.flatnonzero(free)
        moving = np.where(free, self._normal, 0.0)
        if problem.norm == "l2":
            self.size = np.linalg.norm(moving, axis=1)
        else:
            self.size = np.abs(moving).max(axis=1, initial=0.0)

    def bounds(self) -> np.ndarray:
        """For each leaf the distance to its furthest half-space, float64 (n_leaves,)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            to_left = np.where(self._score > 0, self._score / self.size, 0.0)
            to_right = np.where(self._score < 0, -self._score / self.size, 0.0)
        to_left[self._open] = to_right[self._open] = 0.0
        tree = self._tree
        of_split = np.zeros(tree.n_splits)
        bound = np.zeros(tree.n_leaves)
        for split in range(tree.n_splits):  # parents come first
            for child, further in (
                (tree.left[split], to_left[split]),
                (tree.right[split], to_right[split]),
            ):
                far = max(of_split[split], further)
                if child >= 0:
                    of_split[child] = far
                else:
                    bound[~child] = far
        return bound

    def may_stay(self, leaf: int) -> list[np.ndarray]:
        """Which features may stay missing on the way to a leaf, bool (n_features,): most, least."""
        splits, signs = self._above(leaf)
        most = self._gone.copy()
        for split, sign in zip(splits[self._open[splits]], signs[self._open[splits]], strict=True):
            if self._tree.missing_left[split] != (sign < 0):
                most[self._tree.feature[split]] = False
        fewest = self._gone & self._fixed
        if (fewest & ~most).any():
            return []
        return [most] if np.array_equal(most, fewest) else [most, fewest]

    def half_spaces(
        self, leaf: int, inside: float, stay: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Normals (n, p), offsets (n,) of splits above a leaf; not of those that stay missing."""
        at, sign = self._above(leaf)
        asks = ~(self._open[at] & stay[self._tree.feature[at]])
        at, sign = at[asks], sign[asks]
        return sign[:, None] * self._normal[at], -sign * self._score[at] + inside * self.slack[at]

    def _above(self, leaf: int) -> tuple[np.ndarray, np.ndarray]:
        """The splits above a leaf, and 1 where its way goes right, else -1."""
        splits, signs = [], []
        child, split = ~leaf, self._of_leaf[leaf]
        while split >= 0:
            splits.append(split)
            signs.append(1.0 if self._right[split] == child else -1.0)
            child, split = split, self._of_split[split]
        return np.array(splits, dtype=np.int64), np.array(signs)


def _nearest_inside(
    tree: Tree, paths: _Paths, leaf: int, problem: _Problem, limit: float
) -> tuple[float, np.ndarray, _Problem] | None:
    """The nearest point that the tree itself puts into the leaf; None where none is near enough."""
    inside = 1.0
    # Where float32 rounding puts the point beside its leaf, it is sought further inside.
    for _ in range(8):
        normals, offsets = paths.half_spaces(leaf, inside, problem.gone)
        u = _branch(normals, offsets, problem, limit)
        if u is None:
            return None
        distance = _length(u, problem.norm)
        if distance >= limit:
            return None
        if apply(tree, _point(problem, u)[None])[0] == leaf:
            return distance, u, problem
        inside *= 8.0
    return None


def _point(problem: _Problem, u: np.ndarray) -> np.ndarray:
    """The row of a solution; what did not move has not a digit changed, whole numbers are whole."""
    point = np.where(u == 0, problem.start, problem.start + u * problem.scale)
    point[problem.integer] = np.round(point[problem.integer])
    point[problem.gone] = np.nan
    return point


def _length(u: np.ndarray, norm: str) -> float:
    return float(np.linalg.norm(u) if norm == "l2" else np.abs(u).sum())


def _branch(
    normals: np.ndarray, offsets: np.ndarray, problem: _Problem, limit: float
) -> np.ndarray | None:
    """The shortest u in the half-spaces and bounds whose features are whole that must be."""
    solve = _nearest_l2 if problem.norm == "l2" else _nearest_l1
    best, shortest = None, limit
    pending = [(problem.low, problem.high)]
    # At most so many programmes for a leaf.
    for _ in range(2000):
        if not pending:
            break
        low, high = pending.pop()
        u = solve(normals, offsets, low, high)
        if u is None or _length(u, problem.norm) >= shortest:
            continue
        if (group := _torn_group(u, problem)) is not None:
            pending += _each_of(group, low, high, problem)
            continue
        value = problem.start[problem.integer] + u[problem.integer] * problem.scale[problem.integer]
        off = np.abs(value - np.round(value))
        if not off.size or off.max() <= 1e-7 * max(1.0, np.abs(value).max()):
            best, shortest = u, _length(u, problem.norm)
            continue
        j = problem.integer[off.argmax()]
        value = value[off.argmax()]
        below, above = high.copy(), low.copy()
        below[j] = (np.floor(value) - problem.start[j]) / problem.scale[j]
        above[j] = (np.ceil(value) - problem.start[j]) / problem.scale[j]
        sides = [(low, below), (above, high)]
        # The nearer side is tried first: what it finds ends the other one early.
        pending += sides if value - np.floor(value) > 0.5 else sides[::-1]
    return best


def _torn_group(u: np.ndarray, problem: _Problem) -> np.ndarray | None:
    """A group that has moved, and not to a single 1."""
    for group in problem.groups:
        if u[group].any():
            value = problem.start[group] + u[group] * problem.scale[group]
            if np.abs(np.sort(value) - np.eye(len(group))[-1]).max() > 1e-7:
                return group
    return None


def _each_of(
    group: np.ndarray, low: np.ndarray, high: np.ndarray, problem: _Problem
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Bounds that set a group to one of its features, or leave it as it is; the nearest last."""
    ways = (np.vstack([np.eye(len(group)), problem.start[group]]) - problem.start[group]) / (
        problem.scale[group]
    )
    within = ((ways >= low[group] - 1e-9) & (ways <= high[group] + 1e-9)).all(axis=1)
    ways = ways[within][np.argsort(-np.abs(ways[within]).sum(axis=1), kind="stable")]
    bounds = []
    for way in ways:
        at_least, at_most = low.copy(), high.copy()
        at_least[group] = at_most[group] = way
        bounds.append((at_least, at_most))
    return bounds


def _nearest_l2(
    normals: np.ndarray, offsets: np.ndarray, low: np.ndarray, high: np.ndarray
) -> np.ndarray | None:
    """The shortest u with ``normals @ u >= offsets`` and ``low <= u <= high``, or None."""
    if (low > high).any():
        return None
    held = low == high
    at = np.where(held, low, 0.0)
    free = np.flatnonzero(~held)
    rest = offsets - normals[:, held] @ at[held]
    G = normals[:, free]
    lower, upper = low[free], high[free]
    bound_rows: list[tuple[int, float]] = [(k, 1.0) for k in _places(lower > 0)]
    bound_rows += [(k, -1.0) for k in _places(upper < 0)]
    for _ in range(2 * len(free) + 1):
        sides = np.zeros((len(bound_rows), len(free)))
        edges = np.empty(len(bound_rows))
        for i, (k, sign) in enumerate(bound_rows):
            sides[i, k], edges[i] = sign, lower[k] if sign > 0 else -upper[k]
        u = _shortest(np.concatenate([G, sides]), np.concatenate([rest, edges]))
        if u is None:
            return None
        tolerance = 1e-12 * (1.0 + np.abs(u).max(initial=0.0))
        broken = [(k, 1.0) for k in _places(u < lower - tolerance)]
        broken += [(k, -1.0) for k in _places(u > upper + tolerance)]
        fresh = [side for side in broken if side not in bound_rows]
        if not fresh:
            at[free] = np.clip(u, lower, upper)
            return at
        bound_rows += fresh
    return None


def _places(mask: np.ndarray) -> list[int]:
    return np.flatnonzero(mask).tolist()


def _shortest(G: np.ndarray, h: np.ndarray) -> np.ndarray | None:
    """The shortest u with ``G u >= h`` (LDP); None where there is none."""
    n = G.shape[1]
    size = np.linalg.norm(G, axis=1)
    nothing = size == 0
    if (h[nothing] > 0).any():
        return None
    G, h = G[~nothing] / size[~nothing, None], h[~nothing] / size[~nothing]
    furthest = h.max(initial=0.0)
    if furthest <= 0:
        return np.zeros(n)
    h = h / furthest
    y, residual = nnls(np.concatenate([G.T, h[None]]), np.append(np.zeros(n), 1.0))
    r = np.append(G.T @ y, h @ y - 1.0)
    if residual < 1e-7 or r[-1] > -1e-12:
        return None
    u = -r[:n] / r[-1]
    active = np.flatnonzero(y > 0)
    # The same point from its active half-spaces alone, without what least squares has rounded.
    sharp = np.linalg.lstsq(G[active], h[active], rcond=None)[0]
    if (G @ sharp >= h - 1e-9).all() and np.linalg.norm(sharp - u) <= 1e-4 * np.linalg.norm(u):
        u = sharp
    elif (G @ u < h - 1e-6).any():
        return None
    return u * furthest


def _nearest_l1(
    normals: np.ndarray, offsets: np.ndarray, low: np.ndarray, high: np.ndarray
) -> np.ndarray | None:
    """The u of least sum of sizes in the half-spaces and bounds, by a linear programme."""
    if (low > high).any():
        return None
    p = len(low)
    size = np.abs(normals).max(axis=1, initial=0.0)
    size = np.where(size > 0, size, 1.0)
    G, h = normals / size[:, None], offsets / size
    up = np.stack([np.maximum(low, 0.0), np.maximum(high, 0.0)], axis=1)
    down = np.stack([np.maximum(-high, 0.0), np.maximum(-low, 0.0)], axis=1)
    found = linprog(
        np.ones(2 * p),
        A_ub=np.concatenate([-G, G], axis=1),
        b_ub=-h,
        bounds=np.concatenate([up, down]),
        method="highs",
    )
    if not found.success:
        return None
    return found.x[:p] - found.x[p:]
