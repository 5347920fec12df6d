"""Leaves that too little weight stands behind, taken out of a finished tree."""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp

from treecore.core.tree import Tree
from treecore.pruning.subtrees import part_below


def without_light_leaves(tree: Tree, weight: np.ndarray, smallest: float, task: str) -> Tree:
    """The tree whose leaves all have ``smallest`` weight or more, unless a single one is left.

    A split with one lighter side gives way to its other side; with two, it becomes a leaf.
    """
    left, right, values = tree.left.copy(), tree.right.copy(), tree.values.astype(np.float64)
    of_leaf, of_split = weight.astype(np.float64), np.zeros(tree.n_splits)
    instead = np.arange(tree.n_splits)  # what stands in the place of every split
    if task == "classification":
        values -= logsumexp(values, axis=1, keepdims=True)
    merged = np.zeros(tree.n_leaves, dtype=bool)
    for split in range(tree.n_splits - 1, -1, -1):
        a, b = (instead[c] if c >= 0 else c for c in (left[split], right[split]))
        left[split], right[split] = a, b
        mass = [of_split[c] if c >= 0 else of_leaf[~c] for c in (a, b)]
        of_split[split] = sum(mass)
        if min(mass) >= smallest:
            continue
        if max(mass) < smallest:  # then both are leaves, or they would have given way before
            share = np.array(mass) / sum(mass) if sum(mass) > 0 else np.full(2, 0.5)
            pair = values[[~a, ~b]]
            if task == "classification":
                values[~a] = logsumexp(pair, axis=0, b=share[:, None])
            else:
                values[~a] = share @ pair
            merged[~a] = True
        keep = a if mass[0] >= mass[1] or max(mass) < smallest else b
        instead[split] = keep
        if keep < 0:
            of_leaf[~keep] = sum(mass)
        else:
            of_split[keep] = sum(mass)
    if task == "classification":
        values = np.maximum(values, np.log(np.finfo(np.float32).tiny))  # log 0 is no number
    values = np.where(merged[:, None], values, tree.values).astype(tree.values.dtype)
    linear = tree.linear and tree.linear.with_constants(merged, values)
    cut = tree._replace(left=left, right=right, values=values, linear=linear)
    return part_below(cut, instead[0] if tree.n_splits else ~0)
