"""Plain twins of the kernels of linear leaves."""

import numpy as np

from tests.naive.nongreedy import dot, soft_routing
from treecore.learners.nongreedy.annealed.soft_routing import UNREACHED


def predicted(linear, X, leaf):
    """What leaves predict: products added one by one to the intercept, then the range."""
    out = np.empty((len(leaf), linear.intercept.shape[1]))
    for i, j in enumerate(leaf):
        for q in range(out.shape[1]):
            total = float(linear.intercept[j, q])
            for w, x in zip(linear.weights[j, q], X[i]):
                total += float(w) * float(x)
            out[i, q] = min(max(total, float(linear.low[j, q])), float(linear.high[j, q]))
    return out


def ridge(Z, y, weight, strength):
    """Slopes and intercept of one leaf, by the normal equations with a constant column."""
    design = np.column_stack([Z, np.ones(len(Z))])
    penalty = strength * np.diag([1.0] * Z.shape[1] + [0.0])
    found = np.linalg.solve((design.T * weight) @ design + penalty, (design.T * weight) @ y)
    return found[:-1].T, found[-1]


def left_out(Z, y, weight, strength):
    """Weighted squared errors at each row of the model of the others."""
    total = 0.0
    for i in range(len(Z)):
        others = np.arange(len(Z)) != i
        slopes, intercept = ridge(Z[others], y[others], weight[others], strength)
        total += weight[i] * ((y[i] - Z[i] @ slopes.T - intercept) ** 2).sum()
    return total


def linear_gradients(joint, models, x, y, beta):
    """Of one row under squared loss: expected cost, gradients by W and by the models."""
    said = np.array([[dot(m, x) for m in leaf] for leaf in models], dtype=float)
    costs = ((said - y) ** 2).sum(axis=1)
    scores = [float(dot(w, x)) for w in joint.W]
    cost, by_score, reach = soft_routing(joint, scores, costs, beta, UNREACHED)
    by_models = 2 * reach[:, None, None] * (said - y)[:, :, None] * x
    return cost, np.outer(by_score, x), by_models


def settled(Z, y, weight, leaf, n_leaves, ridges):
    """Slopes and intercept of every leaf: all rows, then each leaf, by one strength each."""
    shape = n_leaves, y.shape[1]
    slopes, intercept = np.zeros((*shape, Z.shape[1])), np.zeros(shape)
    rest = y.copy()
    for parts in ([np.arange(len(Z))], [np.flatnonzero(leaf == j) for j in range(n_leaves)]):
        errors = [
            sum(left_out(Z[rows], rest[rows], weight[rows], strength) for rows in parts)
            for strength in ridges
        ]
        if min(errors) >= (weight[:, None] * rest**2).sum():
            continue
        for j, rows in enumerate(parts):
            step = ridge(Z[rows], rest[rows], weight[rows], ridges[int(np.argmin(errors))])
            rest[rows] -= Z[rows] @ step[0].T + step[1]
            leaves = slice(None) if len(parts) == 1 else j
            slopes[leaves] += step[0]
            intercept[leaves] += step[1]
    return slopes, intercept


def softmax(scores):
    odds = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return odds / odds.sum(axis=-1, keepdims=True)


def logistic_gradients(Z, target, weight, above, slopes, intercept):
    """Of the weighted log loss, by the slopes and the intercept of one leaf."""
    error = softmax(above + Z @ slopes.T + intercept) - target
    return (weight[:, None] * error).T @ Z, weight @ error


def power_gradients(joint, models, x, y, beta, power):
    """Of one row under the power loss: expected cost, gradients by W and by the models."""
    shares = softmax(np.array([[dot(m, x) for m in leaf] for leaf in models], dtype=float))
    powered = shares[:, y] ** power
    scores = [float(dot(w, x)) for w in joint.W]
    cost, by_score, reach = soft_routing(joint, scores, (1 - powered) / power, beta, UNREACHED)
    by_scores = powered[:, None] * (shares - np.eye(shares.shape[1])[y])
    return cost, np.outer(by_score, x), reach[:, None, None] * by_scores[:, :, None] * x
