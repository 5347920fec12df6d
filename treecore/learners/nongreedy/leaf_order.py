"""The leaves of a tree from left to right."""

from __future__ import annotations

import numpy as np

from treecore.core.tree import Tree


def leaf_ranges(tree: Tree) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Places of leaves from left to right; below split i: ``first[i] <= place < stop[i]``."""
    size = np.ones(tree.n_splits, dtype=np.int64)
    for split in range(tree.n_splits - 1, -1, -1):
        size[split] = sum(size[c] if c >= 0 else 1 for c in (tree.left[split], tree.right[split]))
    place = np.zeros(tree.n_leaves, dtype=np.int64)
    first = np.zeros(tree.n_splits, dtype=np.int64)
    for split in range(tree.n_splits):
        begin = first[split]
        for child in (tree.left[split], tree.right[split]):
            if child >= 0:
                first[child] = begin
                begin += size[child]
            else:
                place[~child] = begin
                begin += 1
    return place, first, first + size
