"""Cutting off what a tree does not need."""

from __future__ import annotations

import numpy as np

from treecore.routing import leaf_labels, leaf_probabilities
from treecore.tree import OBLIQUE, Tree, make_tree


def prune_dead(tree: Tree, counts: np.ndarray) -> Tree:
    """Remove dead branches and pure subtrees; no counted row is told another class.

    A branch is dead when no row reaches it: the split above it gives way to its other side. A
    subtree is pure when all its living leaves predict the same class: it becomes one leaf, whose
    probabilities are the mean over its rows. TAO ends with this (Carreira-Perpinan and Tavallali
    2018), but it asks nothing of how the tree was made.

    Parameters
    ----------
    tree : Tree
    counts : array, shape (n_leaves, n_classes)
        Rows, or their weights, in each leaf; see :func:`treecore.metrics.leaf_counts`.

    Returns
    -------
    Tree
        Splits and leaves that are left keep their order.

    Raises
    ------
    ValueError
        When ``counts`` belongs to another tree or has no rows at all.
    """
    counts = np.asarray(counts)
    if counts.ndim != 2 or len(counts) != tree.n_leaves:
        raise ValueError(f"counts has shape {counts.shape}, the tree has {tree.n_leaves} leaves")
    n_rows = counts.sum(axis=1, dtype=np.float64)
    if not n_rows.any():
        raise ValueError("a tree that no row reaches cannot be pruned: all of it is dead")
    labels = leaf_labels(tree)
    values = tree.values.copy()
    mass = leaf_probabilities(tree) * n_rows[:, None]  # rows times probabilities, which add up
    left, right = tree.left.copy(), tree.right.copy()
    instead = np.arange(tree.n_splits)  # what stands in the place of every split
    alive = np.ones(tree.n_splits, dtype=bool)

    def settled(child):
        return instead[child] if child >= 0 else child

    def lives(node):
        return alive[node] if node >= 0 else n_rows[~node] > 0

    for split in range(tree.n_splits - 1, -1, -1):
        a, b = settled(left[split]), settled(right[split])
        left[split], right[split] = a, b
        if not (lives(a) and lives(b)):
            instead[split] = a if lives(a) else b
            alive[split] = lives(a) or lives(b)
        elif a < 0 and b < 0 and labels[~a] == labels[~b]:
            n_rows[~a] += n_rows[~b]
            mass[~a] += mass[~b]
            values[~a] = np.log(np.maximum(mass[~a] / n_rows[~a], np.finfo(np.float32).tiny))
            instead[split] = a
    root = settled(tree.root)
    return _gather(tree._replace(left=left, right=right, values=values), root)


def _gather(tree: Tree, root: int) -> Tree:
    """The part of ``tree`` below ``root``, numbered anew in the old order."""
    kept_splits, kept_leaves = [], []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node < 0:
            kept_leaves.append(~node)
        else:
            kept_splits.append(node)
            waiting += [tree.left[node], tree.right[node]]
    splits = np.sort(np.array(kept_splits, dtype=np.int64))
    leaves = np.sort(np.array(kept_leaves, dtype=np.int64))

    def renumbered(children):
        found = np.searchsorted(splits, children)
        return np.where(children >= 0, found, ~np.searchsorted(leaves, ~children))

    feature = tree.feature[splits]
    oblique = feature == OBLIQUE
    return make_tree(
        weights=tree.weights[tree.row[splits[oblique]]],
        threshold=tree.threshold[splits],
        feature=feature,
        row=np.where(oblique, np.cumsum(oblique) - 1, -1),
        left=renumbered(tree.left[splits]),
        right=renumbered(tree.right[splits]),
        values=tree.values[leaves],
        missing=tree.missing,
    )
