"""A monotonic tree after pruning: a new leaf may answer what breaks the order of its neighbours."""

from __future__ import annotations

import numpy as np

from treecore.core.tree import OBLIQUE, Tree
from treecore.pruning.subtrees import check_task, leaves_below


def restore_order(tree: Tree, monotonic_cst, *, task: str = "classification") -> Tree:
    """Clip the values of leaves, so that the answer never falls as a constrained feature rises.

    From the root down: where the leaves on the lower side of a split on a constrained feature reach
    above those on the other side, the middle of the highest and the lowest becomes a bound of both.
    Deeper splits clip values only towards each other, so what is in order above stays in order, and
    a tree that is in order stays as it is. Why an order at every split is one of all answers:
    :mod:`treecore.learners.greedy.monotonic`.

    Parameters
    ----------
    tree : Tree
        Its leaves are constant.
    monotonic_cst : array of -1, 0, 1, shape (n_features,)
        1: the answer must not fall as the feature rises; -1: it must not rise. The answer is the
        number, or the probability of the second of two classes.
    task : str
        ``"classification"`` or ``"regression"``.

    Raises
    ------
    ValueError
        For another length or other numbers, and for a tree without such an answer.
    """
    check_task(task)
    signs, values = np.asarray(monotonic_cst), tree.values.copy()
    if signs.shape != (tree.n_features,) or not np.isin(signs, (-1, 0, 1)).all():
        raise ValueError(
            f"monotonic_cst must hold -1, 0 or 1 for each of the {tree.n_features} features"
        )
    classes = task == "classification"
    if tree.linear is not None or tree.n_outputs != (2 if classes else 1):
        raise ValueError("monotonic_cst needs constant leaves, and two classes or one number")
    if classes:
        values[:, 0] *= -1  # both logarithms then rise with the probability of the second class
    for split in range(tree.n_splits):
        feature = tree.feature[split]
        if feature == OBLIQUE or signs[feature] == 0:
            continue
        sides = tree.left[split], tree.right[split]
        lower, upper = (leaves_below(tree, side) for side in sides[:: int(signs[feature])])
        high, low = values[lower].max(axis=0), values[upper].min(axis=0)
        middle = np.where(high > low, low + (high - low) / 2, np.inf).astype(values.dtype)
        values[lower] = np.minimum(values[lower], middle)
        values[upper] = np.maximum(values[upper], np.where(high > low, middle, -np.inf))
    if classes:
        values[:, 0] *= -1
    return tree._replace(values=values)
