"""AdaGrad and Adam where nearly all of a gradient is zero: what is not met costs nothing.

Moments of Adam rest there as they are ("lazy" Adam).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel

ADAGRAD, ADAM, SGD = 0, 1, 2

OPTIMIZERS = {"adam": ADAM, "adagrad": ADAGRAD, "sgd": SGD}

BETA1, BETA2 = np.float32(0.9), np.float32(0.999)
TINY = np.float32(1e-8)


class OptimizerState(NamedTuple):
    """Running means of gradients and of their squares (AdaGrad: sums), shaped as the parameters."""

    filters1: np.ndarray
    filters2: np.ndarray
    threshold1: np.ndarray
    threshold2: np.ndarray
    weights1: np.ndarray
    weights2: np.ndarray


def zero_state(filters, threshold, weights) -> OptimizerState:
    """The state of an optimizer before its first step: zeros in the shapes of the parameters."""
    arrays = (filters, filters, threshold, threshold, weights, weights)
    return OptimizerState(*(np.zeros_like(array) for array in arrays))


@kernel
def move_row(method, p, g, first, second, rate, rate2):
    """One step on a row of parameters (Duchi et al. 2011, AdaGrad; Kingma and Ba 2015, Adam)."""
    if method == 0:
        for k in range(p.shape[0]):
            second[k] += g[k] * g[k]
            p[k] -= np.divide(rate * g[k], np.sqrt(second[k]) + TINY)
    elif method == 2:
        for k in range(p.shape[0]):
            p[k] -= rate * g[k]
    else:
        for k in range(p.shape[0]):
            first[k] = BETA1 * first[k] + (np.float32(1.0) - BETA1) * g[k]
            second[k] = BETA2 * second[k] + (np.float32(1.0) - BETA2) * (g[k] * g[k])
            p[k] -= np.divide(rate * first[k], np.sqrt(second[k] * rate2) + TINY)
