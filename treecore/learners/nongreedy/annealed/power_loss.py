"""The power loss of classes by leaf (Zhang and Sabuncu 2018); tables are (n_classes, n_leaves)."""

from __future__ import annotations

import math

import numpy as np

from treecore.compiling.exponential import exponentials
from treecore.compiling.kernels import kernel


@kernel
def power_shares(theta, power, share, powered, largest, total):
    """Write the class probabilities P of every leaf by softmax, and P^power."""
    n_classes, n_leaves = share.shape
    for j in range(n_leaves):
        largest[j], total[j] = theta[j, 0], 0.0
    for c in range(1, n_classes):
        for j in range(n_leaves):
            value = theta[j, c]
            largest[j] = value if value > largest[j] else largest[j]
    for c in range(n_classes):
        for j in range(n_leaves):
            powered[c, j] = share[c, j] = theta[j, c] - largest[j]
    exponentials(share)
    for c in range(n_classes):
        for j in range(n_leaves):
            total[j] += np.float64(share[c, j])
    for j in range(n_leaves):
        total[j] = math.log(total[j])
    for c in range(n_classes):
        for j in range(n_leaves):
            share[c, j] = powered[c, j] - np.float32(total[j])
            powered[c, j] = power * share[c, j]
    exponentials(share)
    exponentials(powered)


@kernel
def power_costs(powered, power, out):
    """Write the power loss ``(1 - P^a) / a`` of every leaf and class."""
    for c in range(powered.shape[0]):
        for j in range(powered.shape[1]):
            # NumPy's division raises nothing, so that several numbers may be divided at once.
            out[c, j] = np.divide(np.float32(1.0) - powered[c, j], power)


@kernel
def class_gradient(share, powered, mass, total, out):
    """Write the gradient by theta: ``sum_c m_c P_c^a (P - e_c)``, with m the mass of a class."""
    n_classes, n_leaves = share.shape
    for j in range(n_leaves):
        total[j] = 0.0
    for c in range(n_classes):
        for j in range(n_leaves):
            total[j] += mass[c, j] * powered[c, j]
    for c in range(n_classes):
        for j in range(n_leaves):
            out[j, c] = share[c, j] * total[j] - mass[c, j] * powered[c, j]
