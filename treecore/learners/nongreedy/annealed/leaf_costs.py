"""What a leaf costs a row under annealed learning: by class, by number, or by its own model.

The type of the costs says whose code :func:`visit_leaf` is, when it is compiled.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from treecore.compiling.dispatch import by_first, implements
from treecore.compiling.kernels import dot
from treecore.losses.base import leaf_cost
from treecore.losses.separable import psi


class ClassCosts(NamedTuple):
    """Costs of leaves by class, float32 (n_classes, n_leaves); mass: the weight that met them."""

    y: np.ndarray
    costs: np.ndarray
    mass: np.ndarray


class NumberCosts(NamedTuple):
    """Costs of leaves of numbers, and the gradient by theta, float32 (n_leaves, n_outputs)."""

    tables: NamedTuple
    y: np.ndarray
    theta: np.ndarray
    gradient: np.ndarray


class LinearCosts(NamedTuple):
    """Costs of linear leaves: models and their gradient, float32 (n_leaves, n_outputs, width)."""

    tables: NamedTuple
    y: np.ndarray
    X: np.ndarray
    models: np.ndarray
    predicted: np.ndarray
    gradient: np.ndarray


class LogisticCosts(NamedTuple):
    """Costs of logistic leaves, by power loss: models, gradient (n_leaves, n_classes, width)."""

    y: np.ndarray
    X: np.ndarray
    models: np.ndarray
    scores: np.ndarray
    gradient: np.ndarray
    power: np.float32


@by_first
def visit_leaf(costs, leaf, row, share):
    """What a leaf costs a row; the gradient grows by ``share``: weight times chance of the leaf."""


@implements(visit_leaf, ClassCosts, inlined=True)
def _visit_classes(costs, leaf, row, share):
    label, at = np.uint32(costs.y[row]), np.uint32(leaf)
    costs.mass[label, at] += share
    return costs.costs[label, at]


@implements(visit_leaf, NumberCosts)
def _visit_numbers(costs, leaf, row, share):
    y, theta = costs.y, costs.theta
    for q in range(y.shape[1]):
        residual = np.float64(theta[leaf, q]) - np.float64(y[row, q])
        costs.gradient[leaf, q] += share * np.float32(psi(costs.tables, residual))
    return leaf_cost(costs.tables, theta, leaf, y[row])


@implements(visit_leaf, LinearCosts)
def _visit_models(costs, leaf, row, share):
    y, x, predicted = costs.y, costs.X[row], costs.predicted
    for q in range(y.shape[1]):
        predicted[leaf, q] = dot(costs.models[leaf, q], x)
        residual = np.float64(predicted[leaf, q]) - np.float64(y[row, q])
        step = share * np.float32(psi(costs.tables, residual))
        for j in range(x.shape[0]):
            costs.gradient[leaf, q, j] += step * x[j]
    return leaf_cost(costs.tables, predicted, leaf, y[row])


@implements(visit_leaf, LogisticCosts)
def _visit_logistic(costs, leaf, row, share):
    label, x, scores, power = costs.y[row], costs.X[row], costs.scores, costs.power
    n_classes = scores.shape[1]
    largest = -np.inf
    for c in range(n_classes):
        scores[leaf, c] = dot(costs.models[leaf, c], x)
        largest = max(largest, np.float64(scores[leaf, c]))
    total = 0.0
    for c in range(n_classes):
        total += math.exp(np.float64(scores[leaf, c]) - largest)
    log_total = largest + math.log(total)
    powered = np.float32(math.exp(power * (np.float64(scores[leaf, label]) - log_total)))
    for c in range(n_classes):
        step = np.float32(math.exp(np.float64(scores[leaf, c]) - log_total))
        step = share * powered * (step - np.float32(c == label))
        for j in range(x.shape[0]):
            costs.gradient[leaf, c, j] += step * x[j]
    return (np.float32(1.0) - powered) / power
