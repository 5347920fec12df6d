"""Loss-augmented inference by branch and bound (Norouzi et al. 2015, eq. 10, 12 and 13).

The surrogate bound of one example is

    B(x, y) = max_g [ g'Wx + l(theta_f(g), y) ] - max_h h'Wx

with g over all codes (*exact*) or over those at most one bit away from sgn(Wx) (*fast*).
Taking max_h h'Wx = sum |s_i| inside the bracket, the value of ending in leaf j is

    v_j = l(theta_j, y) - 2 * (sum of |s_i| over the splits on the path to j that x disagrees with)

so inference looks for the leaf of greatest v_j, and B is that value. The papers evaluate every
split, O(2^d p), or follow every sibling of the path down, O(d^2 p). Here a subtree is dropped
unseen once even its costliest leaf could not win:

    root ──h──> · ──h──> · ──h──> leaf        the plain path: the first incumbent
      ╲          ╲        ╲
     -2|s_0|    -2|s_1|  -2|s_2|              siblings, deepest first:
    subtree     subtree   subtree             drop when  max loss below - penalty <= best

The result is the maximum that brute force finds. Rounding cannot break this: adding a
non-negative penalty and subtracting a greater number are monotone in float32 as well.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.core.descent import DescentSpace, descend
from treecore.core.tree import OBLIQUE
from treecore.learners.nongreedy.joint_tree import TrainingTree
from treecore.learners.nongreedy.weight_rows import split_score
from treecore.losses.base import cost_below, leaf_cost

_NONE = np.float32(np.nan)
_ZERO = np.float32(0.0)


class BranchOutcome(IntEnum):
    """What the search decides about a node."""

    PATH = 0
    """A split on the example's own way down."""
    PATH_LEAF = 1
    """The leaf at its end: the first best value."""
    OPENED = 2
    """A split below which a better leaf is possible: its score is computed."""
    DROPPED = 3
    """Even the dearest leaf below could not win: nothing there is computed."""
    TAKEN = 4
    """A leaf that beats the best value so far."""


class SearchTrace(NamedTuple):
    """What :func:`infer` met, node by node, in the order of the search; n_nodes entries are enough.

    - node, outcome: int32 and int8, a split, or ``~leaf``; a :class:`BranchOutcome`.
    - ceiling: the greatest loss below, or the leaf's own; penalty: summed ``2 |s_i|`` on the way;
      best: the best value before; score: s_i, if it was computed. All float32, NaN where there is
      none.
    """

    n_visits: np.ndarray
    node: np.ndarray
    outcome: np.ndarray
    ceiling: np.ndarray
    penalty: np.ndarray
    best: np.ndarray
    score: np.ndarray

    @classmethod
    def of(cls, tree) -> SearchTrace:
        """An empty trace for a TrainingTree."""
        n_nodes = len(tree.left) + len(tree.theta)
        numbers = np.empty((4, n_nodes), dtype=np.float32)
        node, outcome = np.empty(n_nodes, dtype=np.int32), np.empty(n_nodes, dtype=np.int8)
        return cls(np.zeros(1, dtype=np.int64), node, outcome, *numbers)


@kernel
def _record(trace, node, outcome, ceiling, penalty, best, score):
    k = trace.n_visits[0]
    trace.node[k], trace.outcome[k] = node, outcome
    trace.ceiling[k], trace.penalty[k] = ceiling, penalty
    trace.best[k], trace.score[k] = best, score
    trace.n_visits[0] += 1


@kernel(pasted=True)
def infer(tree, x, y, exact, trace=None):
    """Find the leaf of greatest v_j for one example x (width,): among all codes, if ``exact``.

    Returns h_leaf = f(sgn(Wx)); g_leaf; its v, the bound; and the number of inner products.
    """
    # Read once: whoever asks a tuple for one of its arrays counts a reference to it.
    stack, penalty, score = tree.stack, tree.penalty, tree.score
    W, left, right, theta, tables = tree.W, tree.left, tree.right, tree.theta, tree.tables
    # The plain path; its siblings wait on the stack.
    top = 0
    node = 0 if left.shape[0] > 0 else -1
    while node >= 0:
        s = split_score(W, node, x)
        score[node] = s
        if trace is not None:
            _record(trace, node, BranchOutcome.PATH, _NONE, _ZERO, _NONE, s)
        near, far = left[node], right[node]
        if s > 0:
            near, far = far, near
        stack[top], node = far, near
        penalty[top] = np.float32(2.0) * abs(s)
        top += 1

    h_leaf = g_leaf = ~node
    n_products = top
    best = leaf_cost(tables, theta, h_leaf, y)
    if trace is not None:
        _record(trace, node, BranchOutcome.PATH_LEAF, best, _ZERO, _NONE, _NONE)
    while top > 0:
        top -= 1
        node = stack[top]
        lost = penalty[top]
        while True:
            # Invariant: no leaf below `node` has a v greater than `ceiling - lost`.
            if node >= 0:
                ceiling = cost_below(tables, node, y)
            else:
                ceiling = leaf_cost(tables, theta, ~node, y)
            if ceiling - lost <= best:
                if trace is not None:
                    _record(trace, node, BranchOutcome.DROPPED, ceiling, lost, best, _NONE)
                break
            if node < 0:
                if trace is not None:
                    _record(trace, node, BranchOutcome.TAKEN, ceiling, lost, best, _NONE)
                best = ceiling - lost
                g_leaf = ~node
                break
            s = split_score(W, node, x)
            n_products += 1
            score[node] = s
            if trace is not None:
                _record(trace, node, BranchOutcome.OPENED, ceiling, lost, best, s)
            near, far = left[node], right[node]
            if s > 0:
                near, far = far, near
            if exact:
                stack[top] = far
                penalty[top] = lost + np.float32(2.0) * abs(s)
                top += 1
            node = near
    return h_leaf, g_leaf, best, n_products


@kernel
def plain_leaf(tree, x):
    """The leaf that a row reaches, f(sgn(Wx)), without the bound. x: float32 (width,)."""
    W, left, right = tree.W, tree.left, tree.right
    node = 0 if left.shape[0] > 0 else -1
    while node >= 0:
        node = right[node] if split_score(W, node, x) > 0 else left[node]
    return ~node


def plain_leaves(tree: TrainingTree, X: np.ndarray, leaf: np.ndarray) -> None:
    """Write the leaf, int32, that every row (n_samples, width) reaches, without bounds."""
    # The splits as a Tree has them: dense rows are not descended with in a second way.
    n_splits = len(tree.left)
    feature, row = np.full(n_splits, OBLIQUE, np.int32), np.arange(n_splits, dtype=np.int32)
    ways = tree.left, tree.right, np.zeros(X.shape[1], np.float32), np.zeros(n_splits, np.bool_)
    splits = feature, np.zeros(n_splits, np.float32), row, tree.W, *ways
    descend(splits, 0 if n_splits else ~0, X, True, leaf, DescentSpace.of(X.shape[1]))


@kernel
def measure_rows(tree, X, y, weight, exact, leaf):
    """Write the leaf, int32, of every row; return the weighted sum of their bounds."""
    total = 0.0
    for i in range(leaf.shape[0]):
        leaf[i], _, bound, _ = infer(tree, X[i], y[i], exact)
        total += weight[i] * bound
    return total
