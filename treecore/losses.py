"""Losses on leaf values: what a leaf costs an example, its gradient, and the best constant.

Log loss (eq. 2 of Norouzi et al. 2015): ``l(theta, y) = -theta[y] + log sum_c exp(theta[c])``.

A loss takes part in branch and bound through a table. ``leaf_loss[j, y]`` is what leaf ``j``
costs an example of class ``y``, and ``subtree_loss[i, y]`` never underestimates any leaf below
split ``i`` (for the log loss it is their maximum, so it is tight).
"""

from __future__ import annotations

import math

import numpy as np

from treecore.kernels import kernel

GREATEST_LOSS = 1e30
"""Losses end here, in nats; float32 ends at 3.4e38, and sums of bounds need room."""


def class_log_odds(counts: np.ndarray, smoothing: float = 1.0) -> np.ndarray:
    """Leaf values that minimise the log loss of smoothed class counts.

    Parameters
    ----------
    counts : array, shape (n_leaves, n_classes)
        Training examples of each class in each leaf; empty leaves are allowed.
    smoothing : float
        Examples added to every leaf, shared equally among the classes, so that no probability
        is zero and no loss infinite. Must be positive.

    Returns
    -------
    float32 array, shape (n_leaves, n_classes)
        ``log((counts + smoothing / k) / (n + smoothing))``.
    """
    counts = np.asarray(counts, dtype=np.float64)
    n_classes = counts.shape[1]
    total = counts.sum(axis=1, keepdims=True)
    share = (counts + smoothing / n_classes) / (total + smoothing)
    return np.log(share).astype(np.float32)


@kernel
def log_loss_row(theta, out):
    """Write ``l(theta, y)`` for every class y into ``out``; both have shape (n_classes,).

    The sum runs in float64: a leaf's losses must not depend on how the compiler orders it.
    """
    n_classes = theta.shape[0]
    greatest = theta[0]
    for c in range(1, n_classes):
        if theta[c] > greatest:
            greatest = theta[c]
    total = 0.0
    for c in range(n_classes):
        total += math.exp(np.float64(theta[c]) - np.float64(greatest))
    log_total = math.log(total) + np.float64(greatest)
    for c in range(n_classes):
        # Leaf values may be anything finite, and so must losses be.
        out[c] = np.float32(min(log_total - np.float64(theta[c]), GREATEST_LOSS))


@kernel
def log_loss_step(theta, losses, y, eta):
    """Gradient step of size ``eta`` on ``l(theta, y)``, in place (Algorithm 1, line 10).

    ``losses`` are the leaf's current losses from :func:`log_loss_row`, so that the softmax is
    ``exp(-losses)`` and needs no second sum.
    """
    for c in range(theta.shape[0]):
        gradient = math.exp(-np.float64(losses[c]))
        if c == y:
            gradient -= 1.0
        theta[c] = np.float32(np.float64(theta[c]) - eta * gradient)


@kernel
def leaf_losses(values, out):
    """Write the loss table of all leaves, both of shape (n_leaves, n_classes)."""
    for leaf in range(values.shape[0]):
        log_loss_row(values[leaf], out[leaf])


@kernel
def subtree_losses(left, right, leaf_loss, out):
    """Write the greatest loss below every split into ``out``, shape (n_splits, n_classes).

    Children are numbered after their parents, so one pass from the back suffices.
    """
    for split in range(left.shape[0] - 1, -1, -1):
        raise_to_children(split, left, right, leaf_loss, out)


@kernel
def raise_to_children(split, left, right, leaf_loss, subtree_loss):
    """Set one row of ``subtree_loss`` from the two children; return whether it changed."""
    a, b = left[split], right[split]
    changed = False
    for c in range(leaf_loss.shape[1]):
        x = subtree_loss[a, c] if a >= 0 else leaf_loss[~a, c]
        y = subtree_loss[b, c] if b >= 0 else leaf_loss[~b, c]
        greatest = x if x > y else y
        if greatest != subtree_loss[split, c]:
            subtree_loss[split, c] = greatest
            changed = True
    return changed
