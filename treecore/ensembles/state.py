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
    """The trees of :func:`pack_trees`; ValueError where the arrays are not those of such trees."""
    try:
        counts = [np.asarray(packed[name]) for name in ("n_splits", "n_oblique")]
        arrays = {name: np.asarray(packed[name]) for name in (*_ARRAYS, "missing")}
    except KeyError as error:
        raise ValueError(f"the state of a forest's run lacks {error}") from None
    for count in counts:
        if count.ndim != 1 or count.dtype.kind not in "iu" or (count < 0).any():
            raise ValueError("the state of a forest's run does not say how large its trees are")
    if len(counts[0]) != len(counts[1]):
        raise ValueError("the state of a forest's run has two numbers of trees")
    if not len(counts[0]):
        return []
    n_splits, n_oblique = counts
    sizes = dict.fromkeys(_ARRAYS, n_splits)
    sizes |= {"weights": n_oblique, "values": n_splits + 1}
    widths = {"weights": (n_features,), "values": (n_outputs,)}
    pieces = {}
    for name, size in sizes.items():
        wanted = (int(size.sum()), *widths.get(name, ()))
        if arrays[name].shape != wanted:
            raise ValueError(
                f"{name} of the state has shape {arrays[name].shape}, but the data and the "
                f"number of splits ask for {wanted}"
            )
        pieces[name] = np.split(arrays[name], np.cumsum(size)[:-1])
    return [
        make_tree(
            missing=arrays["missing"], **{name: pieces[name][t] for name in _ARRAYS}
        )._replace(values=pieces["values"][t])  # numbers in float64
        for t in range(len(n_splits))
    ]
