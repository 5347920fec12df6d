"""Log loss (eq. 2 of Norouzi et al. 2015): ``l(theta, y) = -theta[y] + log sum_c exp(theta[c])``.

Its tables hold every leaf's loss for every class, so that inference only looks them up, and the
greatest of them below every split.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from treecore.compiling.dispatch import implements
from treecore.losses.base import Loss, cost_below, fit_leaf, gradient_step, grow_bound, leaf_cost

LARGEST_LOSS = 1e30
"""Losses end here, in nats; float32 ends at 3.4e38, and sums of bounds need room."""


_PART = 1 << 16
"""Rows that are counted together."""


class LogTables(NamedTuple):
    """Tables of the log loss: of every leaf, and the greatest of them below every split.

    leaf_loss: float32 (n_leaves, n_classes); subtree_loss: float32 (n_splits, n_classes).
    """

    leaf_loss: np.ndarray
    subtree_loss: np.ndarray


def class_log_odds(counts: np.ndarray, smoothing: float = 1.0) -> np.ndarray:
    """The ``Loss.constants`` of counts: ``log((counts + smoothing / k) / (n + smoothing))``."""
    counts = np.asarray(counts, dtype=np.float64)
    n_classes = counts.shape[1]
    total = counts.sum(axis=1, keepdims=True)
    share = (counts + smoothing / n_classes) / (total + smoothing)
    return np.log(share).astype(np.float32)


@implements(leaf_cost, LogTables, inlined=True)
def _leaf_cost(tables, theta, leaf, y):
    return tables.leaf_loss[leaf, y]


@implements(cost_below, LogTables, inlined=True)
def _cost_below(tables, split, y):
    return tables.subtree_loss[split, y]


@implements(fit_leaf, LogTables, inlined=True)
def _fit_leaf(tables, theta, leaf):
    # The sum runs in float64: a leaf's losses must not depend on how the compiler orders it.
    n_classes = theta.shape[1]
    largest = theta[leaf, 0]
    for c in range(1, n_classes):
        if theta[leaf, c] > largest:
            largest = theta[leaf, c]
    total = 0.0
    for c in range(n_classes):
        total += math.exp(np.float64(theta[leaf, c]) - np.float64(largest))
    log_total = math.log(total) + np.float64(largest)
    for c in range(n_classes):
        # Leaf values may be anything finite, and so must losses be.
        loss = min(log_total - np.float64(theta[leaf, c]), LARGEST_LOSS)
        tables.leaf_loss[leaf, c] = np.float32(loss)


@implements(gradient_step, LogTables, inlined=True)
def _gradient_step(tables, theta, leaf, y, rate):
    # The leaf's losses are at hand, so that the softmax is exp(-losses) and needs no second sum.
    for c in range(theta.shape[1]):
        gradient = math.exp(-np.float64(tables.leaf_loss[leaf, c]))
        if c == y:
            gradient -= 1.0
        theta[leaf, c] = np.float32(np.float64(theta[leaf, c]) - rate * gradient)
    fit_leaf(tables, theta, leaf)


@implements(grow_bound, LogTables, inlined=True)
def _grow_bound(tables, theta, split, left, right):
    a, b = left[split], right[split]
    leaf_loss, subtree_loss = tables.leaf_loss, tables.subtree_loss
    changed = False
    for c in range(theta.shape[1]):
        x = subtree_loss[a, c] if a >= 0 else leaf_loss[~a, c]
        y = subtree_loss[b, c] if b >= 0 else leaf_loss[~b, c]
        largest = x if x > y else y
        if largest != subtree_loss[split, c]:
            subtree_loss[split, c] = largest
            changed = True
    return changed


def _tables(n_splits: int, n_leaves: int, n_classes: int) -> LogTables:
    return LogTables(
        np.zeros((n_leaves, n_classes), np.float32), np.zeros((n_splits, n_classes), np.float32)
    )


def _constants(leaf, y, weight, n_leaves, n_classes, smoothing):
    # One row after another, as `bincount` does: in parts, which take no array of all rows.
    counts = np.zeros(n_leaves * n_classes)
    for first in range(0, len(y), _PART):
        part = slice(first, first + _PART)
        np.add.at(counts, leaf[part] * n_classes + y[part], weight[part])
    return class_log_odds(counts.reshape(n_leaves, n_classes), smoothing)


LOG = Loss(
    name="log",
    title="Log loss",
    sentence="The negative logarithm of the leaf's probability of the example's class, in nats.",
    task="classification",
    make_tables=_tables,
    constants=_constants,
)
