"""The plain twin of :mod:`treecore.learners.greedy.finders.model_cuts`: every regression."""

import numpy as np


def penalised_error(D, y, weight, ridge):
    """What a ridge regression of some rows leaves, its penalty counted."""
    penalty = ridge * np.eye(D.shape[1])
    penalty[0, 0] = 0.0  # of the constant
    moments = D.T @ (weight[:, None] * y)
    b = np.linalg.solve(D.T @ (weight[:, None] * D) + penalty, moments)
    return (weight[:, None] * (y - D @ b) ** 2).sum() + (b * (penalty @ b)).sum()


def best_model_cut(D, y, weight, codes, ridge, smallest):
    """The error without a cut, that with the best one, its feature and its last bin on the left."""
    best = np.inf, -1, -1
    for f in range(codes.shape[1]):
        for b in np.unique(codes[:, f])[:-1]:
            left = codes[:, f] <= b
            if min(left.sum(), (~left).sum()) < smallest:
                continue
            sides = [penalised_error(D[s], y[s], weight[s], ridge) for s in (left, ~left)]
            if sum(sides) < best[0]:
                best = sum(sides), f, int(b)
    return penalised_error(D, y, weight, ridge), *best


def grow(D, y, weight, codes, ridge, price, smallest, depth, rows=None):
    """The rows of every leaf of a tree, the left ones first."""
    rows = np.arange(len(D)) if rows is None else rows
    given = D[rows], y[rows], weight[rows], codes[rows]
    entire, parted, feature, last = best_model_cut(*given, ridge, smallest)
    pays = entire - parted > price * D.shape[1] * entire / weight[rows].sum()
    if depth == 0 or feature < 0 or not pays:
        return [rows]
    left = codes[rows, feature] <= last
    sides = [rows[side] for side in (left, ~left)]
    return [
        part
        for side in sides
        for part in grow(D, y, weight, codes, ridge, price, smallest, depth - 1, side)
    ]
