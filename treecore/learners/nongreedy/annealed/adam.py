"""Steps of AdamW (Loshchilov and Hutter 2019), on leaves and on the splits of a mini-batch."""

from __future__ import annotations

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.rows.gathered import sum_scaled_rows


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


@kernel
def split_gradients(X, routing, out):
    """Write the gradient of the expected cost by every row of W.

    Parameters
    ----------
    X : float32 array, shape (n_rows, width)
        The rows of a mini-batch.
    routing : Routing
        As :func:`treecore.learners.nongreedy.annealed.soft_routing.route` gives it.
    out : OUT float32 array, shape (n_splits, width)
    """
    for i in range(out.shape[0]):
        begin = routing.first[i]
        sum_scaled_rows(X, routing.row, routing.factor, begin, begin + routing.n_entries[i], out[i])


@kernel(allocates=True)
def step_splits(W, X, routing, mean, square, rate, step, decay):
    """One step of AdamW on all rows of W.

    The gradient of a row is used as soon as it is summed, and never leaves the nearest cache.

    Parameters
    ----------
    W : INOUT float32 array, shape (n_splits, width)
    X, routing
        See :func:`split_gradients`.
    mean, square : INOUT float32 arrays, shape (n_splits, width)
    rate, step, decay
        See :func:`adam_step`.
    """
    gradient = np.empty(W.shape[1], dtype=np.float32)
    for i in range(W.shape[0]):
        begin = routing.first[i]
        sum_scaled_rows(
            X, routing.row, routing.factor, begin, begin + routing.n_entries[i], gradient
        )
        adam_step(W[i], gradient, mean[i], square[i], rate, step, decay)
