"""A tree with a row of weights to spare for every split, so that single ones can become oblique."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.core.tree import OBLIQUE, Tree, make_tree, means_go_left


class EditableSplit(NamedTuple):
    """One split of the tree: what is read, and from where on a row goes right."""

    feature: int
    weights: np.ndarray
    threshold: np.float32


def with_a_row_each(tree: Tree) -> Tree:
    """A copy of ``tree`` in which axis-aligned splits have a spare row of weights, too."""
    weights = np.zeros((tree.n_splits, tree.n_features), dtype=np.float32)
    oblique = np.flatnonzero(tree.feature == OBLIQUE)
    weights[oblique] = tree.weights[tree.row[oblique]]
    row_of_split = np.arange(tree.n_splits, dtype=np.int32)
    return tree.without_linear().copy()._replace(weights=weights, row=row_of_split)


def compact_tree(tree: Tree) -> Tree:
    """A copy of ``tree`` as a checked tree: rows of weights for the oblique splits only."""
    oblique = tree.feature == OBLIQUE
    row = np.where(oblique, np.cumsum(oblique) - 1, -1)
    parts = tree._replace(weights=tree.weights[tree.row[oblique]], row=row)
    parts = parts._replace(missing_left=means_go_left(parts))  # as it was trained
    return make_tree(*parts.copy())


def get_split(tree: Tree, split: int) -> EditableSplit:
    """One split of the tree; its weights are a copy."""
    row = tree.row[split]
    weights = tree.weights[row].copy() if row >= 0 else tree.weights[:0].ravel()
    return EditableSplit(int(tree.feature[split]), weights, tree.threshold[split])


def set_split(tree: Tree, split: int, cut: EditableSplit) -> None:
    """Replace one split of the tree, in place; it has a row of weights where it becomes oblique."""
    tree.feature[split], tree.threshold[split] = cut.feature, cut.threshold
    if cut.feature == OBLIQUE:
        tree.weights[tree.row[split]] = cut.weights


def same_split(a: EditableSplit, b: EditableSplit) -> bool:
    """Whether two splits are equal in every part."""
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in a._fields)
