"""Order restored: in a monotonic tree after pruning, or in one of oblique splits, grown without."""

from __future__ import annotations

import numpy as np

from treecore.core.tree import OBLIQUE, Tree
from treecore.pruning.subtrees import check_task, leaves_below


def restore_order(tree: Tree, monotonic_cst, *, task: str = "classification") -> Tree:
    """Clip the values of leaves, so that the answer never falls as a constrained feature rises.

    From the root down: where leaves on the lower side of a split that reads such a feature reach
    above those on the other side, the middle of the highest and the lowest becomes a bound of both.
    Deeper splits clip values only towards each other, so what is in order above stays in order, and
    a tree that is in order stays as it is. Why an order at every split is one of all answers:
    :mod:`treecore.learners.greedy.monotonic`; as the features rise, an oblique split too is crossed
    in one direction only. Where it has constrained features that pull against each other, those
    whose weights sum up to less are read as their means from now on.

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
    signs = np.asarray(monotonic_cst)
    if signs.shape != (tree.n_features,) or not np.isin(signs, (-1, 0, 1)).all():
        raise ValueError(
            f"monotonic_cst must hold -1, 0 or 1 for each of the {tree.n_features} features"
        )
    classes = task == "classification"
    if tree.linear is not None or tree.n_outputs != (2 if classes else 1):
        raise ValueError("monotonic_cst needs constant leaves, and two classes or one number")
    weights, threshold = tree.weights.copy(), tree.threshold.copy()
    ways = [_way(tree, split, signs, weights, threshold) for split in range(tree.n_splits)]
    values = in_order(tree.values, sides_in_order(tree, ways), classes)
    return tree._replace(values=values, weights=weights, threshold=threshold)


def sides_in_order(tree: Tree, ways) -> list[tuple[list[int], list[int]]]:
    """The leaves below every split that has an upper side: 1, the right one, -1, the left one."""
    pairs = []
    for split in np.flatnonzero(ways):
        sides = tree.left[split], tree.right[split]
        lower, upper = (leaves_below(tree, side) for side in sides[:: int(ways[split])])
        pairs.append((lower, upper))
    return pairs


def in_order(values: np.ndarray, sides, classes: bool) -> np.ndarray:
    """A copy of leaf values, or log-odds, clipped where a lower side is above its upper side."""
    values = values.copy()
    if classes:
        values[:, 0] *= -1  # both logarithms then rise with the probability of the second class
    for lower, upper in sides:
        high, low = values[lower].max(axis=0), values[upper].min(axis=0)
        middle = np.where(high > low, low + (high - low) / 2, np.inf).astype(values.dtype)
        values[lower] = np.minimum(values[lower], middle)
        values[upper] = np.maximum(values[upper], np.where(high > low, middle, -np.inf))
    if classes:
        values[:, 0] *= -1
    return values


def _way(tree: Tree, split: int, signs, weights, threshold) -> int:
    """The upper side of a split; weights that pull the other way are taken out, in place."""
    if tree.feature[split] != OBLIQUE:
        return int(signs[tree.feature[split]])
    own = weights[tree.row[split]]
    pull = own * signs
    way = int(np.sign(pull.sum())) or int(pull.any())
    against = pull * way < 0
    threshold[split] -= own[against] @ tree.missing[against]
    own[against] = 0.0
    return way
