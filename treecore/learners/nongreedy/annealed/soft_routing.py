"""Kernels of soft routing: a row turns right at split i with probability sigmoid(beta s_i).

Going down gives the chance r of reaching each node, coming up the expected cost V from there on::

    V_i = p_i V_right + (1 - p_i) V_left
    dV_root/ds_i = beta r_i p_i (1 - p_i) (V_right - V_left)

so two visits to a node give the expected cost of a row and its gradient by the score. Nodes that
a row hardly ever reaches are not visited at all: once turns have hardened, these are most of them
(on Letter, at depth 10, nine of ten over the run), and no matrix product could be as fast.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from treecore.core.kernels import borrow, kernel
from treecore.core.rows import add_to_row, row_at, row_inner
from treecore.losses.base import leaf_cost
from treecore.losses.separable import psi

UNREACHED = 1e-4
"""A split of lesser chance is not visited; its side counts as no better than the other one."""


class RoutingBuffers(NamedTuple):
    """Work space of :func:`soft_route`, and its result.

    Attributes
    ----------
    path : int32 array, shape (n_splits,)
        The splits that are reached, parents first.
    score_gradient : float32 array, shape (n_splits,)
        The gradient by the scores, in the order of ``path``.
    chance, turn, value : float32 arrays, shape (n_splits,)
        r, p and V of every split on ``path``.
    reach : float32 array, shape (n_leaves,)
        Raised by the chance of ending in each leaf.
    """

    path: np.ndarray
    score_gradient: np.ndarray
    chance: np.ndarray
    turn: np.ndarray
    value: np.ndarray
    reach: np.ndarray


def make_buffers(n_splits: int) -> RoutingBuffers:
    """Work space for a tree of so many splits."""
    path = np.zeros(n_splits, dtype=np.int32)
    reach = np.zeros(n_splits + 1, dtype=np.float32)
    gradient, chance, turn, value = np.zeros((4, n_splits), dtype=np.float32)
    return RoutingBuffers(path, gradient, chance, turn, value, reach)


@kernel
def soft_route(left, right, W, x, costs, beta, work):
    """Expected cost of one row, and its gradient by the scores of the splits that it reaches.

    Parameters
    ----------
    left, right : int32 arrays, shape (n_splits,)
        Child references as in :class:`treecore.core.tree.Tree`.
    W : float32 array, shape (n_splits, width)
    x : float32 array, shape (width,), or SparseRow
    costs : float32 array, shape (n_leaves,)
        What each leaf would cost the row.
    beta : float32
    work : Work
        ``path``, ``score_gradient`` and ``reach`` receive the result.

    Returns
    -------
    n_reached : int
        Entries of ``path``.
    expected : float32
        The expected cost.
    """
    path, chance, turn, value = work.path, work.chance, work.turn, work.value
    score_gradient, reach = work.score_gradient, work.reach
    one, least = np.float32(1.0), np.float32(UNREACHED)
    if left.shape[0] == 0:
        reach[0] += one
        return 0, costs[0]
    path[0] = 0
    chance[0] = one
    n_reached, k = 1, 0
    while k < n_reached:
        i = path[k]
        k += 1
        s = min(max(beta * row_inner(x, W, i), np.float32(-30.0)), np.float32(30.0))
        p = one / (one + np.float32(math.exp(-s)))
        turn[i] = p
        for child, c in ((left[i], chance[i] * (one - p)), (right[i], chance[i] * p)):
            if child < 0:
                reach[~child] += c
            else:
                chance[child] = c
                if c > least:
                    path[n_reached] = child
                    n_reached += 1
    for k in range(n_reached - 1, -1, -1):
        i = path[k]
        a, b = left[i], right[i]
        known_left = a < 0 or chance[a] > least
        known_right = b < 0 or chance[b] > least
        at_left = np.float32(0.0)
        at_right = np.float32(0.0)
        if known_left:
            at_left = costs[~a] if a < 0 else value[a]
        if known_right:
            at_right = costs[~b] if b < 0 else value[b]
        if not known_left:
            at_left = at_right
        if not known_right:
            at_right = at_left
        p, gap = turn[i], at_right - at_left
        value[i] = at_left + p * gap
        score_gradient[k] = beta * chance[i] * p * (one - p) * gap
    return n_reached, value[0]


@kernel
def power_shares(theta, power, share, powered):
    """Write the class probabilities P of every leaf by softmax, and their powers.

    Parameters
    ----------
    theta : float32 array, shape (n_leaves, n_classes)
    power : float32
    share, powered : OUT float32 arrays, shape (n_leaves, n_classes)
        P, and P^power.
    """
    n_leaves, n_classes = theta.shape
    for j in range(n_leaves):
        greatest = theta[j, 0]
        for c in range(1, n_classes):
            greatest = max(greatest, theta[j, c])
        total = 0.0
        for c in range(n_classes):
            total += math.exp(np.float64(theta[j, c]) - np.float64(greatest))
        for c in range(n_classes):
            log_share = np.float64(theta[j, c]) - np.float64(greatest) - math.log(total)
            share[j, c] = np.float32(math.exp(log_share))
            powered[j, c] = np.float32(math.exp(power * log_share))


@kernel
def learn_classes(tree, X, y, weight, rows, beta, costs, mass, gradient, work):
    """Gradients of the expected cost of some rows, summed, where targets are classes.

    Parameters
    ----------
    tree : TrainingTree
    X : float32 array, shape (n_samples, width), or SparseRows
    y : int64 array, shape (n_samples,)
    weight : float32 array, shape (n_samples,)
    rows : int64 array, shape (n_rows,)
        Rows of the mini-batch.
    beta : float32
    costs : float32 array, shape (n_classes, n_leaves)
        What each leaf costs a row of each class.
    mass : OUT float32 array, shape (n_classes, n_leaves)
        Weight of the rows of each class that each leaf can expect.
    gradient : OUT float32 array, shape (n_splits, width)
        By W.
    work : Work

    Returns
    -------
    float
        The sum of the weighted expected costs.
    """
    mass[:] = 0.0
    gradient[:] = 0.0
    total = 0.0
    tree, X, work = borrow(tree), borrow(X), borrow(work)
    left, right, W = tree.left, tree.right, tree.W
    path, score_gradient, reach = work.path, work.score_gradient, work.reach
    for row in rows:
        if weight[row] == 0.0:
            continue
        reach[:] = 0.0
        x = row_at(X, row)
        n_reached, expected = soft_route(left, right, W, x, costs[y[row]], beta, work)
        total += weight[row] * expected
        for leaf in range(reach.shape[0]):
            mass[y[row], leaf] += weight[row] * reach[leaf]
        for k in range(n_reached):
            add_to_row(x, weight[row] * score_gradient[k], gradient, path[k])
    return total


@kernel
def learn_numbers(tree, X, y, weight, rows, beta, costs, theta_gradient, gradient, work):
    """Gradients of the expected cost of some rows, summed, where targets are numbers.

    Parameters
    ----------
    tree, X, weight, rows, beta, work
        See :func:`learn_classes`.
    y : float32 array, shape (n_samples, n_outputs)
    costs : float32 array, shape (n_leaves,)
        Work space.
    theta_gradient : OUT float32 array, shape (n_leaves, n_outputs)
        By theta.
    gradient : OUT float32 array, shape (n_splits, width)
        By W.

    Returns
    -------
    float
        The sum of the weighted expected costs.
    """
    theta_gradient[:] = 0.0
    gradient[:] = 0.0
    total = 0.0
    tree, X, work = borrow(tree), borrow(X), borrow(work)
    left, right, W, theta, tables = tree.left, tree.right, tree.W, tree.theta, tree.tables
    path, score_gradient, reach = work.path, work.score_gradient, work.reach
    for row in rows:
        if weight[row] == 0.0:
            continue
        for leaf in range(costs.shape[0]):
            costs[leaf] = leaf_cost(tables, theta, leaf, y[row])
        reach[:] = 0.0
        x = row_at(X, row)
        n_reached, expected = soft_route(left, right, W, x, costs, beta, work)
        total += weight[row] * expected
        for leaf in range(costs.shape[0]):
            if reach[leaf] > 0.0:
                for q in range(y.shape[1]):
                    residual = np.float64(theta[leaf, q]) - np.float64(y[row, q])
                    share = weight[row] * reach[leaf]
                    theta_gradient[leaf, q] += share * np.float32(psi(tables, residual))
        for k in range(n_reached):
            add_to_row(x, weight[row] * score_gradient[k], gradient, path[k])
    return total


@kernel
def power_costs(powered, power, out):
    """Write the power loss ``(1 - P^a) / a`` of every leaf and class (Zhang and Sabuncu 2018).

    Parameters
    ----------
    powered : float32 array, shape (n_leaves, n_classes)
        P^a, see :func:`power_shares`.
    power : float32
        a.
    out : OUT float32 array, shape (n_classes, n_leaves)
    """
    for j in range(powered.shape[0]):
        for c in range(powered.shape[1]):
            out[c, j] = (np.float32(1.0) - powered[j, c]) / power


@kernel
def class_gradient(share, powered, mass, out):
    """Write the gradient of the expected power loss by theta.

    With m the mass of a class in a leaf it is ``sum_c m_c P_c^a (P - e_c)``.

    Parameters
    ----------
    share, powered : float32 arrays, shape (n_leaves, n_classes)
        See :func:`power_shares`.
    mass : float32 array, shape (n_classes, n_leaves)
        See :func:`learn_classes`.
    out : OUT float32 array, shape (n_leaves, n_classes)
    """
    n_leaves, n_classes = share.shape
    for j in range(n_leaves):
        total = np.float32(0.0)
        for c in range(n_classes):
            total += mass[c, j] * powered[j, c]
        for c in range(n_classes):
            out[j, c] = share[j, c] * total - mass[c, j] * powered[j, c]


@kernel
def adam_step(w, gradient, mean, square, rate, step, decay):
    """One step of AdamW (Loshchilov and Hutter 2019); moments decay by 0.9 and 0.99 a step.

    Parameters
    ----------
    w : INOUT float32 array, shape (n,)
        Parameters.
    gradient : float32 array, shape (n,)
    mean, square : INOUT float32 arrays, shape (n,)
        Running means of the gradient and of its square.
    rate : float
        Learning rate.
    step : int
        Number of the step, from 1.
    decay : float
        Weight decay: ``rate * decay`` of each parameter is taken off beside the gradient's step.
    """
    of_mean = np.float32(1.0 / (1.0 - 0.9**step))
    of_square = np.float32(1.0 / (1.0 - 0.99**step))
    rate, decay = np.float32(rate), np.float32(decay)
    for i in range(w.shape[0]):
        g = gradient[i]
        mean[i] += np.float32(0.1) * (g - mean[i])
        square[i] += np.float32(0.01) * (g * g - square[i])
        # NumPy's division raises nothing, so that several numbers may be divided at once.
        move = np.divide(mean[i] * of_mean, np.sqrt(square[i] * of_square) + np.float32(1e-8))
        w[i] -= rate * (move + decay * w[i])
