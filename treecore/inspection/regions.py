"""Where a tree or a forest gives one answer: a leaf of each tree, together a polyhedron.

Its axis-aligned splits make a box, of which the tightest side of each feature counts; each oblique
split adds a half-space.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from treecore.core.routing import apply
from treecore.core.tree import OBLIQUE, Tree, parents
from treecore.ensembles.packed import pack
from treecore.inspection.nearest import Problem

_ROUNDING = 4 * 2.0**-24
"""What one float32 operation may get wrong, relatively, four times."""


class Regions:
    """Polyhedra in the coordinates of a problem: ``normal . u >= offset``, ``low <= u <= high``.

    leaves: int (n_regions, n_trees); bound: float64 (n_regions,), no point of them is nearer.
    """

    def __init__(self, trees: Sequence[Tree], leaves: np.ndarray, problem: Problem):
        self.leaves, self._trees, self._problem = leaves, trees, problem
        first = np.cumsum([0, *(tree.n_leaves for tree in trees)])
        self._numbers = leaves + first[:-1]
        parts = pack(tuple(trees), np.empty((first[-1], 1)))._asdict()
        parts.pop("root")
        self._all = Tree(values=parts.pop("votes"), **parts)  # end to end, with many roots
        self._of_split, self._of_leaf = parents(self._all)
        self._read_oblique()
        self._enclose()

    def _read_oblique(self) -> None:
        """What is known of each oblique split: its score here, its rounding, how far it is away."""
        every, problem = self._all, self._problem
        oblique = np.flatnonzero(every.feature == OBLIQUE)
        weights = every.weights[every.row[oblique]].astype(np.float64)
        threshold = every.threshold[oblique].astype(np.float64)
        score = weights @ problem.start - threshold
        # What float32 may get wrong in a score, here and some way from here.
        n_terms = np.count_nonzero(weights, axis=1)
        size = np.abs(weights) @ np.abs(problem.start) + np.abs(threshold)
        self._score, self._slack = np.zeros((2, every.n_splits))
        self._score[oblique] = score
        self._slack[oblique] = _ROUNDING * (n_terms + 2) * size + 1e-30
        # Fixed features do not move: a half-space is as far away as the others let it be.
        weights *= np.where((problem.low != 0) | (problem.high != 0), problem.scale, 0.0)
        if problem.norm == "l2":
            size = np.linalg.norm(weights, axis=1)
        else:
            size = np.abs(weights).max(axis=1, initial=0.0)
        self._away = np.zeros((2, every.n_splits))  # to the left and to the right
        with np.errstate(divide="ignore", invalid="ignore"):
            self._away[0, oblique] = np.where(score > 0, score / size, 0.0)
            self._away[1, oblique] = np.where(score < 0, -score / size, 0.0)

    def _enclose(self) -> None:
        """The boxes of all regions, and how near they may be."""
        every, problem, n = self._all, self._problem, len(self.leaves)
        start, scale, feature = problem.start, problem.scale, every.feature
        threshold = every.threshold
        is_cut = feature != OBLIQUE
        of_missing = is_cut & problem.gone[feature]
        integral = np.isin(feature, problem.integer)
        left_end = np.where(integral, np.floor(threshold), threshold.astype(np.float64))
        next_one = np.nextafter(threshold, np.float32(np.inf)).astype(np.float64)
        right_end = np.where(integral, left_end + 1, next_one)
        left_end, right_end = (
            (end - start[feature]) / scale[feature] for end in (left_end, right_end)
        )
        low, high = (np.tile(side, (n, 1)) for side in (problem.low, problem.high))
        self.bound = np.zeros(n)
        for region, split, right in self._climb(self._numbers):
            cuts, oblique = is_cut[split] & ~of_missing[split], ~is_cut[split]
            place = region * len(start) + feature[split]
            at, below = cuts & right, cuts & ~right
            np.maximum.at(low.reshape(-1), place[at], right_end[split[at]])
            np.minimum.at(high.reshape(-1), place[below], left_end[split[below]])
            other_way = of_missing[split] & (every.missing_left[split] == right)
            self.bound[region[other_way]] = np.inf
            away = self._away[right[oblique].astype(int), split[oblique]]
            np.maximum.at(self.bound, region[oblique], away)
        self._low, self._high = low, high
        gap = np.maximum(low, 0.0) + np.maximum(-high, 0.0)
        self.bound = np.maximum(self.bound, problem.length(gap))
        self.bound[(low > high).any(axis=1)] = np.inf

    def nearest(self, region: int, limit: float) -> np.ndarray | None:
        """The shortest u that the trees themselves put into a region; None if it is too far."""
        problem = self._problem
        splits, right = self._path(region)
        sign = np.where(right, 1.0, -1.0)
        weights = self._all.weights[self._all.row[splits]]
        normals = sign[:, None] * weights * problem.scale
        inside = 1.0
        # Where float32 rounding puts the point beside its region, it is sought further inside.
        for _ in range(8):
            offsets = -sign * self._score[splits] + inside * self._slack[splits]
            u = problem.within(*self._box(region, inside)).nearest(normals, offsets, limit)
            if u is None:
                return None
            point = problem.point(u)[None]
            if all(
                apply(tree, point)[0] == leaf
                for tree, leaf in zip(self._trees, self.leaves[region], strict=True)
            ):
                return u
            inside *= 8.0
        return None

    def _box(self, region: int, inside: float) -> tuple[np.ndarray, np.ndarray]:
        """The sides of a region; further inside, where rounding asks for it, by half its width."""
        problem, low, high = self._problem, self._low[region], self._high[region]
        if inside > 1:
            end = np.where(np.isfinite(low), np.abs(low), 0.0)
            end = np.maximum(end, np.where(np.isfinite(high), np.abs(high), 0.0))
            margin = 3 * inside * _ROUNDING * (2 * np.abs(problem.start) / problem.scale + end)
            margin = np.minimum(margin, np.maximum(high - low, 0.0) / 2)
            margin[problem.integer] = 0.0
            low = np.where(low > problem.low, low + margin, low)
            high = np.where(high < problem.high, high - margin, high)
        return low, high

    def _path(self, region: int) -> tuple[np.ndarray, np.ndarray]:
        """The oblique splits above a region's leaves, and whether it is to the right of them."""
        splits, sides = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=bool)]
        if len(self._all.weights):
            for _, split, right in self._climb(self._numbers[region : region + 1]):
                oblique = self._all.feature[split] == OBLIQUE
                splits.append(split[oblique])
                sides.append(right[oblique])
        return np.concatenate(splits), np.concatenate(sides)

    def _climb(self, leaves: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """From leaves to roots: rows of ``leaves``, the splits above, and whether to the right."""
        at = np.repeat(np.arange(len(leaves)), leaves.shape[1])
        child, split = ~leaves.ravel(), self._of_leaf[leaves.ravel()]
        while (on := split >= 0).any():
            at, child, split = at[on], child[on], split[on]
            yield at, split, self._all.right[split] == child
            child, split = split, self._of_split[split]
