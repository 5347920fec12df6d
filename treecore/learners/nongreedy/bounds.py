"""The bound of single examples, and the margin of every split: for whoever draws a recorded tree.

Where ``2 r_i`` is the range of the losses below split i, and ``|s_i| >= r_i`` at all splits on an
example's path, its bound is its loss: for a leaf below split i, on the other side,

    v_j <= l(theta_j, y) - 2 |s_i| <= l(theta_j, y) - 2 r_i <= l(theta_h, y)

So ``|s_i| = r_i`` are the edges of the split's *margin*, which is wider for a smaller ``nu``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.core.descent import DescentSpace, descend
from treecore.core.scaling import Scaling
from treecore.core.tree import OBLIQUE, Tree
from treecore.learners.nongreedy.inference import infer
from treecore.learners.nongreedy.joint_tree import TrainingTree
from treecore.losses.base import Loss, fill_leaves, fill_splits, row_costs


@kernel
def bound_rows(tree, X, y, exact, bound):
    """Write the surrogate bound of every row (n_samples, width), float32 (n_samples,)."""
    for i in range(bound.shape[0]):
        _, _, bound[i], _ = infer(tree, X[i], y[i], exact)


@kernel
def half_ranges(leaf_loss, left, right, low, high, out):
    """Write half the greatest range, over classes, of the losses below each split, (n_splits,)."""
    for split in range(out.shape[0] - 1, -1, -1):  # children are numbered after their parents
        a, b = left[split], right[split]
        widest = np.float32(0.0)
        for c in range(leaf_loss.shape[1]):
            low[split, c] = min(
                low[a, c] if a >= 0 else leaf_loss[~a, c], low[b, c] if b >= 0 else leaf_loss[~b, c]
            )
            high[split, c] = max(
                high[a, c] if a >= 0 else leaf_loss[~a, c],
                high[b, c] if b >= 0 else leaf_loss[~b, c],
            )
            widest = max(widest, high[split, c] - low[split, c])
        out[split] = np.float32(0.5) * widest


def scaled_weights(tree: Tree, scaling: Scaling) -> np.ndarray:
    """Rows of W (n_splits, width) of a raw oblique tree; ValueError for a split on one feature."""
    if (tree.feature != OBLIQUE).any():
        raise ValueError("a tree with axis-aligned splits has no bound")
    return scaling.to_scaled_weights(tree).astype(np.float32)


class PointFigures(NamedTuple):
    """What a tree says of single examples: leaf, loss, and bound or (0,), each (n_samples,).

    reach: (n_splits,), r_i of every split, see the module docstring; None for numbers.
    """

    leaf: np.ndarray
    loss: np.ndarray
    bound: np.ndarray
    reach: np.ndarray | None


class Bounded(NamedTuple):
    """What bounds are computed from besides the tree; rows: (n_samples, width), scaled."""

    scaling: Scaling
    rows: np.ndarray
    exact: bool


@kernel(allocates=True)
def look_at_points(
    splits, theta, tables, X, holes, y, W, rows, exact, space, leaf, loss, bound, reach
):
    """Write all that :class:`PointFigures` has: one call, since each waits for Python's lock."""
    left, right = splits[4], splits[5]
    n_splits = left.shape[0]
    descend(splits, 0 if n_splits > 0 else -1, X, holes, leaf, space)
    fill_leaves(tables, theta)
    fill_splits(tables, theta, left, right)
    row_costs(tables, theta, leaf, y, loss)
    if reach is not None:
        low = np.empty((n_splits, theta.shape[1]), dtype=np.float32)
        half_ranges(tables.leaf_loss, left, right, low, np.empty_like(low), reach)
    if bound.shape[0] > 0:
        # Inference reads no parents, and its search is nowhere deeper than there are splits.
        none, score = np.empty(0, dtype=np.int32), np.empty(n_splits, dtype=np.float32)
        stack = np.empty(n_splits + 1, dtype=np.int32)
        penalty = np.empty(n_splits + 1, dtype=np.float32)
        tree = TrainingTree(W, left, right, none, none, theta, tables, score, stack, penalty)
        bound_rows(tree, rows, y, exact, bound)


def figures_of_points(
    tree: Tree, X: np.ndarray, y: np.ndarray, loss: Loss, bounded: Bounded | None = None
) -> PointFigures:
    """The figures of raw rows, NaN where missing; the tree's values are as the learner has them."""
    # Without bounds the kernel reads neither rows nor W; their types choose its machine code.
    rows = W = np.empty((0, 0), dtype=np.float32)
    exact = False
    if bounded is not None:
        W, rows, exact = scaled_weights(tree, bounded.scaling), bounded.rows, bounded.exact
    found = PointFigures(
        leaf=np.empty(len(y), dtype=np.int32),
        loss=np.empty(len(y), dtype=np.float32),
        bound=np.empty(0 if bounded is None else len(y), dtype=np.float32),
        reach=np.empty(tree.n_splits, np.float32) if loss.task == "classification" else None,
    )
    tables = loss.make_tables(tree.n_splits, *tree.values.shape)
    space = DescentSpace.of(X.shape[1])
    look_at_points(tree.splits, tree.values, tables, X, True, y, W, rows, exact, space, *found)
    return found
