"""Gradients of the expected cost by the features that splits read, and by the filters behind them.

A row's feature moves the scores of the splits that the row reaches, each by its weight; a filter
moves the features whose greatest answer is its own, by the pixels below it there.
"""

from __future__ import annotations

import numpy as np

from treecore.compiling.kernels import kernel


@kernel
def feature_gradients(W, routing, out):
    """Write the gradient of the expected cost by every feature of every row of a mini-batch.

    Parameters
    ----------
    W : float32 array, shape (n_splits, width)
    routing : Routing
        As :func:`treecore.learners.nongreedy.annealed.soft_routing.route` gives it.
    out : OUT float32 array, shape (n_rows, width)
    """
    row, factor = routing.row, routing.factor
    out[:] = np.float32(0.0)
    for split in range(W.shape[0]):
        first = routing.first[split]
        for k in range(first, first + routing.n_entries[split]):
            e = np.uint32(k)
            amount, i = factor[e], row[e]
            for j in range(W.shape[1]):
                q = np.uintp(j)
                out[i, q] += amount * W[np.uint32(split), q]


@kernel
def filter_gradients(X, by_feature, source, scale, width, by_filter, by_bias):
    """Write the gradient of the expected cost by filters and biases.

    Parameters
    ----------
    X : float32 array, shape (n_rows, height * width)
        The images of a mini-batch.
    by_feature : float32 array, shape (n_rows, n_features) or wider
        From :func:`feature_gradients`, by features times ``scale``.
    source : int32 array, shape (n_rows, n_features)
        See :func:`treecore.core.filters.pooled_features`.
    scale : float32 array, shape (n_filters,)
        What features of each filter are multiplied by before splits read them; counts as constant.
    width : int
        Pixels in a line of an image.
    by_filter : OUT float32 array, shape (n_filters, size, size)
    by_bias : OUT float32 array, shape (n_filters,)
    """
    n_filters, size = by_filter.shape[0], by_filter.shape[1]
    by_filter[:] = np.float32(0.0)
    by_bias[:] = np.float32(0.0)
    for row in range(X.shape[0]):
        for k in range(0, source.shape[1], n_filters):
            for c in range(n_filters):
                at = source[row, k + c]
                if at < 0:
                    continue
                amount = by_feature[row, k + c] * scale[c]
                by_bias[c] += amount
                for line in range(size):
                    p = at + line * width
                    for tap in range(size):
                        by_filter[c, line, tap] += amount * X[row, p + tap]
