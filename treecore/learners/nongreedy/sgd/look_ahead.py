"""The decision paths of the next few rows, found together before it is their turn.

What one row turns, the next one must see. But a row turns few splits. So the paths of some rows are
found ahead, level by level, where one row alone would wait for each of its products::

    ahead       row 0   row 1   row 2   ...  row 7      all with W as it is
    in turn     row 0   its path as found, then its own search and its update, which turns split 5
                row 1   its path as found
                row 2   its path as found down to split 5, whose product is computed anew,
                        and from there on wherever it leads now

A score that is not computed anew has been computed from the same numbers by the same ``dot``: no
bit depends on how many rows are looked ahead at, nor on where a run is cut.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import dot, kernel
from treecore.learners.nongreedy.joint_tree import TrainingTree
from treecore.learners.nongreedy.weight_rows import split_score

ROWS = 8
"""Rows whose paths are found together: of more, more are stale."""


class PathsAhead(NamedTuple):
    """Paths of some rows, found before it is their turn: splits from the root on, then ``~leaf``.

    node, score: (ROWS, depth + 1); turned: int8 (n_splits,), not 0 where a split has been turned
    since; at, who: (ROWS,), work space.
    """

    node: np.ndarray
    score: np.ndarray
    turned: np.ndarray
    at: np.ndarray
    who: np.ndarray


def paths_ahead(tree: TrainingTree) -> PathsAhead:
    """Room for paths in a tree."""
    shape = ROWS, len(tree.stack)
    return PathsAhead(
        np.zeros(shape, dtype=np.int32),
        np.zeros(shape, dtype=np.float32),
        np.zeros(len(tree.left), dtype=np.int8),
        np.zeros(ROWS, dtype=np.int32),
        np.zeros(ROWS, dtype=np.uint32),
    )


@kernel(pasted=True)
def find_paths(tree, X, rows, first, ahead):
    """Find the paths of the next ``ROWS`` of ``rows`` from visit ``first`` on."""
    W, left, right = tree.W, tree.left, tree.right
    ahead.turned[:] = 0
    node, score, at, who = ahead.node, ahead.score, ahead.at, ahead.who
    n_moving = min(ROWS, rows.shape[0] - first) if left.shape[0] > 0 else 0
    for e in range(n_moving):
        at[e], who[e] = 0, e
    level = 0
    while n_moving > 0:
        n_next = 0
        for r in range(n_moving):  # no step waits for the one before it, and none is a branch
            split, e = np.uint32(at[r]), who[r]
            s = dot(W[split], X[rows[first + e]])
            to_left, to_right = left[split], right[split]
            child = to_right if s > 0 else to_left
            node[e, level], score[e, level] = split, s
            node[e, level + 1] = child
            at[n_next], who[n_next] = child, e
            n_next += child >= 0
        n_moving = n_next
        level += 1


@kernel(pasted=True)
def follow_found(tree, x, e, ahead):
    """Follow path e, found ahead, in the tree as it is now; see ``inference.follow_path``."""
    W, left, right = tree.W, tree.left, tree.right
    stack, penalty, score = tree.stack, tree.penalty, tree.score
    found, found_score, turned = ahead.node, ahead.score, ahead.turned
    top, node = 0, 0 if left.shape[0] > 0 else -1
    known = True
    while node >= 0:
        fresh = known and turned[node] == 0
        s = found_score[e, top] if fresh else split_score(W, node, x)
        score[node] = s
        near, far = left[node], right[node]
        if s > 0:
            near, far = far, near
        stack[top], node = far, near
        penalty[top] = np.float32(2.0) * abs(s)
        top += 1
        known = known and found[e, top] == node
    return ~node, top
