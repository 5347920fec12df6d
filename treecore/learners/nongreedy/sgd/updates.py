"""The gradient steps of joint learning: on the rows of W along two paths, and on one leaf.

A step on W is ``w_i += eta (h_i - g_i) x``. The code g leads to the leaf of loss-augmented
inference; h is sgn(Wx), or in Stable SGD the code that leads to the leaf x is assigned to. Off its
path a code follows sgn(Wx), so only splits on the two paths can have ``h_i != g_i``.

Nodes are int64 in all kernels here: what is called with int32 as well is compiled a second time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.learners.nongreedy.sgd.batches import queue_gradient
from treecore.learners.nongreedy.weight_rows import add_scaled_row, split_score
from treecore.losses.base import gradient_step, grow_bound


class StepRule(NamedTuple):
    """How long the steps of some visits are, and by which inference they are found.

    Visit i of the pass has the learning rate ``eta + i * slope``, after ``n_before`` visits by
    earlier calls; nu: greatest squared norm of a row of W.
    """

    exact: bool
    eta: float
    nu: float
    slope: float = 0.0
    n_before: int = 0


@kernel(pasted=True)
def turn(tree, node, towards_right, x, eta, nu, batches, turned):
    """Step on one row of W: ``2 eta x`` more or less, so that x goes right or left the more.

    batches: where the step is only added to the gradient, or None; turned: receives 1 or -1.
    """
    step = np.float32(2.0 * eta) if towards_right else np.float32(-2.0 * eta)
    if batches is None:
        add_scaled_row(tree.W, node, step, x, nu)
    else:
        queue_gradient(batches, node, step, x)
    if turned is not None:
        turned[node] = 1 if towards_right else -1


@kernel(pasted=True)
def push_away(tree, x, g_leaf, eta, nu, batches=None, turned=None):
    """Step on W: turn every split on the path to ``g_leaf`` that x disagrees with away from it."""
    child = ~g_leaf
    node = np.int64(tree.leaf_parent[g_leaf])
    while node >= 0:
        h_right = tree.score[node] > 0
        if h_right != (tree.right[node] == child):
            turn(tree, node, h_right, x, eta, nu, batches, turned)
        child = node
        node = tree.split_parent[node]


@kernel(pasted=True)
def leaf_gradient_step(tree, leaf, y, eta):
    """Step on Theta: one leaf, its losses, and the bounds above it as far as they change."""
    tables, theta = tree.tables, tree.theta
    left, right, split_parent = tree.left, tree.right, tree.split_parent
    gradient_step(tables, theta, leaf, y, eta)
    node = np.int64(tree.leaf_parent[leaf])
    while node >= 0:
        if not grow_bound(tables, theta, node, left, right):
            break
        node = split_parent[node]


@kernel
def assigned_loss(tree, x, leaf):
    """What x loses against sgn(Wx) by going to a leaf: summed 2 |s_i| where it disagrees."""
    child = ~leaf
    node = np.int64(tree.leaf_parent[leaf])
    lost = np.float32(0.0)
    while node >= 0:
        s = split_score(tree.W, node, x)
        tree.score[node] = s
        if (s > 0) != (tree.right[node] == child):
            lost += np.float32(2.0) * abs(s)
        child = node
        node = tree.split_parent[node]
    return lost


@kernel
def pull_and_push(tree, x, a_leaf, g_leaf, eta, nu, side, batches=None, turned=None):
    """Step on W by ``eta (h - g) x``, with h towards ``a_leaf`` and g towards ``g_leaf``.

    ``score`` must hold the scores of both paths; side: int8 (n_splits,), zero before and after.
    """
    child, node = ~a_leaf, np.int64(tree.leaf_parent[a_leaf])
    while node >= 0:
        side[node] = 1 if tree.right[node] == child else -1
        child, node = node, tree.split_parent[node]

    child, node = ~g_leaf, np.int64(tree.leaf_parent[g_leaf])
    while node >= 0:
        g_right = tree.right[node] == child
        on_both = side[node] != 0
        h_right = side[node] > 0 if on_both else tree.score[node] > 0
        side[node] = 0  # done with this one, whichever path it is on
        if g_right != h_right:
            turn(tree, node, h_right, x, eta, nu, batches, turned)
        child, node = node, tree.split_parent[node]

    child, node = ~a_leaf, np.int64(tree.leaf_parent[a_leaf])
    while node >= 0 and side[node] != 0:  # the part of a_leaf's path below the fork
        h_right = side[node] > 0
        side[node] = 0
        if h_right != (tree.score[node] > 0):
            turn(tree, node, h_right, x, eta, nu, batches, turned)
        child, node = node, tree.split_parent[node]
