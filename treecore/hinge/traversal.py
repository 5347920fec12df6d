"""Where a row goes, and by how much: Algorithm 3 of the paper.

A tree or fern answers with ``w[leaf] * |r|``, where r is the smallest margin on the path (eq. 10):
it is as sure as the closest of its decisions. A path has ``depth`` decisions, and they are all that
is ever computed of a tree's 2^depth - 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.hinge.layer import answer, normalise, standardise
from treecore.kernels import kernel

BLOCK = 32
"""Rows whose features are computed before trees read them: they stay in the nearest cache."""


class Trees(NamedTuple):
    """Arrays of all trees, or ferns, of a forest.

    Attributes
    ----------
    feature : int32 array, shape (n_trees, n_nodes)
        What each decision reads. A tree has 2^depth - 1 of them, node v with the children 2v + 1
        and 2v + 2; a fern has ``depth``, one for each level.
    threshold : float32 array, shape (n_trees, n_nodes)
        The margin of a decision is feature - threshold; right where it is positive.
    weights : float32 array, shape (n_trees, 2^depth, n_outputs)
        The leaves; bit by bit from the root, a leaf's number says right (1) or left (0).
    """

    feature: np.ndarray
    threshold: np.ndarray
    weights: np.ndarray


def n_nodes(kind: str, depth: int) -> int:
    """Decisions of one tree or fern."""
    return depth if kind == "fern" else 2**depth - 1


@kernel
def descend(z, feature, threshold, depth):
    """Leaf, decision of the smallest margin, and that margin with its sign (Algorithm 3).

    ``z`` holds the features of one row; ``feature`` and ``threshold`` are those of one tree or
    fern. The first of equal margins counts.
    """
    fern = feature.shape[0] == depth and depth > 1  # trees and ferns of one decision are the same
    leaf = 0
    node = 0
    nearest = 0
    margin = np.float32(np.inf)
    for level in range(depth):
        r = z[feature[node]] - threshold[node]
        if abs(r) < abs(margin):
            margin = r
            nearest = node
        right = 1 if r > 0 else 0
        leaf = 2 * leaf + right
        node = level + 1 if fern else 2 * node + 1 + right
    return leaf, nearest, margin


@kernel
def descend_all(trees, depth, Z, leaf, nearest, margin):
    """:func:`descend` for a batch: rows of Z, (n_rows, n_features), through every tree.

    The three results are written to arrays of shape (n_trees, n_rows).
    """
    for m in range(trees.feature.shape[0]):
        feature, threshold = trees.feature[m], trees.threshold[m]
        for b in range(Z.shape[0]):
            leaf[m, b], nearest[m, b], margin[m, b] = descend(Z[b], feature, threshold, depth)


@kernel
def add_leaf(out, w, strength):
    """Add one leaf's weights, as strong as its margin, to the outputs of a row."""
    for k in range(out.shape[0]):
        out[k] += strength * w[k]


@kernel
def decide_rows(layer, trees, depth, base, X, out):
    """Write the outputs of raw float32 rows X, (n_rows, p), into ``out``, (n_rows, n_outputs)."""
    n_trees = trees.feature.shape[0]
    width = layer.filters.shape[1] * max(1, layer.place.shape[0])
    x = np.empty(X.shape[1], dtype=np.float32)
    Z = np.empty((BLOCK, width), dtype=np.float32)
    for first in range(0, X.shape[0], BLOCK):
        size = min(BLOCK, X.shape[0] - first)
        for b in range(size):
            standardise(layer, X[first + b], x)
            answer(layer, x, Z[b])
            normalise(layer, Z[b])
            out[first + b] = base
        for m in range(n_trees):
            feature, threshold = trees.feature[m], trees.threshold[m]
            for b in range(size):
                leaf, _, margin = descend(Z[b], feature, threshold, depth)
                add_leaf(out[first + b], trees.weights[m, leaf], abs(margin))
