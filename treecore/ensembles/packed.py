"""The trees of a forest end to end, for many rows at once.

A block of rows goes through one tree after the other: a tree's splits stay in the cache as long
as it is asked. Where all splits are cuts on one feature, eight rows go down side by side, as the
processor would otherwise wait for memory at every split; a leaf leads back to itself, so that
none of the eight needs to be asked whether it has arrived before all have.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.core.kernels import kernel
from treecore.core.rows import entry, inner, row_at
from treecore.core.tree import OBLIQUE, Tree

ABREAST = 8


class Packed(NamedTuple):
    """Trees of any splits.

    Attributes
    ----------
    feature, threshold, left, right
        As in :class:`treecore.core.tree.Tree`, of all splits; children are numbered through.
    row : int32 array, shape (n_splits,)
        Row of ``weights`` of an oblique split.
    weights : float32 array, shape (n_oblique, n_features)
    root : int32 array, shape (n_trees,)
        Where each tree begins: a split, or ``~leaf``.
    votes : float64 array, shape (n_leaves, n_outputs)
        What each leaf adds to the sums of its rows.
    """

    feature: np.ndarray
    row: np.ndarray
    threshold: np.ndarray
    left: np.ndarray
    right: np.ndarray
    weights: np.ndarray
    root: np.ndarray
    votes: np.ndarray


class PackedCuts(NamedTuple):
    """Trees of axis-aligned splits; a node is a split or, after all splits, a leaf.

    Attributes
    ----------
    feature : uint32 array, shape (n_nodes,)
        0 of a leaf.
    threshold : float32 array, shape (n_nodes,)
        Infinite of a leaf, which leads to the left.
    child : uint32 array, shape (2 n_nodes,)
        Left and right of every node; a leaf itself.
    root : uint32 array, shape (n_trees,)
    votes : float64 array, shape (n_leaves, n_outputs)
    """

    feature: np.ndarray
    threshold: np.ndarray
    child: np.ndarray
    root: np.ndarray
    votes: np.ndarray


def pack(trees: tuple[Tree, ...], votes: np.ndarray, cuts: bool | None = None):
    """The trees end to end.

    Parameters
    ----------
    trees : tuple of Tree
    votes : float64 array, shape (n_leaves, n_outputs)
        What every leaf adds to the sums of its rows, the leaves of all trees in order.
    cuts : bool or None
        Whether to pack for axis-aligned splits; None: where all are.

    Returns
    -------
    PackedCuts or Packed
    """
    first_split = np.cumsum([0, *(tree.n_splits for tree in trees)])
    first_leaf = np.cumsum([0, *(tree.n_leaves for tree in trees)])
    first_row = np.cumsum([0, *(len(tree.weights) for tree in trees)])
    n_splits, n_leaves = int(first_split[-1]), int(first_leaf[-1])

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
    feature = joined((tree.feature for tree in trees), np.int32)
    threshold = joined((tree.threshold for tree in trees), np.float32)
    if cuts is None:
        cuts = not (feature == OBLIQUE).any()
    if cuts:
        child = np.empty((n_splits + n_leaves, 2), dtype=np.uint32)
        for side, references in enumerate(sides):
            child[:n_splits, side] = _as_nodes(references, n_splits)
        child[n_splits:] = np.arange(n_splits, n_splits + n_leaves)[:, None]
        return PackedCuts(
            np.concatenate([feature, np.zeros(n_leaves)]).astype(np.uint32),
            np.concatenate([threshold, np.full(n_leaves, np.inf)]).astype(np.float32),
            child.ravel(),
            _as_nodes(root, n_splits).astype(np.uint32),
            votes,
        )
    rows = (
        np.where(tree.feature == OBLIQUE, tree.row + first_row[t], -1)
        for t, tree in enumerate(trees)
    )
    weights = joined((tree.weights for tree in trees), np.float32)
    left, right = sides
    return Packed(feature, joined(rows, np.int32), threshold, left, right, weights, root, votes)


def _as_nodes(references: np.ndarray, n_splits: int) -> np.ndarray:
    return np.where(references >= 0, references, n_splits + ~references)


@kernel
def add_votes(packed, first, stop, X, sums):
    """Add the votes of some trees to the sums of every row, in the order of the trees.

    Parameters
    ----------
    packed : Packed
    first, stop : int
        Trees from ``first`` up to ``stop`` (exclusive).
    X : float32 array, shape (n_rows, n_features), or SparseRows
    sums : INOUT float64 array, shape (n_rows, n_outputs)
    """
    for t in range(first, stop):
        for i in range(sums.shape[0]):
            x = row_at(X, i)
            node = packed.root[t]
            while node >= 0:
                feature = packed.feature[node]
                if feature >= 0:
                    product = entry(x, feature)
                else:
                    product = inner(x, packed.weights[packed.row[node]])
                # The difference, not a comparison: near ties a score is what a tree says it is.
                above = product - packed.threshold[node] > 0
                node = packed.right[node] if above else packed.left[node]
            for k in range(sums.shape[1]):
                sums[i, k] += packed.votes[~node, k]


@kernel
def add_cut_votes(packed, first, stop, X, sums):
    """:func:`add_votes` for axis-aligned trees and dense rows.

    Parameters
    ----------
    packed : PackedCuts
    first, stop, sums
        See :func:`add_votes`.
    X : float32 array, shape (n_rows, n_features)
    """
    n = sums.shape[0]
    n_splits = packed.feature.shape[0] - packed.votes.shape[0]
    at = np.empty(ABREAST, dtype=np.uint32)
    for t in range(first, stop):
        start = 0
        while start < n:
            if start + ABREAST <= n:
                at[:] = packed.root[t]
                moving = True
                while moving:
                    moving = False
                    for r in range(ABREAST):
                        node = at[r]
                        x = X[start + r, packed.feature[node]]
                        above = np.uint32(x > packed.threshold[node])
                        at[r] = packed.child[np.uint32(2) * node + above]
                        moving |= at[r] != node
                n_here = ABREAST
            else:
                n_here = 1
                node, last = packed.root[t], packed.root[t] + np.uint32(1)
                while node != last:
                    last = node
                    above = np.uint32(X[start, packed.feature[node]] > packed.threshold[node])
                    node = packed.child[np.uint32(2) * node + above]
                at[0] = node
            for r in range(n_here):
                leaf = at[r] - n_splits
                for k in range(sums.shape[1]):
                    sums[start + r, k] += packed.votes[leaf, k]
            start += n_here
