"""OC1's pruning (Wang's slides): nodes that are nearly pure need no subtree."""

from __future__ import annotations

import numpy as np

from treecore.core.tree import Tree
from treecore.pruning.statistics import gather_statistics
from treecore.pruning.subtrees import collapse


def prune_impurity(
    tree: Tree,
    X,
    y,
    threshold: float,
    sample_weight=None,
    *,
    criterion: str = "gini",
    smoothing: float = 1.0,
    task: str = "classification",
) -> Tree:
    """Turn every node into a leaf whose rows have an impurity below ``threshold``.

    Parameters
    ----------
    threshold : float
        In units of the criterion; 0 changes nothing. A node without rows counts as pure.
    tree, X, y, sample_weight, criterion, smoothing, task
        See :func:`treecore.pruning.cost_complexity_path`.

    Raises
    ------
    ValueError
        In one sentence, for rows that are not of this tree, an unknown criterion, or a threshold
        that is negative.
    """
    if not threshold >= 0:
        raise ValueError(f"threshold={threshold!r} must be a number that is not negative")
    evidence = gather_statistics(tree, X, y, sample_weight, task)
    impurity = evidence.risk(criterion) / np.maximum(evidence.weight, np.finfo(float).tiny)
    m = tree.n_splits
    return collapse(tree, impurity[:m] < threshold, evidence.values(smoothing)[:m])
