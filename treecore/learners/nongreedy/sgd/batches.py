"""Mini-batches and momentum: one step for the mean gradient of several examples.

The paper uses both and leaves their details open. We choose: all examples of a batch meet the
same tree; then every split that one of them pushes makes one step, with the mean ``G_i`` of their
gradients, ::

    V_i  <-  momentum V_i + G_i          w_i  <-  w_i + eta V_i,   projected to ||w_i||^2 <= nu

and every leaf learns from its examples of the batch, each with its share of ``eta``. The velocity
V_i of a split that no example pushes waits: few splits are pushed at a time, and so a batch costs
no more than its examples do. Splits far down then keep their momentum over as many of *their own*
steps as the root does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.dispatch import implements
from treecore.compiling.kernels import add_scaled, kernel
from treecore.learners.nongreedy.inference import infer
from treecore.learners.nongreedy.sgd.updates import (
    assigned_loss,
    leaf_gradient_step,
    pull_and_push,
    push_away,
)
from treecore.learners.nongreedy.weight_rows import add_scaled_row, project, row_norms, split_score


class MomentumRows(NamedTuple):
    """W with the gradients and velocities of mini-batches.

    - W: float32 (n_splits, width).
    - gradient: float32 (n_splits, width), sum over the present batch.
    - velocity: float32 (n_splits, width).
    - waiting: bool (n_splits,), rows that the present batch has pushed.
    - queue: int32 (n_splits + 1,), these rows in order, and at the end how many there are.
    """

    W: np.ndarray
    gradient: np.ndarray
    velocity: np.ndarray
    waiting: np.ndarray
    queue: np.ndarray

    @classmethod
    def of(cls, W: np.ndarray) -> MomentumRows:
        """Rows W, float32 (n_splits, width), at rest; used, not copied."""
        n = len(W)
        still = np.zeros_like(W), np.zeros_like(W)
        return cls(W, *still, np.zeros(n, dtype=bool), np.zeros(n + 1, dtype=np.int32))

    def dense(self) -> np.ndarray:
        """The rows."""
        return self.W

    def apply_pending(self) -> np.ndarray:
        """The rows, to be changed."""
        return self.W

    def refresh(self) -> None:
        """Nothing depends on the rows."""

    def norms(self) -> np.ndarray:
        """The length of every row."""
        return row_norms(self.W)


@implements(split_score, MomentumRows)
def _momentum_score(W, split, x):
    return split_score(W.W, split, x)


@implements(add_scaled_row, MomentumRows)
def _queue_gradient(W, split, step, x, nu):
    if not W.waiting[split]:
        W.waiting[split] = True
        W.queue[W.queue[-1]] = split
        W.queue[-1] += 1
    add_scaled(x, step, W.gradient[split])


@kernel
def make_steps(W, momentum, eta, nu):
    """Move every row that is waiting, and clear the gradients.

    W: changed in place; momentum: share of its velocity that a row keeps; eta: learning rate; nu:
    greatest squared norm of a row.
    """
    decay, rate = np.float32(momentum), np.float32(eta)
    for k in range(W.queue[-1]):
        split = W.queue[k]
        w, gradient, velocity = W.W[split], W.gradient[split], W.velocity[split]
        for j in range(w.shape[0]):
            velocity[j] = decay * velocity[j] + gradient[j]
            w[j] += rate * velocity[j]
            gradient[j] = np.float32(0.0)
        project(W.W, split, nu)
        W.waiting[split] = False
    W.queue[-1] = 0


@kernel
def batch_rows(tree, X, y, weight, order, assigned, rule, side, sums, batch, momentum, chosen):
    """Visit some examples of a pass, one update for every ``batch`` of them.

    tree : TrainingTree
        Its W is of the type MomentumRows.
    assigned
        Empty for plain SGD.
    rule : StepRule
        A batch has the learning rate of its first visit.
    batch : int
        The last batch may be shorter; its mean is over those it has.
    momentum : float
    chosen : int32 array, shape (batch,)
        Work space.
    """
    exact, eta, nu, slope, n_before = rule
    stable = assigned.shape[0] > 0
    for first in range(0, order.shape[0], batch):
        stop = min(first + batch, order.shape[0])
        rate = eta + (n_before + first) * slope
        for i in range(first, stop):
            row = order[i]
            if weight[row] == 0.0:
                continue
            x, share = X[row], weight[row] / (stop - first)
            h_leaf, g_leaf, bound, n_products = infer(tree, x, y[row], exact)
            chosen[i - first] = g_leaf
            if stable:
                a_leaf = assigned[row]
                if a_leaf != h_leaf:
                    bound += assigned_loss(tree, x, a_leaf)
                if a_leaf != g_leaf:
                    pull_and_push(tree, x, a_leaf, g_leaf, share, nu, side)
            elif g_leaf != h_leaf:
                push_away(tree, x, g_leaf, share, nu)
            sums[0] += weight[row] * bound
            sums[1] += n_products
        make_steps(tree.W, momentum, rate, nu)
        for i in range(first, stop):
            row = order[i]
            if weight[row] > 0.0:
                share = weight[row] / (stop - first)
                leaf_gradient_step(tree, chosen[i - first], y[row], rate * share)
