"""Part of a tree as a tree of its own: what every pruning ends with."""

from __future__ import annotations

import numpy as np

from treecore.core.tree import OBLIQUE, Tree, make_tree


def check_task(task: str) -> None:
    """Raise ValueError unless ``task`` is classification or regression."""
    if task not in ("classification", "regression"):
        raise ValueError(f"task={task!r} must be one of classification, regression")


def nodes_below(tree, node: int) -> list[int]:
    """References (split, or ``~leaf``) of a node and all below, parents first, left first."""
    order, waiting = [], [node]
    while waiting:
        at = int(waiting.pop())
        order.append(at)
        if at >= 0:
            waiting += [tree.right[at], tree.left[at]]
    return order


def leaves_below(tree, node: int) -> list[int]:
    """The leaves below a node, from left to right. node: a split, or ``~leaf``."""
    return [~at for at in nodes_below(tree, node) if at < 0]


def part_below(tree: Tree, root: int) -> Tree:
    """The part below one node (a split, or ``~leaf``), numbered anew in the old order."""
    nodes = np.array(nodes_below(tree, root))
    splits, leaves = np.sort(nodes[nodes >= 0]), np.sort(~nodes[nodes < 0])

    def renumbered(children):
        new_split = np.searchsorted(splits, children)
        return np.where(children >= 0, new_split, ~np.searchsorted(leaves, ~children))

    feature = tree.feature[splits]
    oblique = feature == OBLIQUE
    part = make_tree(
        weights=tree.weights[tree.row[splits[oblique]]],
        threshold=tree.threshold[splits],
        feature=feature,
        row=np.where(oblique, np.cumsum(oblique) - 1, -1),
        left=renumbered(tree.left[splits]),
        right=renumbered(tree.right[splits]),
        values=tree.values[leaves],
        missing=tree.missing,
        missing_left=tree.missing_left[splits],
    )
    return part._replace(
        values=tree.values[leaves], linear=tree.linear and tree.linear.take(leaves)
    )


def sums_below(tree: Tree, of_leaves: np.ndarray) -> np.ndarray:
    """Sums over the leaves (n_leaves, ...) below every split, float64 (n_splits, ...)."""
    sums = np.zeros((tree.n_splits, *of_leaves.shape[1:]))
    for split in range(tree.n_splits - 1, -1, -1):
        for child in (tree.left[split], tree.right[split]):
            sums[split] += sums[child] if child >= 0 else of_leaves[~child]
    return sums


def collapse(tree: Tree, ends: np.ndarray, values: np.ndarray) -> Tree:
    """The tree in which the splits ``ends`` are leaves, of values (n_splits, n_outputs)."""
    if not ends.any():
        return tree
    stands = np.arange(tree.n_splits)  # a split, or the leaf below it that takes its place
    theta, ended = tree.values.copy(), np.zeros(tree.n_leaves, dtype=bool)
    for split in range(tree.n_splits - 1, -1, -1):
        if ends[split]:
            node = tree.left[split]
            while node >= 0:
                node = tree.left[node]
            stands[split] = node
    # From the deepest up: a leaf that stands for two splits speaks for the upper one.
    for split in np.flatnonzero(ends)[::-1]:
        theta[~stands[split]] = values[split]
        ended[~stands[split]] = True
    left, right = (
        np.where(children >= 0, stands[np.maximum(children, 0)], children)
        for children in (tree.left, tree.right)
    )
    linear = tree.linear and tree.linear.with_constants(ended, theta)
    cut = tree._replace(left=left, right=right, values=theta, linear=linear)
    return part_below(cut, int(stands[0]))
