"""Steps of AdamW (Loshchilov and Hutter 2019), on leaves and on the splits of a mini-batch."""

from __future__ import annotations

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.rows.gathered import sum_scaled_rows


@kernel
def adam_step(w, gradient, mean, square, rate, step, decay):
    """AdamW's step of this number, from 1, on w (n,); moments decay by 0.9 and 0.99."""
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
def step_splits(W, X, routing, moments, rate, step, decay):
    """One step of AdamW on W (n_splits, width), row by row: a gradient never leaves the cache."""
    gradient, mean, square = moments
    for i in range(W.shape[0]):
        begin = routing.first[i]
        sum_scaled_rows(
            X, routing.row, routing.factor, begin, begin + routing.n_entries[i], gradient
        )
        adam_step(W[i], gradient, mean[i], square[i], rate, step, decay)
