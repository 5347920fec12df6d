"""Kernels of soft routing: a row turns right at split i with probability sigmoid(beta s_i).

Going down gives the chance r of reaching each node, coming up the expected cost V from there on::

    V_i = p_i V_right + (1 - p_i) V_left
    dV_root/ds_i = beta r_i p_i (1 - p_i) (V_right - V_left)

so one visit to every node gives the expected cost of a row and its gradient by all scores.
"""

from __future__ import annotations

import math

import numpy as np

from treecore.kernels import kernel
from treecore.losses import leaf_cost
from treecore.losses.separable import psi

UNREACHED = 1e-7
"""Below a node of lesser chance nothing matters: its turns are not computed."""


@kernel
def route_softly(left, right, scores, costs, weight, beta, reach, gradient):
    """Expected costs of some rows, and their gradient by the scores.

    Parameters
    ----------
    left, right : int32 arrays, shape (n_splits,)
        Child references as in :class:`treecore.tree.Tree`.
    scores : float32 array, shape (n_rows, n_splits)
    costs : float32 array, shape (n_rows, n_leaves)
        What each leaf would cost each row.
    weight : float32 array, shape (n_rows,)
    beta : float32
    reach : OUT float32 array, shape (n_rows, n_leaves)
        The chance of ending in each leaf, times the row's weight.
    gradient : OUT float32 array, shape (n_rows, n_splits)

    Returns
    -------
    float
        The sum of the weighted expected costs.
    """
    one = np.float32(1.0)
    n_rows, n_splits = scores.shape
    chance = np.empty(n_splits, np.float32)
    p = np.empty(n_splits, np.float32)
    value = np.empty(n_splits, np.float32)
    total = 0.0
    for b in range(n_rows):
        if n_splits == 0:
            reach[b, 0] = weight[b]
            total += weight[b] * costs[b, 0]
            continue
        chance[0] = weight[b]
        for i in range(n_splits):
            if chance[i] > np.float32(UNREACHED):
                s = min(max(beta * scores[b, i], np.float32(-30.0)), np.float32(30.0))
                p[i] = one / (one + np.float32(math.exp(-s)))
            else:
                p[i] = np.float32(0.5)
            to_right = chance[i] * p[i]
            to_left = chance[i] * (one - p[i])
            if right[i] >= 0:
                chance[right[i]] = to_right
            else:
                reach[b, ~right[i]] = to_right
            if left[i] >= 0:
                chance[left[i]] = to_left
            else:
                reach[b, ~left[i]] = to_left
        for i in range(n_splits - 1, -1, -1):
            at_right = value[right[i]] if right[i] >= 0 else costs[b, ~right[i]]
            at_left = value[left[i]] if left[i] >= 0 else costs[b, ~left[i]]
            gap = at_right - at_left
            value[i] = at_left + p[i] * gap
            gradient[b, i] = beta * chance[i] * p[i] * (one - p[i]) * gap
        total += weight[b] * value[0]
    return total


@kernel
def power_shares(theta, power, share, powered):
    """Write the class shares P of every leaf, and P^power; all float32 (n_leaves, n_classes)."""
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
def class_costs(powered, power, y, out):
    """Write the power loss ``(1 - P(y)^a) / a`` of every leaf for rows of classes ``y``."""
    for b in range(y.shape[0]):
        for j in range(powered.shape[0]):
            out[b, j] = (np.float32(1.0) - powered[j, y[b]]) / power


@kernel
def class_gradient(share, powered, y, reach, mass, out):
    """Write the gradient of the expected power loss by theta: sum_b reach P(y)^a (P - e_y).

    ``mass``, float32 (n_leaves, n_classes), is work space; so is everything of ``out`` before.
    """
    n_leaves, n_classes = share.shape
    mass[:] = 0.0
    for b in range(y.shape[0]):
        for j in range(n_leaves):
            mass[j, y[b]] += reach[b, j]
    for j in range(n_leaves):
        total = np.float32(0.0)
        for c in range(n_classes):
            mass[j, c] *= powered[j, c]
            total += mass[j, c]
        for c in range(n_classes):
            out[j, c] = share[j, c] * total - mass[j, c]


@kernel
def number_costs(tables, theta, y, out):
    """Write the loss of every leaf for rows of targets ``y``, float32 (n_rows, n_outputs)."""
    for b in range(y.shape[0]):
        for j in range(theta.shape[0]):
            out[b, j] = leaf_cost(tables, theta, j, y[b])


@kernel
def number_gradient(tables, theta, y, reach, out):
    """Write the gradient of the expected loss by theta, float32 (n_leaves, n_outputs)."""
    out[:] = 0.0
    for b in range(y.shape[0]):
        for j in range(theta.shape[0]):
            if reach[b, j] > np.float32(UNREACHED):
                for q in range(theta.shape[1]):
                    residual = np.float64(theta[j, q]) - np.float64(y[b, q])
                    out[j, q] += reach[b, j] * np.float32(psi(tables, residual))


@kernel
def adam_step(w, gradient, mean, square, rate, step, decay):
    """One step of AdamW (Loshchilov and Hutter 2019), in place; arrays are flat float32.

    Moments decay by 0.9 and 0.99 a step; ``step`` counts from 1; ``decay`` times ``rate`` of
    each weight is taken off beside the gradient's step.
    """
    of_mean = np.float32(1.0 / (1.0 - 0.9**step))
    of_square = np.float32(1.0 / (1.0 - 0.99**step))
    rate, decay = np.float32(rate), np.float32(decay)
    for i in range(w.shape[0]):
        g = gradient[i]
        mean[i] += np.float32(0.1) * (g - mean[i])
        square[i] += np.float32(0.01) * (g * g - square[i])
        move = mean[i] * of_mean / (math.sqrt(square[i] * of_square) + np.float32(1e-8))
        w[i] -= rate * (move + decay * w[i])
