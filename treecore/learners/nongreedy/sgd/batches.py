"""Mini-batches and momentum: one step for the mean gradient of several examples.

All examples of a batch meet the same tree; then every split that one of them pushes makes one step,
with the mean ``G_i`` of their gradients, ::

    V_i  <-  momentum V_i + G_i          w_i  <-  w_i + eta V_i,   projected to ||w_i||^2 <= nu

and every leaf learns from its examples of the batch, each with its share of ``eta``. The velocity
V_i of a split that no example pushes waits, so a batch costs no more than its examples do.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import add_scaled, kernel
from treecore.learners.nongreedy.weight_rows import project


class Batches(NamedTuple):
    """Gradients and velocities of mini-batches, float32 (n_splits, width).

    waiting: bool (n_splits,), rows that the batch has pushed; queue: int32, these in order, and at
    the end their number; leaf: int32 (batch,), of inference; momentum: float32 (1,).
    """

    gradient: np.ndarray
    velocity: np.ndarray
    waiting: np.ndarray
    queue: np.ndarray
    leaf: np.ndarray
    momentum: np.ndarray


def make_batches(W: np.ndarray, size: int, momentum: float) -> Batches:
    """Room for batches of ``size`` examples; rows W, float32 (n_splits, width), at rest."""
    n = len(W)
    return Batches(
        np.zeros_like(W),
        np.zeros_like(W),
        np.zeros(n, dtype=np.bool_),
        np.zeros(n + 1, dtype=np.int32),
        np.empty(size, dtype=np.int32),
        np.array([momentum], dtype=np.float32),
    )


@kernel
def queue_gradient(batches, split, step, x):
    """Add ``step`` times x to the gradient of a row, and note that the row is pushed."""
    if not batches.waiting[split]:
        batches.waiting[split] = True
        batches.queue[batches.queue[-1]] = split
        batches.queue[-1] += 1
    add_scaled(x, step, batches.gradient[split])


@kernel
def make_steps(W, batches, eta, nu):
    """Move every row that was pushed, and clear the gradients; eta: learning rate."""
    decay, rate = batches.momentum[0], np.float32(eta)
    for k in range(batches.queue[-1]):
        split = batches.queue[k]
        w, gradient, velocity = W[split], batches.gradient[split], batches.velocity[split]
        for j in range(w.shape[0]):
            velocity[j] = decay * velocity[j] + gradient[j]
            w[j] += rate * velocity[j]
            gradient[j] = np.float32(0.0)
        project(W, split, nu)
        batches.waiting[split] = False
    batches.queue[-1] = 0
