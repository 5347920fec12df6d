"""Statistics of the rows at every node of a tree: their weight, their impurity, the best values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treecore.base.array_types import Labels, Rows
from treecore.core.routing import apply
from treecore.core.tree import Tree
from treecore.data.validation import read_training
from treecore.losses.log import LOG, class_log_odds
from treecore.losses.squared import SQUARED
from treecore.pruning.subtrees import check_task, sums_below

CRITERIA = ("gini", "entropy", "error")
"""Impurities of classes: Gini, entropy in bits, share of the rows that are misclassified."""

_LOSS_OF = {"classification": LOG, "regression": SQUARED}


@dataclass(frozen=True)
class PruningStatistics:
    """Sums over the rows below every node, of splits first, then of leaves.

    - weight: float64 (n_nodes,), of the rows, scaled to a mean of 1 a row.
    - sums, squares: float64 (n_nodes, n_outputs), weight of every class; or of numbers less
      ``centre`` (their mean, (n_outputs,)), and of their squares.
    """

    weight: np.ndarray
    sums: np.ndarray
    squares: np.ndarray | None
    centre: np.ndarray

    def risk(self, criterion: str) -> np.ndarray:
        """Impurity times weight of every node, float64; of numbers the mean variance."""
        n = np.maximum(self.weight, np.finfo(float).tiny)
        if self.squares is not None:
            return np.maximum(self.squares - self.sums**2 / n[:, None], 0.0).mean(axis=1)
        if criterion not in CRITERIA:
            raise ValueError(f"criterion={criterion!r} must be one of {', '.join(CRITERIA)}")
        if criterion == "error":
            return self.weight - self.sums.max(axis=1)
        share = self.sums / n[:, None]
        if criterion == "gini":
            return self.weight * (1.0 - (share**2).sum(axis=1)) * (self.weight > 0)
        return -self.weight * (share * np.log2(np.where(share > 0, share, 1.0))).sum(axis=1)

    def values(self, smoothing: float) -> np.ndarray:
        """The best values of nodes as leaves, with ``smoothing`` rows that know nothing."""
        if not 0 < smoothing < np.inf:
            raise ValueError(f"smoothing={smoothing!r} must be a positive number")
        if self.squares is None:
            return class_log_odds(self.sums, smoothing)
        return self.centre + self.sums / (self.weight + smoothing)[:, None]

    def squared_error(self, values: np.ndarray) -> np.ndarray:
        """Squared errors of every node's rows, were it a leaf with these values; of numbers."""
        off = values - self.centre
        error = self.weight[:, None] * off**2 - 2.0 * off * self.sums + self.squares
        return error.sum(axis=1)


def gather_statistics(
    tree: Tree, X: Rows, y: Labels, sample_weight, task: str
) -> PruningStatistics:
    """Sums over the rows below every node; ValueError for rows that are not of this tree."""
    if tree.linear is not None:
        raise ValueError("only constant leaves can be pruned so, and this tree has linear ones")
    check_task(task)
    leaf = apply(tree, X)
    # Any table of the right length will do to have targets and weights checked.
    rows, _ = read_training(
        np.zeros((len(leaf), 1), np.float32), y, sample_weight, "none", _LOSS_OF[task], None
    )
    if task == "classification":
        if rows.y.max() >= tree.n_outputs:
            raise ValueError(
                f"y holds class {rows.y.max()}, but the tree knows {tree.n_outputs} classes"
            )
        return node_statistics(tree, leaf, rows.y, rows.weight, task)
    y = np.asarray(y, dtype=np.float64).reshape(len(leaf), -1)
    if y.shape[1] != tree.n_outputs:
        raise ValueError(f"y has {y.shape[1]} outputs, but the tree predicts {tree.n_outputs}")
    return node_statistics(tree, leaf, y, rows.weight, task)


def node_statistics(
    tree: Tree, leaf: np.ndarray, y: np.ndarray, weight: np.ndarray, task: str
) -> PruningStatistics:
    """The same of rows whose leaves are known; y: (n_samples,) or (n_samples, n_outputs)."""
    n_leaves = tree.n_leaves
    if task == "classification":
        cells = leaf.astype(np.int64) * tree.n_outputs + y
        table = np.bincount(cells, weight, n_leaves * tree.n_outputs).reshape(n_leaves, -1)
        counts, sums = _of_nodes(tree, table.sum(axis=1), table)
        return PruningStatistics(counts, sums, None, np.zeros(tree.n_outputs))
    centre = np.average(y, axis=0, weights=weight)
    off = y - centre
    sums, squares = np.zeros((2, n_leaves, tree.n_outputs))
    np.add.at(sums, leaf, weight[:, None] * off)
    np.add.at(squares, leaf, weight[:, None] * off**2)
    leaf_weight = np.bincount(leaf, weight, n_leaves)
    counts, sums, squares = _of_nodes(tree, leaf_weight, sums, squares)
    return PruningStatistics(counts, sums, squares, centre)


def _of_nodes(tree: Tree, *of_leaves: np.ndarray) -> list[np.ndarray]:
    return [np.concatenate([sums_below(tree, table), table]) for table in of_leaves]
