"""Soft routing of one mini-batch, for the tests of its kernels."""

from __future__ import annotations

import numpy as np

from treecore.learners.nongreedy.annealed.soft_routing import (
    ROOM,
    Routing,
    make_routing,
    route_down,
    route_up,
)
from treecore.rows.gathered import sum_scaled_rows


def route(
    tree, X: np.ndarray, costs, weight, beta: np.float32, routing=None
) -> tuple[float, Routing]:
    """Expected cost of a mini-batch, and its gradients by leaf values and scores.

    tree: W is dense; X: float32 (n_rows, width); costs: what leaves cost these rows; gradients by
    their values are added to it; weight: float32 (n_rows,), rows without weight are left out;
    routing: work space for this tree. Returns total: the sum of the weighted expected costs;
    routing: the entries; where the room was not enough, in a larger work space.
    """
    if routing is None:
        routing = make_routing(len(tree.left), ROOM * len(weight))
    while not route_down(tree.left, tree.right, tree.W, X, weight, beta, routing):
        routing = make_routing(len(tree.left), 2 * len(routing.row))
    return route_up(tree.left, tree.right, costs, weight, beta, routing), routing


def split_gradients(X: np.ndarray, routing: Routing, out: np.ndarray) -> None:
    """Write the gradient of the expected cost by every row of W, float32 (n_splits, width)."""
    for i, gradient in enumerate(out):
        begin = routing.first[i]
        stop = begin + routing.n_entries[i]
        sum_scaled_rows(X, routing.row, routing.factor, begin, stop, gradient)
