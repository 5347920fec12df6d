"""The trees of a forest end to end: a block of rows goes through one tree after the other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.core.descent import descend
from treecore.core.tree import OBLIQUE, Tree


class Packed(NamedTuple):
    """Trees of any splits, as in :class:`treecore.core.tree.Tree`, numbered through.

    root: int32 (n_trees,), where each tree begins: a split, or ``~leaf``; votes: float64 (n_leaves,
    n_outputs), what each leaf adds to the sums of its rows.
    """

    feature: np.ndarray
    row: np.ndarray
    threshold: np.ndarray
    left: np.ndarray
    right: np.ndarray
    weights: np.ndarray
    missing: np.ndarray
    missing_left: np.ndarray
    root: np.ndarray
    votes: np.ndarray


def pack(trees: tuple[Tree, ...], votes: np.ndarray) -> Packed:
    """The trees end to end. votes: float64 (n_leaves, n_outputs)."""
    first_split = np.cumsum([0, *(tree.n_splits for tree in trees)])
    first_leaf = np.cumsum([0, *(tree.n_leaves for tree in trees)])
    first_row = np.cumsum([0, *(len(tree.weights) for tree in trees)])

    def joined(arrays, dtype) -> np.ndarray:
        return np.concatenate([np.asarray(array, dtype=dtype) for array in arrays])

    sides = [
        joined(
            (
                np.where(child >= 0, child + first_split[t], child - first_leaf[t])
                for t, child in enumerate(getattr(tree, side) for tree in trees)
            ),
            np.int32,
        )
        for side in ("left", "right")
    ]
    root = np.array(
        [first_split[t] if tree.n_splits else ~first_leaf[t] for t, tree in enumerate(trees)],
        dtype=np.int32,
    )
    rows = (
        np.where(tree.feature == OBLIQUE, tree.row + first_row[t], -1)
        for t, tree in enumerate(trees)
    )
    return Packed(
        feature=joined((tree.feature for tree in trees), np.int32),
        row=joined(rows, np.int32),
        threshold=joined((tree.threshold for tree in trees), np.float32),
        left=sides[0],
        right=sides[1],
        weights=joined((tree.weights for tree in trees), np.float32),
        missing=trees[0].missing,
        missing_left=joined((tree.missing_left for tree in trees), np.bool_),
        root=root,
        votes=votes,
    )


@kernel
def add_votes(packed, first, stop, X, sums, leaf, space):
    """Add votes of the trees first..stop-1 to sums (n_rows, n_outputs), in their order."""
    ways = packed.left, packed.right, packed.missing, packed.missing_left
    splits = packed.feature, packed.threshold, packed.row, packed.weights, *ways
    root, votes = packed.root, packed.votes
    for t in range(first, stop):
        descend(splits, root[t], X, True, leaf, space)
        for i in range(sums.shape[0]):
            for k in range(sums.shape[1]):
                sums[i, k] += votes[leaf[i], k]
