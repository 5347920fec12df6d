"""The state of a forest's run for checkpoints: its trees as a few flat arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from treecore.core.tree import Tree, make_tree

_ARRAYS = ("threshold", "feature", "row", "left", "right", "missing_left", "weights", "values")


def pack_trees(trees: Sequence[Tree]) -> dict[str, np.ndarray]:
    """The arrays of all trees, one after the other; ``missing`` is one for all."""
    packed = {
        "n_splits": np.array([tree.n_splits for tree in trees], dtype=np.int64),
        "n_oblique": np.array([len(tree.weights) for tree in trees], dtype=np.int64),
        "missing": trees[0].missing if trees else np.empty(0, dtype=np.float32),
    }
    for name in _ARRAYS:
        arrays = [getattr(tree, name) for tree in trees]
        packed[name] = np.concatenate(arrays) if arrays else np.empty(0, dtype=np.float32)
    return packed


def unpack_trees(packed: dict[str, Any], n_features: int, n_outputs: int) -> list[Tree]:
    """The trees of :func:`pack_trees`; KeyError or ValueError where they are none of such sizes."""
    n_splits, n_oblique = (np.asarray(packed[name]) for name in ("n_splits", "n_oblique"))
    for count in (n_splits, n_oblique):
        if count.shape != (len(n_splits),) or count.dtype.kind not in "iu" or (count < 0).any():
            raise ValueError("it does not say how large its trees are")
    if not len(n_splits):
        return []
    sizes = dict.fromkeys(_ARRAYS, n_splits)
    sizes |= {"weights": n_oblique, "values": n_splits + 1}
    widths = {"weights": (n_features,), "values": (n_outputs,)}
    pieces = {}
    for name, size in sizes.items():
        array, wanted = np.asarray(packed[name]), (int(size.sum()), *widths.get(name, ()))
        if array.shape != wanted:
            raise ValueError(f"{name} has shape {array.shape}, and must have {wanted}")
        pieces[name] = np.split(array, np.cumsum(size)[:-1])
    trees = []
    for t in range(len(n_splits)):
        parts = {name: pieces[name][t] for name in _ARRAYS}
        tree = make_tree(missing=packed["missing"], **parts)
        trees.append(tree._replace(values=parts["values"]))  # numbers in float64
    return trees
