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
    """Arrays of all trees, or ferns, of a forest: feature and threshold (n_trees, n_nodes).

    weights: float32 (n_trees, 2^depth, n_outputs), the leaves by their turns as bits from the root,
    right 1.
    """

    feature: np.ndarray
    threshold: np.ndarray
    weights: np.ndarray


def n_nodes(kind: str, depth: int) -> int:
    """Decisions of one tree or fern."""
    return depth if kind == "fern" else 2**depth - 1


@kernel
def descend(Z, b, feature, threshold, m, depth):
    """Follow row b of Z through tree m (Algorithm 3): leaf, nearest decision, signed margin."""
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
    """Follow a batch of rows through every tree; leaf, nearest, margin: (n_trees, n_rows)."""
    feature, threshold = trees.feature, trees.threshold
    for m in range(feature.shape[0]):
        for b in range(Z.shape[0]):
            leaf[m, b], nearest[m, b], margin[m, b] = descend(Z, b, feature, threshold, m, depth)


@kernel
def add_leaf(out, b, weights, m, leaf, strength):
    """Add the weights of a leaf, times its margin ``strength``, to the outputs of row b."""
    row, tree, leaf = np.uintp(b), np.uintp(m), np.uintp(leaf)
    for k in range(out.shape[1]):
        out[row, np.uintp(k)] += strength * weights[tree, leaf, np.uintp(k)]


@kernel(allocates=True)
def decide_rows(layer, trees, depth, base, X, out):
    """Write the outputs (n_rows, n_outputs) of raw rows without missing values, block by block."""
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
            for c in range(base.shape[0]):  # an array to an array would compile its error's text
                out[first + b, c] = base[c]
        for m in range(feature.shape[0]):
            for b in range(size):
                leaf[b], _, margin = descend(Z, b, feature, threshold, m, depth)
                strength[b] = abs(margin)
            for b in range(size):
                add_leaf(out, first + b, weights, m, leaf[b], strength[b])
