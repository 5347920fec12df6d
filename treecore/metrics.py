"""How good a tree is. Everything but the bound follows from one table: rows by leaf and class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treecore.kernels import kernel
from treecore.losses import leaf_losses
from treecore.routing import apply, leaf_of
from treecore.tree import Tree


@dataclass(frozen=True)
class Figures:
    """Figures of a tree on some rows.

    Attributes
    ----------
    loss : float
        Mean log loss in nats.
    accuracy : float
        Share of rows classified correctly, 0 to 1.
    active_leaves : int
        Leaves reached by at least one of the rows.
    """

    loss: float
    accuracy: float
    active_leaves: int


@kernel
def count_rows(tree, X, y, counts):
    """Raise ``counts[leaf, class]``, int64, for every row of X, float32 (n_samples, p)."""
    for i in range(X.shape[0]):
        counts[leaf_of(tree, X[i]), y[i]] += 1


def figures_of(counts: np.ndarray, values: np.ndarray) -> Figures:
    """Figures from the rows of each class in each leaf.

    Parameters
    ----------
    counts : int64 array, shape (n_leaves, n_classes)
    values : float32 array, shape (n_leaves, n_classes)
        Leaf values theta.
    """
    n_rows = counts.sum()
    if n_rows == 0:
        raise ValueError("there are no rows to measure the tree on")
    losses = np.empty_like(values)
    leaf_losses(values, losses)
    labels = values.argmax(axis=1)
    return Figures(
        loss=float((counts * losses.astype(np.float64)).sum() / n_rows),
        accuracy=float(counts[np.arange(len(labels)), labels].sum() / n_rows),
        active_leaves=int(np.count_nonzero(counts.sum(axis=1))),
    )


def leaf_counts(tree: Tree, X, y) -> np.ndarray:
    """Rows of each class in each leaf, int64 (n_leaves, n_classes).

    Parameters
    ----------
    tree : Tree
    X : array of numbers, shape (n_samples, n_features)
    y : int array, shape (n_samples,)
        Class indices below ``tree.n_outputs``.
    """
    counts = np.zeros((tree.n_leaves, tree.n_outputs), dtype=np.int64)
    np.add.at(counts, (apply(tree, X), np.asarray(y)), 1)
    return counts


def evaluate(tree: Tree, X, y) -> Figures:
    """Figures of ``tree`` on rows; see :func:`leaf_counts` for the arguments."""
    return figures_of(leaf_counts(tree, X, y), tree.values)
