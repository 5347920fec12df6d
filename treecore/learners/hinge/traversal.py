"""Decision paths of hinge trees, and the smallest margin on them: Algorithm 3 of the paper.

A tree or fern answers with ``w[leaf] * |r|``, where r is the smallest margin on the path (eq. 10):
it is as sure as the closest of its decisions. A path has ``depth`` decisions, and they are all that
is ever computed of a tree's 2^depth - 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.learners.hinge.layer import filter_responses, normalise, standardise

BLOCK_ROWS, BLOCK_NUMBERS = 128, 1 << 18
"""Rows, and features in all, that are computed before trees read them: they stay in the cache."""


class Trees(NamedTuple):
    """Arrays of all trees, or ferns, of a forest.

    - feature: int32 (n_trees, n_nodes), what each decision reads.
    - threshold: float32 (n_trees, n_nodes), the margin of a decision is feature - threshold; right
      where it is positive.
    - weights: float32 (n_trees, 2^depth, n_outputs), the leaves; bit by bit from the root, a leaf's
      number says right (1) or left (0).
    """

    feature: np.ndarray
    threshold: np.ndarray
    weights: np.ndarray


def n_nodes(kind: str, depth: int) -> int:
    """Decisions of one tree or fern."""
    return depth if kind == "fern" else 2**depth - 1


@kernel
def descend(Z, b, feature, threshold, m, depth):
    """Follow the decision path of one row through one tree (Algorithm 3 of Lay et al. 2018).

    There is no branch to mispredict and no index that could be negative: both together made it
    twice as fast.

    Z: float32 (n_rows, n_features), features; b, m: row of Z, and number of the tree; feature,
    threshold: int32 and float32 (n_trees, n_nodes). Returns leaf; nearest: the decision of the
    smallest margin; the first of equals; margin: that margin, with its sign.
    """
    fern = feature.shape[1] == depth and depth > 1  # trees and ferns of one decision are the same
    row, tree = np.uintp(b), np.uintp(m)
    leaf = node = nearest = np.uintp(0)
    margin = np.float32(np.inf)
    for level in range(depth):
        r = Z[row, np.uintp(feature[tree, node])] - threshold[tree, node]
        closer = abs(r) < abs(margin)
        margin = r if closer else margin
        nearest = node if closer else nearest
        right = np.uintp(r > np.float32(0.0))
        leaf = np.uintp(2) * leaf + right
        below = np.uintp(2) * node + np.uintp(1) + right
        node = np.uintp(level + 1) if fern else below
    return leaf, nearest, margin


@kernel
def descend_all(trees, depth, Z, leaf, nearest, margin):
    """Follow the decision paths of a batch of rows through every tree.

    Z: float32 (n_rows, n_features); leaf, nearest, margin: int32, int32 and float32 (n_trees,
    n_rows), written, what :func:`descend` returns.
    """
    feature, threshold = trees.feature, trees.threshold
    for m in range(feature.shape[0]):
        for b in range(Z.shape[0]):
            leaf[m, b], nearest[m, b], margin[m, b] = descend(Z, b, feature, threshold, m, depth)


@kernel
def add_leaf(out, b, weights, m, leaf, strength):
    """Add a leaf's weights, times its margin, to the outputs of a row (eq. 10).

    out: float32 (n_rows, n_outputs); b: row; weights: float32 (n_trees, n_leaves, n_outputs); m,
    leaf: tree and leaf; strength: size of the smallest margin, times what the tree counts.
    """
    row, tree, leaf = np.uintp(b), np.uintp(m), np.uintp(leaf)
    for k in range(out.shape[1]):
        out[row, np.uintp(k)] += strength * weights[tree, leaf, np.uintp(k)]


@kernel(allocates=True)
def decide_rows(layer, trees, depth, base, X, out):
    """Write the outputs of raw rows.

    A block of rows goes through one tree after the other, first all descents, then all leaves:
    nothing waits for anything, which halves the time.

    base: float32 (n_outputs,); X: float32 (n_rows, p), without missing values; out: float32
    (n_rows, n_outputs), written.
    """
    feature, threshold, weights = trees
    width = layer.filters.shape[1] * max(1, layer.place.shape[0])
    block = min(X.shape[0], BLOCK_ROWS, max(16, BLOCK_NUMBERS // width))
    x = np.empty(X.shape[1], dtype=np.float32)
    Z = np.empty((block, width), dtype=np.float32)
    leaf = np.empty(block, dtype=np.int32)
    strength = np.empty(block, dtype=np.float32)
    for first in range(0, X.shape[0], block):
        size = min(block, X.shape[0] - first)
        for b in range(size):
            standardise(layer, X[first + b], x)
            filter_responses(layer, x, Z[b])
            normalise(layer, Z[b])
            out[first + b] = base
        for m in range(feature.shape[0]):
            for b in range(size):
                leaf[b], _, margin = descend(Z, b, feature, threshold, m, depth)
                strength[b] = abs(margin)
            for b in range(size):
                add_leaf(out, first + b, weights, m, leaf[b], strength[b])
