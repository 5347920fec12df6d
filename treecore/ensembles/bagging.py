"""Bagging: every tree learns from a bootstrap of the rows, and is judged by those out of bag.

Breiman 1996. Rows are drawn with replacement, by their weights; one that is drawn twice weighs two.
What is drawn depends on the forest's seed and the tree's number alone.
"""

from __future__ import annotations

import numpy as np

from treecore.core.tree import OBLIQUE, Tree
from treecore.ensembles.forest import leaf_votes
from treecore.rows.column_sums import row_parts


def generator_of(seed: int, number: int) -> np.random.Generator:
    """The random generator of one tree: all that is random about it comes from there."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))


_DRAWN_TOGETHER = 1 << 16
"""Rows that are drawn at once: between drawing and counting, each takes many times its weight."""


def draw_rows(
    weight: np.ndarray, sampling: str, share: float, rng: np.random.Generator
) -> np.ndarray:
    """What every row weighs for one tree, of which a share is drawn; float64 (n_samples,)."""
    if sampling == "all":
        return weight.copy()
    if sampling == "bootstrap" and (weight == 1.0).all():
        counts, n = np.zeros(len(weight)), max(1, round(share * len(weight)))
        for first in range(0, n, _DRAWN_TOGETHER):  # each owns the numbers from its own to the next
            numbers = rng.random(min(_DRAWN_TOGETHER, n - first)) * len(weight)
            np.add.at(counts, np.minimum(numbers.astype(np.int64), len(weight) - 1), 1.0)
        return counts
    heavy = np.flatnonzero(weight).astype(np.int32)
    n = max(1, round(share * len(heavy)))
    if sampling == "subsample":
        drawn = rng.permutation(heavy)[:n]
        drawn_weight = np.zeros(len(weight))
        drawn_weight[drawn] = weight[drawn]
        return drawn_weight
    upper = np.cumsum(weight[heavy])  # row i owns the numbers from upper[i - 1] up to upper[i]
    counts = np.zeros(len(weight))
    for first in range(0, n, _DRAWN_TOGETHER):
        numbers = rng.random(min(_DRAWN_TOGETHER, n - first)) * upper[-1]
        places = np.searchsorted(upper, numbers, side="right")
        places = np.minimum(places, len(heavy) - 1)  # rounding may end on the last number itself
        np.add.at(counts, heavy[places], 1.0)
    return counts


def draw_columns(n_features: int, share: float, rng: np.random.Generator) -> np.ndarray:
    """The features that one tree may read, a share of all, at least one; int64, ascending."""
    n = max(1, round(share * n_features))
    if n == n_features:
        return np.arange(n_features)
    return np.sort(rng.permutation(n_features)[:n])


def expand_to_all_features(tree: Tree, columns: np.ndarray, n_features: int) -> Tree:
    """A tree on some columns (tree.n_features,), ascending, as one on all features."""
    weights = np.zeros((tree.weights.shape[0], n_features), dtype=np.float32)
    weights[:, columns] = tree.weights
    missing = np.zeros(n_features, dtype=np.float32)
    missing[columns] = tree.missing
    axis = tree.feature != OBLIQUE
    feature = np.where(axis, columns[np.where(axis, tree.feature, 0)], OBLIQUE)
    return tree._replace(weights=weights, missing=missing, feature=feature.astype(np.int32))


class OutOfBag:
    """Out-of-bag scores: of every row by the trees that have not seen it (Breiman 1996).

    n_trees: int64 (n_samples,), such trees; sums: float64 (n_samples, n_outputs), of their scores.
    """

    def __init__(self, n_rows: int, n_outputs: int):
        self.n_trees = np.zeros(n_rows, dtype=np.int64)
        self.sums = np.zeros((n_rows, n_outputs))

    def add(self, tree: Tree, answer: str, leaf: np.ndarray, drawn: np.ndarray) -> None:
        """Add a tree; leaf: int32 (n_samples,); drawn: what every row weighed, 0: out of bag."""
        votes = leaf_votes(tree, answer)
        for part in row_parts(*self.sums.shape):
            unseen = part.start + np.flatnonzero(drawn[part] == 0)
            self.sums[unseen] += votes[leaf[unseen]]
            self.n_trees[unseen] += 1

    def scores(self, part: slice = slice(None)) -> np.ndarray:
        """Out-of-bag scores of some rows, (n, n_outputs); NaN for rows that are in every bag."""
        sums, n_trees = self.sums[part], self.n_trees[part, None]
        nobody = np.full(sums.shape, np.nan)
        return np.divide(sums, n_trees, out=nobody, where=n_trees > 0)
