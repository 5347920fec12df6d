"""Mini-batches: forward pass, backward pass, and one step of everything that is learnt."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.learners.hinge.augmentation import move_image
from treecore.learners.hinge.gradients import BatchBuffers, loss_gradient, train_step
from treecore.learners.hinge.layer import (
    Layer,
    filter_gradient,
    filter_responses,
    normalise,
    standardise,
    update_statistics,
)
from treecore.learners.hinge.optimizers import BETA1, BETA2, OptimizerState, move_row
from treecore.learners.hinge.traversal import Trees, add_leaf, descend_all


class HingeRun(NamedTuple):
    """What mini-batches read and change: the forest, its optimizer, rows and work space.

    - variance: float32 (n_filters,), running; base: float32 (n_outputs,).
    - X, y, weight: float32 (n_samples, n_features), targets, float32 (n_samples,).
    - unit: float64 (n_outputs,), see ``loss_gradient``; sums: float64 (4,), batches, their loss
      and error, weight of their rows.
    - depth, size, method: of the trees; rows of a batch; one of ``OPTIMIZERS``.
    - pace: what a batch counts in the running means of the features.
    """

    layer: Layer
    variance: np.ndarray
    trees: Trees
    memory: OptimizerState
    work: BatchBuffers
    base: np.ndarray
    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray
    unit: np.ndarray
    sums: np.ndarray
    depth: int
    size: int
    method: int
    pace: float


@kernel(allocates=True)
def learn_batches(run, order, first, last, rates, tree_weight, augmentation):
    """Learn from mini-batches ``first`` to ``last`` (exclusive) of a pass over the rows.

    rates: float64 (last - first,); tree_weight: float32 (last - first, n_trees), 0: dropped out.
    """
    layer, trees, work, size, sums = run.layer, run.trees, run.work, run.size, run.sums
    X, y, weight, depth, method = run.X, run.y, run.weight, run.depth, run.method
    rows_y, rows_weight = np.empty_like(y[:size]), np.empty(size, dtype=np.float32)
    moved = np.empty_like(X[0])
    for i in range(first, last):
        rows = order[i * size : (i + 1) * size]
        for b in range(size):
            row = rows[b]
            if augmentation.moves.shape[0] > 0:
                move = augmentation.moves[i - first, b]
                move_image(X[row], augmentation.width, move[0], move[1], moved)
                standardise(layer, moved, work.x[b])
            else:
                standardise(layer, X[row], work.x[b])
            if augmentation.noise.shape[0] > 0:
                for j in range(X.shape[1]):
                    work.x[b, j] += augmentation.noise[i - first, b, j]
            filter_responses(layer, work.x[b], work.z[b])
            rows_y[b] = y[row]
            rows_weight[b] = weight[row]
            sums[3] += weight[row]
        if run.pace > 0:
            update_statistics(layer, run.variance, work.z, run.pace)
        for b in range(size):
            normalise(layer, work.z[b])
            work.out[b] = run.base
        descend_all(trees, depth, work.z, work.leaf, work.nearest, work.margin)
        for m in range(trees.feature.shape[0]):
            if tree_weight[i - first, m] > 0:
                for b in range(size):
                    strength = tree_weight[i - first, m] * abs(work.margin[m, b])
                    add_leaf(work.out, b, trees.weights, m, work.leaf[m, b], strength)
        loss, error = loss_gradient(work.out, rows_y, rows_weight, run.unit, work.dout)
        sums[0] += 1.0
        sums[1] += loss
        sums[2] += error
        rate, rate2 = rates[i - first], 1.0
        if method == 1:
            rate /= 1.0 - np.float64(BETA1) ** sums[0]
            rate2 = 1.0 / (1.0 - np.float64(BETA2) ** sums[0])
        rate, rate2 = np.float32(rate), np.float32(rate2)
        train_step(trees, run.memory, work, size, tree_weight[i - first], method, rate, rate2)
        if layer.filters.shape[0] > 0:
            filter_gradient(layer, work.x, work.dz, work.filters)
            for t in range(layer.filters.shape[0]):
                move_row(
                    method, layer.filters[t], work.filters[t],
                    run.memory.filters1[t], run.memory.filters2[t], rate, rate2,
                )  # fmt: skip
