"""Visits of examples: one update for each, or for the mean of a mini-batch (Algorithm 1).

Stable SGD (section 6, eq. 14) lowers the bound while every example keeps the leaf it was last
assigned to. The second maximum of the bound runs only over codes that lead to that leaf, a(x),

    B_a(x, y) = max_g [ g'Wx + l(theta_f(g), y) ] - max_{h: f(h) = a(x)} h'Wx

which is the plain bound plus ``2 |s_i|`` for every split on the path to a(x) that x disagrees
with, and so never below it. A step turns those splits back towards a(x) as well.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.dispatch import by_first, implements
from treecore.compiling.kernels import kernel
from treecore.learners.nongreedy.inference import infer, plain_leaf
from treecore.learners.nongreedy.sgd.batches import make_steps
from treecore.learners.nongreedy.sgd.updates import (
    assigned_loss,
    leaf_gradient_step,
    pull_and_push,
    push_away,
)
from treecore.losses.base import leaf_cost


class Stable(NamedTuple):
    """What Stable SGD keeps besides the tree.

    - assigned: int32 (n_samples,), a(x); counts, earlier: int64 (n_leaves,), rows with a weight
      assigned to every leaf, now and before; side: int8 (n_splits,), work space, all zero.
    - bounds: float64 (2,), summed over the present pass, and the mean of the pass before.
    - moved: int64 (4,), assignments so far; of one at the end of the present pass: rows that moved,
      leaves that woke, leaves that fell asleep; else -1.
    """

    assigned: np.ndarray
    counts: np.ndarray
    earlier: np.ndarray
    side: np.ndarray
    bounds: np.ndarray
    moved: np.ndarray


def make_stable(n_samples: int, n_leaves: int, n_splits: int) -> Stable:
    """No row is assigned yet."""
    return Stable(
        np.full(n_samples, -1, dtype=np.int32),
        np.zeros(n_leaves, dtype=np.int64),
        np.zeros(n_leaves, dtype=np.int64),
        np.zeros(n_splits, dtype=np.int8),
        np.array([0.0, np.inf]),
        np.full(4, -1),
    )


@kernel(pasted=True)
def sgd_rows(tree, X, y, weight, order, rule, stable=None):
    """Visit some examples of a pass, one update each; return the inner products spent."""
    exact, eta, nu, slope, n_before = rule
    n_products = 0
    for i in range(order.shape[0]):
        row = order[i]
        if weight[row] == 0.0:
            continue
        x, rate = X[row], (eta + (n_before + i) * slope) * weight[row]
        h_leaf, g_leaf, bound, n_here = infer(tree, x, y[row], exact)
        inferred = h_leaf, g_leaf, bound
        step_on_W(stable, tree, x, row, weight[row], inferred, rate, nu, None)
        leaf_gradient_step(tree, g_leaf, y[row], rate)
        n_products += n_here
    return n_products


@by_first
def step_on_W(stable, tree, x, row, weight, inferred, rate, nu, batches):
    """Step on W by one example at ``rate``; inferred: h_leaf, g_leaf and the plain bound."""


@implements(step_on_W, object)
def _plain_step(stable, tree, x, row, weight, inferred, rate, nu, batches):
    h_leaf, g_leaf, _ = inferred
    if g_leaf != h_leaf:
        push_away(tree, x, g_leaf, rate, nu, batches)


@implements(step_on_W, Stable)
def _stable_step(stable, tree, x, row, weight, inferred, rate, nu, batches):
    h_leaf, g_leaf, bound = inferred
    a_leaf = stable.assigned[row]
    if a_leaf != h_leaf:
        bound += assigned_loss(tree, x, a_leaf)
    if a_leaf != g_leaf:
        pull_and_push(tree, x, a_leaf, g_leaf, rate, nu, stable.side, batches)
    stable.bounds[0] += weight * bound


@kernel
def visit_batches(tree, X, y, weight, order, rule, batches, stable):
    """Visit some examples of a pass, one update for every batch, at the rate of its first visit."""
    exact, eta, nu, slope, n_before = rule
    n, size = order.shape[0], batches.leaf.shape[0]
    n_products = 0
    for first in range(0, n, size):
        stop = min(first + size, n)
        rate = eta + (n_before + first) * slope
        for i in range(first, stop):
            row = order[i]
            if weight[row] == 0.0:
                continue
            x, share = X[row], weight[row] / (stop - first)
            h_leaf, g_leaf, bound, n_here = infer(tree, x, y[row], exact)
            batches.leaf[i - first] = g_leaf
            inferred = h_leaf, g_leaf, bound
            step_on_W(stable, tree, x, row, weight[row], inferred, share, nu, batches)
            n_products += n_here
        make_steps(tree.W, batches, rate, nu)
        for i in range(first, stop):
            row = order[i]
            if weight[row] > 0.0:
                share = weight[row] / (stop - first)
                leaf_gradient_step(tree, np.int64(batches.leaf[i - first]), y[row], rate * share)
    return n_products


@kernel
def assign_rows(tree, X, weight, stable):
    """Assign every row to the leaf that it reaches, and write what has moved."""
    assigned, counts, earlier, moved = stable.assigned, stable.counts, stable.earlier, stable.moved
    for leaf in range(counts.shape[0]):
        earlier[leaf] = counts[leaf]
        counts[leaf] = 0
    moved[0] += 1
    moved[1] = moved[2] = moved[3] = 0
    for i in range(assigned.shape[0]):
        leaf = plain_leaf(tree, X[i])
        if leaf != assigned[i]:
            assigned[i] = leaf
            moved[1] += 1
        if weight[i] > 0.0:
            counts[leaf] += 1
    for leaf in range(counts.shape[0]):
        moved[2] += counts[leaf] > 0 and earlier[leaf] == 0
        moved[3] += counts[leaf] == 0 and earlier[leaf] > 0


@kernel
def look_at_rows(tree, X, y, assigned, exact, bound, loss, turning):
    """Write bound and loss of every row, and whether its update would turn a split.

    assigned: int32 (n_samples,), the leaf that Stable SGD holds a row to, -1 for none.
    """
    for i in range(bound.shape[0]):
        x = X[i]
        h_leaf, g_leaf, value, _ = infer(tree, x, y[i], exact)
        a_leaf = h_leaf
        if assigned[i] >= 0 and assigned[i] != h_leaf:
            a_leaf = assigned[i]
            value += assigned_loss(tree, x, a_leaf)
        bound[i] = value
        loss[i] = leaf_cost(tree.tables, tree.theta, h_leaf, y[i])
        turning[i] = g_leaf != a_leaf
