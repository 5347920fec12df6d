"""The bound of single examples, and how far from a split it can still be felt: for looking at.

Learning needs only the sum of the bounds. Whoever draws a tree wants each example's own, of a tree
that was recorded a moment ago and whose learner has gone on since. A recorded tree reads raw
features; its scores are those in training coordinates, so its rows of W can be had back.

An example at which ``|s_i| >= r_i`` for all splits on its path has nothing to fear: for a leaf
below split i, on the other side,

    v_j <= l(theta_j, y) - 2 |s_i| <= l(theta_j, y) - 2 r_i <= l(theta_h, y)

when ``2 r_i`` is the range of the losses below split i. Its bound is its loss. So ``|s_i| = r_i``
are the edges of the split's *margin*, which is the wider in the data's own units the smaller the
weights, that is, the smaller ``nu``.
"""

from __future__ import annotations

import numpy as np

from treecore.core.kernels import kernel
from treecore.core.rows import row_at
from treecore.core.scaling import Scaling
from treecore.core.tree import OBLIQUE, Tree
from treecore.learners.nongreedy.inference import infer
from treecore.learners.nongreedy.joint_tree import make_joint
from treecore.losses.base import Loss


@kernel
def bound_rows(tree, X, y, exact, bound):
    """Write the surrogate bound of every row.

    Parameters
    ----------
    tree : TrainingTree
    X : float32 array, shape (n_samples, width), or SparseRows
    y : int64 array, shape (n_samples,), or float32 array, shape (n_samples, n_outputs)
    exact : bool
    bound : OUT float32 array, shape (n_samples,)
    """
    for i in range(bound.shape[0]):
        _, _, bound[i], _ = infer(tree, row_at(X, i), y[i], exact)


@kernel
def half_ranges(leaf_loss, left, right, low, high, out):
    """Write half the greatest range, over the classes, of the losses of the leaves below a split.

    Parameters
    ----------
    leaf_loss : float32 array, shape (n_leaves, n_classes)
    left, right : int32 arrays, shape (n_splits,)
    low, high : OUT float32 arrays, shape (n_splits, n_classes)
        The least and the greatest loss below every split.
    out : OUT float32 array, shape (n_splits,)
    """
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
    """Rows of W in training coordinates whose scores are those of an oblique tree.

    The inverse of :meth:`treecore.core.scaling.Scaling.to_raw_tree`.

    Parameters
    ----------
    tree : Tree
        Reads raw features.
    scaling : Scaling

    Returns
    -------
    float32 array, shape (n_splits, width)

    Raises
    ------
    ValueError
        When a split is axis-aligned: such a tree has no rows of W, and no bound.
    """
    if (tree.feature != OBLIQUE).any():
        raise ValueError("a tree with axis-aligned splits has no bound")
    p = scaling.n_features
    W = np.zeros((tree.n_splits, scaling.width))
    weights = tree.weights[tree.row].astype(np.float64)
    W[:, :p] = weights * (scaling.deviation / scaling.factor)
    W[:, p] = (tree.threshold - (weights * scaling.mean).sum(axis=1)) / scaling.factor
    return W.astype(np.float32)


def row_bounds(
    tree: Tree, scaling: Scaling, rows, y: np.ndarray, loss: Loss, *, exact: bool
) -> np.ndarray:
    """The surrogate bound of every row, float32 (n_samples,), in nats for the log loss.

    Parameters
    ----------
    tree : Tree
        Oblique, with values as the learner has them (numbers in standard deviations).
    scaling : Scaling
        That of the training rows.
    rows : float32 array, shape (n_samples, width), or SparseRows
        In training coordinates; see :meth:`Scaling.transform`.
    y : int64 array, shape (n_samples,), or float32 array, shape (n_samples, n_outputs)
    loss : Loss
    exact : bool
        All codes may challenge, or those one decision away.

    Raises
    ------
    ValueError
        When a split is axis-aligned.
    """
    joint = make_joint(tree, scaled_weights(tree, scaling), loss)
    bound = np.empty(len(y), dtype=np.float32)
    bound_rows(joint, rows, y, exact, bound)
    return bound


def margin_edges(tree: Tree, loss: Loss) -> np.ndarray:
    """r_i of every split, see the module docstring.

    Parameters
    ----------
    tree : Tree
    loss : Loss
        For classes.

    Returns
    -------
    float32 array, shape (n_splits,)
        In units of scores.
    """
    tables = loss.tables(tree.values, tree.left, tree.right)
    low = np.empty((tree.n_splits, tree.n_outputs), dtype=np.float32)
    out = np.empty(tree.n_splits, dtype=np.float32)
    half_ranges(tables.leaf_loss, tree.left, tree.right, low, np.empty_like(low), out)
    return out
