"""Mini-batches: forward pass, backward pass, and one step of everything that is learnt."""

from __future__ import annotations

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.learners.hinge.augmentation import move_image
from treecore.learners.hinge.gradients import loss_gradient, train_step
from treecore.learners.hinge.layer import (
    filter_gradient,
    filter_responses,
    normalise,
    standardise,
    update_statistics,
)
from treecore.learners.hinge.optimizers import BETA1, BETA2, move_row
from treecore.learners.hinge.traversal import add_leaf, descend_all


@kernel(allocates=True)
def learn_batches(
    layer, variance, trees, memory, work, depth, base, X, y, weight, order, size, first, last,
    rates, method, pace, unit, tree_weight, augmentation, sums,
):  # fmt: skip
    """Learn from mini-batches ``first`` to ``last`` (exclusive) of a pass over the rows.

    pace: what a batch counts in the running means of the features; rates: float64 (last - first,);
    tree_weight: float32 (last - first, n_trees), 0: dropped out; sums: float64 (4,).
    """
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
        if pace > 0:
            update_statistics(layer, variance, work.z, pace)
        for b in range(size):
            normalise(layer, work.z[b])
            work.out[b] = base
        descend_all(trees, depth, work.z, work.leaf, work.nearest, work.margin)
        for m in range(trees.feature.shape[0]):
            if tree_weight[i - first, m] > 0:
                for b in range(size):
                    strength = tree_weight[i - first, m] * abs(work.margin[m, b])
                    add_leaf(work.out, b, trees.weights, m, work.leaf[m, b], strength)
        loss, error = loss_gradient(work.out, rows_y, rows_weight, unit, work.dout)
        sums[0] += 1.0
        sums[1] += loss
        sums[2] += error
        rate, rate2 = rates[i - first], 1.0
        if method == 1:
            rate /= 1.0 - np.float64(BETA1) ** sums[0]
            rate2 = 1.0 / (1.0 - np.float64(BETA2) ** sums[0])
        rate, rate2 = np.float32(rate), np.float32(rate2)
        train_step(trees, memory, work, size, tree_weight[i - first], method, rate, rate2)
        if layer.filters.shape[0] > 0:
            filter_gradient(layer, work.x, work.dz, work.filters)
            for t in range(layer.filters.shape[0]):
                move_row(
                    method, layer.filters[t], work.filters[t],
                    memory.filters1[t], memory.filters2[t], rate, rate2,
                )  # fmt: skip
