"""What a hinge forest does inside: the leaf and the smallest margin of every row in every tree."""

from __future__ import annotations

import numpy as np

from treecore.base.array_types import Rows
from treecore.core.routing import as_rows
from treecore.learners.hinge.layer import filter_responses, n_features, normalise, standardise
from treecore.learners.hinge.model import HingeForest, as_trained
from treecore.learners.hinge.traversal import descend_all
from treecore.rows.finite import filled

_BLOCK = 256


def smallest_margins(forest: HingeForest, X: Rows) -> tuple[np.ndarray, np.ndarray]:
    """Leaf and smallest margin on the way to it, both (n_samples, n_trees) (Algorithm 3)."""
    X = as_rows(X, forest.n_features_in, missing=True)
    n, n_trees = len(X), forest.n_trees
    layer, trees = as_trained(forest.layer), as_trained(forest.trees)
    leaf = np.empty((n, n_trees), dtype=np.int32)
    margin = np.empty((n, n_trees), dtype=np.float32)
    x = np.empty(forest.n_features_in, dtype=np.float32)
    for first in range(0, n, _BLOCK):
        rows = filled(X[first : first + _BLOCK], forest.missing)
        Z = np.empty((len(rows), n_features(layer)), dtype=np.float32)
        for row, z in zip(rows, Z, strict=True):
            standardise(layer, row, x)
            filter_responses(layer, x, z)
            normalise(layer, z)
        shape = (n_trees, len(rows))
        results = np.empty(shape, np.int32), np.empty(shape, np.int32), np.empty(shape, np.float32)
        descend_all(trees, forest.depth, Z, *results)
        leaf[first : first + _BLOCK], margin[first : first + _BLOCK] = results[0].T, results[2].T
    return leaf, margin
