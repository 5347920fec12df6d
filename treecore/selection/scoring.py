"""How right a tree is about rows, one number a row, so that two trees can be compared by pairs."""

from __future__ import annotations

import numpy as np

from treecore.core.routing import apply, leaf_labels
from treecore.core.rows import TrainingRows
from treecore.core.tree import Tree


def gains(tree: Tree, rows: TrainingRows) -> np.ndarray:
    """What each row adds to a tree's score, float64 (n_samples,).

    Its weight where its class is told rightly; of numbers what the tree spares it of the loss
    that the mean of the training rows would cost, times its weight.

    Parameters
    ----------
    tree : Tree
        In the units of ``rows``.
    rows : TrainingRows
    """
    leaf = apply(tree, rows.X)
    if rows.loss.task == "classification":
        return rows.weight * (leaf_labels(tree)[leaf] == rows.y)
    cost = rows.loss.of_rows(tree.values, leaf, rows.y).astype(np.float64)
    return rows.weight * (cost_of_mean(rows) - cost)


def cost_of_mean(rows: TrainingRows) -> np.ndarray:
    """What the mean of the training rows, 0 in their units, costs each row; float64."""
    mean = np.zeros((1, rows.n_outputs), dtype=np.float32)
    nowhere = np.zeros(len(rows.y), dtype=np.int32)
    return rows.loss.of_rows(mean, nowhere, rows.y).astype(np.float64)
