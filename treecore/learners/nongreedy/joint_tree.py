"""The tree while all of it is being learnt: its rows, and the bounds that inference needs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.core.tree import Tree, parents, tree_depth
from treecore.losses.base import Loss
from treecore.losses.log import LOG
from treecore.rows.aligned import aligned


class TrainingTree(NamedTuple):
    """A tree in training coordinates, with everything that loss-augmented inference reads.

    - W: float32 (n_splits, width), offsets inside; theta: float32 (n_leaves, n_outputs).
    - split_parent, leaf_parent: int32, -1 for the root; tables: of the loss, always up to date.
    - score: float32 (n_splits,), of the splits that the last inference visited; stale elsewhere.
    - stack, penalty: (depth + 1,), work space of inference.
    """

    W: np.ndarray
    left: np.ndarray
    right: np.ndarray
    split_parent: np.ndarray
    leaf_parent: np.ndarray
    theta: np.ndarray
    tables: NamedTuple
    score: np.ndarray
    stack: np.ndarray
    penalty: np.ndarray


def make_joint(tree: Tree, W: np.ndarray, loss: Loss = LOG) -> TrainingTree:
    """A :class:`TrainingTree` of the shape and values of ``tree`` with rows ``W``."""
    split_parent, leaf_parent = parents(tree)
    depth = tree_depth(tree)
    theta = tree.values.copy()
    return TrainingTree(
        W=aligned(W),
        left=tree.left.copy(),
        right=tree.right.copy(),
        split_parent=split_parent,
        leaf_parent=leaf_parent,
        theta=theta,
        tables=loss.tables(theta, tree.left, tree.right),
        score=np.zeros(tree.n_splits, dtype=np.float32),
        stack=np.zeros(depth + 1, dtype=np.int32),
        penalty=np.zeros(depth + 1, dtype=np.float32),
    )
