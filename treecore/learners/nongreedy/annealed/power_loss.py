"""The power loss of classes, its costs by leaf, and its gradient (Zhang and Sabuncu 2018)."""

from __future__ import annotations

import math

import numpy as np

from treecore.core.kernels import kernel


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
        See :class:`treecore.learners.nongreedy.annealed.leaf_costs.ClassCosts`.
    out : OUT float32 array, shape (n_leaves, n_classes)
    """
    n_leaves, n_classes = share.shape
    for j in range(n_leaves):
        total = np.float32(0.0)
        for c in range(n_classes):
            total += mass[c, j] * powered[j, c]
        for c in range(n_classes):
            out[j, c] = share[j, c] * total - mass[c, j] * powered[j, c]
