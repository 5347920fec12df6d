"""Reduced-error pruning (Quinlan 1987): rows the tree has not seen say what it can do without."""

from __future__ import annotations

import numpy as np

from treecore.core.routing import leaf_probabilities
from treecore.core.tree import Tree
from treecore.pruning.statistics import gather_statistics
from treecore.pruning.subtrees import collapse, sums_below


def prune_reduced_error(
    tree: Tree,
    X,
    y,
    sample_weight=None,
    *,
    reached=None,
    task: str = "classification",
) -> Tree:
    """Turn subtrees into leaves, from the bottom up, where that costs no error on these rows.

    Errors are misclassified rows by their weights, or squared errors. A subtree that none of the
    rows reach becomes a leaf, too: nothing speaks for it.

    Parameters
    ----------
    tree : Tree
    X : array of numbers, shape (n_samples, n_features)
        Rows that the tree was not grown from.
    y : array, shape (n_samples,) or (n_samples, n_outputs)
        Class indices, or numbers in the units of the tree's values.
    sample_weight : array, shape (n_samples,), or None
    reached : array, shape (n_leaves,), or None
        Rows that each leaf was made from, or their weights. A new leaf predicts the mean over
        them of their predictions: the mean of the leaves' probabilities, or numbers. None:
        over the rows of ``X``. Where there are none below a split, its leaves count the same.
    task : str
        ``"classification"`` or ``"regression"``.

    Returns
    -------
    Tree
        Never with more errors on these rows than ``tree``.

    Raises
    ------
    ValueError
        In one sentence, for rows or a ``reached`` that are not of this tree.
    """
    evidence = gather_statistics(tree, X, y, sample_weight, task)
    m = tree.n_splits
    if reached is None:
        reached = evidence.weight[m:]
    reached = np.asarray(reached, dtype=np.float64)
    if reached.shape != (tree.n_leaves,) or not (reached >= 0).all():
        raise ValueError(
            f"reached must hold a number, not negative, for each of the {tree.n_leaves} leaves"
        )
    classes = task == "classification"
    prediction = leaf_probabilities(tree) if classes else tree.values.astype(np.float64)
    mean = _mean_below(tree, prediction, reached)
    if classes:
        values = np.log(np.maximum(mean, np.finfo(np.float32).tiny)).astype(np.float32)
        labels = np.concatenate([values, tree.values]).argmax(axis=1)
        right = np.take_along_axis(evidence.sums, labels[:, None], axis=1)[:, 0]
        as_leaf = evidence.weight - right
    else:
        values = mean
        as_leaf = evidence.squared_error(np.concatenate([values, tree.values]))
    error = as_leaf.copy()
    rounding = 1e-12 * as_leaf[:m].max(initial=0.0)  # of sums: equals must not differ by it
    ends = np.zeros(m, dtype=bool)
    for split in range(m - 1, -1, -1):
        below = sum(error[c if c >= 0 else m + ~c] for c in (tree.left[split], tree.right[split]))
        ends[split] = as_leaf[split] <= below + rounding
        error[split] = as_leaf[split] if ends[split] else below
    return collapse(tree, ends, values)


def _mean_below(tree: Tree, prediction: np.ndarray, reached: np.ndarray) -> np.ndarray:
    """Mean over the rows below every split of the predictions of their leaves."""
    rows = sums_below(tree, reached)
    by_rows = (
        sums_below(tree, prediction * reached[:, None]) / np.where(rows > 0, rows, 1.0)[:, None]
    )
    by_leaves = sums_below(tree, prediction) / sums_below(tree, np.ones(tree.n_leaves))[:, None]
    return np.where((rows > 0)[:, None], by_rows, by_leaves)
