"""Kernels of soft routing: a row turns right at split i with probability sigmoid(beta s_i).

Going down gives the chance r of reaching each node, coming up the expected cost V from there on::

    V_i = p_i V_right + (1 - p_i) V_left
    dV_root/ds_i = beta r_i p_i (1 - p_i) (V_right - V_left)

so two visits to a node give the expected cost of a row and its gradient by the score. Nodes that
a row hardly ever reaches are not visited: once turns have hardened, these are most of them. The
likelier child is always visited, so that a row comes to a leaf from wherever it gets to.

A mini-batch is routed split by split. A visit of a row to a split is an *entry*; those of one split
lie together, so that its weights are read once for all of them, and its gradient is one sum::

    entries of   split 0          split 1    split 2
                 a b c d e f ...  a c d ...  b d e f ...      row
                                                              chance r, turn p, value V, factor
                 └ to_left[e] ────┘                           the row's entry at a child
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.exponential import exp32
from treecore.compiling.kernels import kernel
from treecore.learners.nongreedy.annealed.leaf_costs import visit_leaf
from treecore.rows.gathered import dots_of_four

UNREACHED = 3e-3
"""A split of lesser chance is not visited, unless it is the likelier one of two; its side counts as
no better than the other one."""

ROOM = 32
"""Entries that a row is given room for at first."""


class Routing(NamedTuple):
    """The entries of a mini-batch, see the module docstring.

    - first, n_entries: int64 (n_splits,), at least (1,): split i has those from ``first[i]`` on.
    - row, chance, turn, value: (room,): row of the mini-batch, r, p and V; factor: the row's weight
      times the gradient by its score.
    - to_left, to_right: int32 (room,), entry at the child; -1 for a leaf or a child not visited.
    """

    first: np.ndarray
    n_entries: np.ndarray
    row: np.ndarray
    chance: np.ndarray
    turn: np.ndarray
    value: np.ndarray
    factor: np.ndarray
    to_left: np.ndarray
    to_right: np.ndarray


def make_routing(n_splits: int, room: int) -> Routing:
    """Work space for a tree of so many splits, and so many entries."""
    first, n_entries = np.zeros((2, max(1, n_splits)), dtype=np.int64)
    row = np.empty(room, dtype=np.uint32)
    chance, turn, value, factor = (np.empty(room, dtype=np.float32) for _ in range(4))
    to_left, to_right = (np.empty(room, dtype=np.int32) for _ in range(2))
    return Routing(first, n_entries, row, chance, turn, value, factor, to_left, to_right)


@kernel
def route_down(left, right, W, X, weight, beta, routing):
    """Write the splits every row reaches, and chances; return whether there was room for all."""
    first, count, row = routing.first, routing.n_entries, routing.row
    chance, turn = routing.chance, routing.turn
    one, lowest = np.float32(1.0), np.float32(-30.0)
    room = row.shape[0]
    if weight.shape[0] > room:
        return False
    count[:] = 0
    top = 0
    for i in range(weight.shape[0]):
        row[top], chance[top] = i, one
        top += weight[i] != 0.0
    first[0], count[0] = 0, top
    for split in range(left.shape[0]):
        begin, stop = first[split], first[split] + count[split]
        if begin == stop:
            continue
        if top + 2 * count[split] > room:
            return False
        for k in range(begin, stop, 4):
            # The last one stands in for those that would come after it.
            a, b = np.uint32(k), np.uint32(min(k + 1, stop - 1))
            c, d = np.uint32(min(k + 2, stop - 1)), np.uint32(min(k + 3, stop - 1))
            turn[a], turn[b], turn[c], turn[d] = dots_of_four(
                W, np.uint32(split), X, row[a], row[b], row[c], row[d]
            )
        turns = turn[begin:stop]
        for k in range(turns.shape[0]):
            s = beta * turns[k]
            s = lowest if s < lowest else -lowest if s > -lowest else s
            # NumPy's division raises nothing, so that the loop has no way out.
            turns[k] = np.divide(one, one + exp32(-s))
        for to_right in (False, True):  # one type for both sides: each would be compiled anew
            child = right[split] if to_right else left[split]
            if child >= 0:
                entered = routing.to_right if to_right else routing.to_left
                first[child] = top
                top = _enter(row, chance, turn, begin, stop, to_right, np.int64(top), entered)
                count[child] = top - first[child]
    return True


@kernel
def _enter(row, chance, turn, begin, stop, to_right, top, entered):
    """Write the entries of a child from ``top`` on; return the place after them."""
    smallest, half = np.float32(UNREACHED), np.float32(0.5)
    for k in range(begin, stop):
        e, following = np.uint32(k), np.uint32(top)
        p = turn[e] if to_right else np.float32(1.0) - turn[e]
        likelier = (turn[e] > half) == to_right
        r = chance[e] * p
        visited = (r > smallest) | likelier
        row[following], chance[following] = row[e], r
        entered[e] = top if visited else -1
        top += visited
    return top


@kernel
def route_up(left, right, costs, weight, beta, routing):
    """Write expected costs and gradients by scores of entries; return the sum of costs."""
    first, count, row = routing.first, routing.n_entries, routing.row
    chance, turn, value, factor = routing.chance, routing.turn, routing.value, routing.factor
    to_left, to_right = routing.to_left, routing.to_right
    one = np.float32(1.0)
    total = 0.0
    if left.shape[0] == 0:
        for k in range(count[0]):
            total += weight[row[k]] * visit_leaf(costs, 0, row[k], weight[row[k]])
        return total
    for split in range(left.shape[0] - 1, -1, -1):
        a, b = left[split], right[split]
        begin, stop = first[split], first[split] + count[split]
        # What the left side costs goes to `factor` first, what the right one does to `value`: of a
        # side that is not visited whatever is found there.
        for k in range(begin, stop):
            e = np.uint32(k)
            i = row[e]
            if a < 0:
                factor[e] = visit_leaf(costs, ~a, i, weight[i] * (chance[e] * (one - turn[e])))
            else:
                factor[e] = value[np.uint32(max(to_left[e], 0))]
        for k in range(begin, stop):
            e = np.uint32(k)
            i = row[e]
            if b < 0:
                value[e] = visit_leaf(costs, ~b, i, weight[i] * (chance[e] * turn[e]))
            else:
                value[e] = value[np.uint32(max(to_right[e], 0))]
        for k in range(begin, stop):
            e = np.uint32(k)
            p, at_left, at_right = turn[e], factor[e], value[e]
            at_left = at_left if a < 0 or to_left[e] >= 0 else at_right
            at_right = at_right if b < 0 or to_right[e] >= 0 else at_left
            gap = at_right - at_left
            value[e] = at_left + p * gap
            factor[e] = weight[row[e]] * (beta * chance[e] * p * (one - p) * gap)
    for k in range(count[0]):
        total += weight[row[k]] * value[k]
    return total
