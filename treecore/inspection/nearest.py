"""The nearest point of a polyhedron: half-spaces within bounds, some features whole numbers.

A quadratic (l2) or linear (l1) programme; the first is non-negative least squares (Lawson and
Hanson 1974, chapter 23, LDP). Half-spaces are asked for as a point lies outside of them. Whole
numbers are branched upon (Land and Doig 1960).
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog, nnls

_AT_ONCE = 10
"""Half-spaces added to a programme at once: most do not matter, and few are solved sooner."""


@dataclass(frozen=True, eq=False)
class Problem:
    """What is sought, in coordinates ``u = (x' - x) / scale`` of the features that move.

    gone: bool (n_features,), which are missing and stay so.
    """

    low: np.ndarray
    high: np.ndarray
    integer: np.ndarray
    start: np.ndarray
    scale: np.ndarray
    norm: str
    gone: np.ndarray
    groups: tuple[np.ndarray, ...]

    def within(self, low: np.ndarray, high: np.ndarray) -> Problem:
        """The same within other bounds, (n_features,)."""
        return dataclasses.replace(self, low=low, high=high)

    def point(self, u: np.ndarray) -> np.ndarray:
        """The row of a solution; what has not moved is as it was, whole numbers are whole."""
        point = np.where(u == 0, self.start, self.start + u * self.scale)
        point[self.integer] = np.round(point[self.integer])
        point[self.gone] = np.nan
        return point

    def length(self, u: np.ndarray) -> np.ndarray:
        """Of solutions, (..., n_features)."""
        return np.linalg.norm(u, ord=2 if self.norm == "l2" else 1, axis=-1)

    def nearest(self, normals: np.ndarray, offsets: np.ndarray, limit: float) -> np.ndarray | None:
        """The shortest u with ``normals @ u >= offsets``, if it is shorter than a limit."""
        best, shortest = None, limit
        pending = [(self.low, self.high)]
        # At most so many programmes for a region.
        for _ in range(2000):
            if not pending:
                break
            low, high = pending.pop()
            u = self._relaxed(normals, offsets, low, high, shortest)
            if u is None:
                continue
            if (group := self._torn_group(u)) is not None:
                pending += self._each_of(group, low, high)
                continue
            value = self.start[self.integer] + u[self.integer] * self.scale[self.integer]
            off = np.abs(value - np.round(value))
            if not off.size or off.max() <= 1e-7 * max(1.0, np.abs(value).max()):
                best, shortest = u, float(self.length(u))
                continue
            j = self.integer[off.argmax()]
            value = value[off.argmax()]
            below, above = high.copy(), low.copy()
            below[j] = (np.floor(value) - self.start[j]) / self.scale[j]
            above[j] = (np.ceil(value) - self.start[j]) / self.scale[j]
            sides = [(low, below), (above, high)]
            # The nearer side is tried first: what it finds ends the other one early.
            pending += sides if value - np.floor(value) > 0.5 else sides[::-1]
        return best

    def _relaxed(self, normals, offsets, low, high, limit: float) -> np.ndarray | None:
        """The same of any numbers; half-spaces are added that u lies furthest outside of."""
        if (low > high).any():
            return None
        solve = _nearest_l2 if self.norm == "l2" else _nearest_l1
        active = np.zeros(len(offsets), dtype=bool)
        u: np.ndarray | None = np.clip(0.0, low, high)
        while u is not None and self.length(u) < limit:
            outside = np.where(active, 0.0, offsets - normals @ u)
            furthest = np.argsort(-outside)[:_AT_ONCE]
            furthest = furthest[outside[furthest] > 0]
            if not len(furthest):
                return u
            active[furthest] = True
            u = solve(normals[active], offsets[active], low, high)
        return None

    def _torn_group(self, u: np.ndarray) -> np.ndarray | None:
        """A group that has moved, and not to a single 1."""
        for group in self.groups:
            if u[group].any():
                value = self.start[group] + u[group] * self.scale[group]
                if np.abs(np.sort(value) - np.eye(len(group))[-1]).max() > 1e-7:
                    return group
        return None

    def _each_of(
        self, group: np.ndarray, low: np.ndarray, high: np.ndarray
    ) -> list[tuple[np.ndarray, np.ndarray]]:
        """Bounds that set a group to one of its features, or leave it; the nearest last."""
        ways = np.vstack([np.eye(len(group)), self.start[group]]) - self.start[group]
        ways /= self.scale[group]
        within = ((ways >= low[group] - 1e-9) & (ways <= high[group] + 1e-9)).all(axis=1)
        ways = ways[within][np.argsort(-np.abs(ways[within]).sum(axis=1), kind="stable")]
        bounds = []
        for way in ways:
            lower, upper = low.copy(), high.copy()
            lower[group] = upper[group] = way
            bounds.append((lower, upper))
        return bounds


def _nearest_l2(
    normals: np.ndarray, offsets: np.ndarray, low: np.ndarray, high: np.ndarray
) -> np.ndarray | None:
    """The shortest u with ``normals @ u >= offsets`` and ``low <= u <= high``, or None."""
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
