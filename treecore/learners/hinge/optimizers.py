"""AdaGrad and Adam where nearly all of a gradient is zero.

A row changes one threshold and one leaf of every tree, so a mini-batch touches few of them. What it
does not touch costs nothing here: its two moments rest as they are. In AdaGrad that is the method
itself; Adam's moments would decay, and here do not, so that they are means over the mini-batches
that had something to say ("lazy" Adam).
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
    """The state of an optimizer, in arrays of the parameters' shapes.

    filters1, threshold1, weights1: float32 arrays, adam: running means of gradients; filters2,
    threshold2, weights2: float32 arrays, adam: running means of squared gradients; AdaGrad: their
    sums.
    """

    filters1: np.ndarray
    filters2: np.ndarray
    threshold1: np.ndarray
    threshold2: np.ndarray
    weights1: np.ndarray
    weights2: np.ndarray


def zero_state(filters, threshold, weights) -> OptimizerState:
    """The state of an optimizer before its first step: zeros.

    filters, threshold, weights: float32 arrays, the parameters, which give the shapes.
    """
    arrays = (filters, filters, threshold, threshold, weights, weights)
    return OptimizerState(*(np.zeros_like(array) for array in arrays))


@kernel
def move_row(method, p, g, first, second, rate, rate2):
    """One step on a row of parameters (Duchi et al. 2011, AdaGrad; Kingma and Ba 2015, Adam).

    Divisions are NumPy's, which do not look for zeros: looking keeps a loop from running in lanes,
    and made Adam four times slower.

    p: float32 (n,); g: float32 (n,); first, second: float32 (n,).
    """
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
