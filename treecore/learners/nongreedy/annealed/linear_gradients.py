"""Annealed learning where leaves are linear: theta is a vector of weights per leaf and output.

A row's expected cost is still linear in its turns, with the cost of every leaf that of the leaf's
own prediction for the row; by the weights of a leaf the gradient is that by its prediction, times
the row.
"""

from __future__ import annotations

import numpy as np

from treecore.core.kernels import borrow, kernel
from treecore.core.rows import add_scaled, add_to_row, inner, row_at
from treecore.learners.nongreedy.annealed.soft_routing import soft_route
from treecore.losses.base import leaf_cost
from treecore.losses.separable import psi


@kernel
def learn_linear(
    tree, models, X, y, weight, rows, beta, predicted, costs, model_gradient, gradient, work
):
    """Gradients of the expected cost of some rows, summed, where leaves are linear.

    Parameters
    ----------
    tree, X, y, weight, rows, beta, work
        See :func:`treecore.learners.nongreedy.annealed.soft_routing.learn_numbers`.
    models : float32 array, shape (n_leaves, n_outputs, width)
        Weights of the leaves, the constant's among them.
    predicted : float32 array, shape (n_leaves, n_outputs)
    costs : float32 array, shape (n_leaves,)
        Work space.
    model_gradient : OUT float32 array, shape (n_leaves, n_outputs, width)
        By the models.
    gradient : OUT float32 array, shape (n_splits, width)
        By W.

    Returns
    -------
    float
        The sum of the weighted expected costs.
    """
    model_gradient[:] = 0.0
    gradient[:] = 0.0
    total = 0.0
    tree, X, work = borrow(tree), borrow(X), borrow(work)
    left, right, W = tree.left, tree.right, tree.W
    path, score_gradient, reach = work.path, work.score_gradient, work.reach
    for row in rows:
        if weight[row] == 0.0:
            continue
        x = row_at(X, row)
        for leaf in range(costs.shape[0]):
            for q in range(y.shape[1]):
                predicted[leaf, q] = inner(x, models[leaf, q])
            costs[leaf] = leaf_cost(tree.tables, predicted, leaf, y[row])
        reach[:] = 0.0
        n_reached, expected = soft_route(left, right, W, x, costs, beta, work)
        total += weight[row] * expected
        for leaf in range(costs.shape[0]):
            if reach[leaf] > 0.0:
                for q in range(y.shape[1]):
                    residual = np.float64(predicted[leaf, q]) - np.float64(y[row, q])
                    share = weight[row] * reach[leaf]
                    step = share * np.float32(psi(tree.tables, residual))
                    add_scaled(x, step, model_gradient[leaf, q])
        for k in range(n_reached):
            add_to_row(x, weight[row] * score_gradient[k], gradient, path[k])
    return total
