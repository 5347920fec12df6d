"""Cutting off what no row needs: dead branches and pure subtrees."""

from __future__ import annotations

import numpy as np

from treecore.core.routing import leaf_labels, leaf_probabilities
from treecore.core.tree import Tree
from treecore.pruning.subtrees import check_task, part_below


def prune_dead(tree: Tree, counts: np.ndarray, *, task: str = "classification") -> Tree:
    """Remove dead branches and pure subtrees; the prediction of no counted row changes.

    A branch is dead when no row reaches it: the split above it gives way to its other side. A
    subtree is pure when all its living leaves predict the same class: it becomes one leaf, whose
    probabilities are the mean over its rows. (With numbers: when they predict the same numbers.)
    TAO ends with this (Carreira-Perpinan and Tavallali 2018), but it asks nothing of how the tree
    was made.

    Parameters
    ----------
    tree : Tree
    counts : array, shape (n_leaves, n_classes), or (n_leaves, 1) for numbers
        Rows, or their weights, in each leaf; see :func:`treecore.losses.metrics.leaf_counts`.
    task : str
        ``"classification"`` or ``"regression"``: what the leaves' values are.

    Returns
    -------
    Tree
        Splits and leaves that are left keep their order.

    Raises
    ------
    ValueError
        When ``counts`` belongs to another tree or has no rows at all.
    """
    check_task(task)
    counts = np.asarray(counts)
    if counts.ndim != 2 or len(counts) != tree.n_leaves:
        raise ValueError(f"counts has shape {counts.shape}, the tree has {tree.n_leaves} leaves")
    n_rows = counts.sum(axis=1, dtype=np.float64)
    if not n_rows.any():
        raise ValueError("a tree that no row reaches cannot be pruned: all of it is dead")
    classes = task == "classification"
    prediction = leaf_labels(tree)[:, None] if classes else tree.values
    if tree.linear is not None:  # models hardly ever agree, and where they did nothing is lost
        prediction = np.arange(tree.n_leaves)[:, None]
    values = tree.values.copy()
    mass = leaf_probabilities(tree) * n_rows[:, None]  # rows times probabilities, which add up
    left, right = tree.left.copy(), tree.right.copy()
    instead = np.arange(tree.n_splits)  # what stands in the place of every split
    alive = np.ones(tree.n_splits, dtype=bool)

    def replacement(child):
        return instead[child] if child >= 0 else child

    def lives(node):
        return alive[node] if node >= 0 else n_rows[~node] > 0

    for split in range(tree.n_splits - 1, -1, -1):
        a, b = replacement(left[split]), replacement(right[split])
        left[split], right[split] = a, b
        if not (lives(a) and lives(b)):
            instead[split] = a if lives(a) else b
            alive[split] = lives(a) or lives(b)
        elif a < 0 and b < 0 and np.array_equal(prediction[~a], prediction[~b]):
            n_rows[~a] += n_rows[~b]
            if classes:
                mass[~a] += mass[~b]
                values[~a] = np.log(np.maximum(mass[~a] / n_rows[~a], np.finfo(np.float32).tiny))
            instead[split] = a
    root = replacement(tree.root)
    return part_below(tree._replace(left=left, right=right, values=values), root)
