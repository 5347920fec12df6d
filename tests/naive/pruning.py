"""Plain twins of the prunings: nested tuples instead of arrays, every node asked anew.

A nested tree is ``("leaf", values)`` or ``("split", number, left, right, rows)``, where ``rows``
are those that reach the node.
"""

import numpy as np

from tests.naive.tao import goes_right


def nested(tree, X, node=None, rows=None):
    node = tree.root if node is None else node
    rows = np.arange(len(X)) if rows is None else rows
    if node < 0:
        return ("leaf", tree.values[~node], rows)
    right = np.array([goes_right(tree, node, X[row]) for row in rows], dtype=bool)
    return (
        "split",
        node,
        nested(tree, X, tree.left[node], rows[~right]),
        nested(tree, X, tree.right[node], rows[right]),
        rows,
    )


def leaves(node):
    return [node] if node[0] == "leaf" else leaves(node[2]) + leaves(node[3])


def splits(node):
    return [] if node[0] == "leaf" else [node, *splits(node[2]), *splits(node[3])]


def risk(y, weight, rows, criterion, n_classes):
    """Impurity of some rows times their weight."""
    total = weight[rows].sum()
    if total == 0:
        return 0.0
    if criterion == "variance":
        mean = np.average(y[rows], axis=0, weights=weight[rows])
        return (weight[rows, None] * (y[rows] - mean) ** 2).sum(axis=0).mean()
    share = np.array([weight[rows][y[rows] == c].sum() / total for c in range(n_classes)])
    if criterion == "gini":
        return total * (1 - (share**2).sum())
    if criterion == "error":
        return total * (1 - share.max())
    return total * -sum(s * np.log2(s) for s in share if s > 0)


def best_cost(node, alpha, risk_of):
    """Least ``R + alpha L`` of any pruned subtree, and its splits, the fewest of equals.

    Not the weakest link but dynamic programming: every node compares itself with what is best
    below, which is another way to the same trees.
    """
    as_leaf = risk_of(node[-1]) + alpha
    if node[0] == "leaf":
        return as_leaf, set()
    (left, a), (right, b) = (best_cost(child, alpha, risk_of) for child in node[2:4])
    if as_leaf <= left + right + 1e-12:
        return as_leaf, set()
    return left + right, {node[1]} | a | b


def reduced_error(node, error_of, value_of):
    """Error after pruning, and the splits that are left, the root's first."""
    if node[0] == "leaf":
        return error_of(node[1], node[2]), []
    (left, a), (right, b) = (reduced_error(child, error_of, value_of) for child in node[2:4])
    as_leaf = error_of(value_of(node), node[4])
    if as_leaf <= left + right + 1e-9:
        return as_leaf, []
    return left + right, [node[1], *a, *b]


def impure(node, impurity_of, threshold):
    """The splits that are left where nearly pure nodes end."""
    if node[0] == "leaf" or impurity_of(node[4]) < threshold:
        return []
    return [
        node[1],
        *impure(node[2], impurity_of, threshold),
        *impure(node[3], impurity_of, threshold),
    ]
