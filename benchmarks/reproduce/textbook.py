"""SGD on the bound as the papers' text has it: what branch and bound is measured against.

Exact inference scores every split and looks at every leaf, O(2^d p); fast inference follows the
sibling of every split on the plain path down to a leaf, O(d^2 p). Both find the leaf that
:func:`treecore.learners.nongreedy.inference.infer` finds, and so these passes learn the same tree;
nothing in treecore learns with them.
"""

from __future__ import annotations

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.learners.nongreedy.sgd.updates import push_away
from treecore.learners.nongreedy.weight_rows import split_score
from treecore.losses import gradient_step, leaf_cost


@kernel
def infer_all(tree, x, y, penalty):
    """Exact inference by all scores and all leaves.

    tree: ``tree.score`` receives the scores of all splits; x: float32 (width,); y: int, or float32
    (n_outputs,); penalty: float32 (n_splits,), work space. Returns h_leaf, g_leaf: the leaf that x
    reaches, and that of the loss-augmented code; bound.
    """
    n_splits = tree.left.shape[0]
    for node in range(n_splits):
        tree.score[node] = split_score(tree.W, node, x)
    node = 0 if n_splits > 0 else -1
    while node >= 0:
        node = tree.right[node] if tree.score[node] > 0 else tree.left[node]
    h_leaf = ~node
    g_leaf, best = h_leaf, leaf_cost(tree.tables, tree.theta, h_leaf, y)
    # Children are numbered after their parents: one pass from the root finds every leaf's value.
    if n_splits > 0:
        penalty[0] = 0.0
    for node in range(n_splits):
        s = tree.score[node]
        against = penalty[node] + np.float32(2.0) * abs(s)
        for right in range(2):
            child = tree.right[node] if right else tree.left[node]
            lost = penalty[node] if (s > 0) == (right == 1) else against
            if child >= 0:
                penalty[child] = lost
            else:
                value = leaf_cost(tree.tables, tree.theta, ~child, y) - lost
                if value > best:
                    g_leaf, best = ~child, value
    return h_leaf, g_leaf, best


@kernel
def infer_siblings(tree, x, y):
    """Fast inference: every sibling of the plain path is followed down to a leaf.

    Results are those of :func:`infer_all`, and the number of splits that were scored;
    ``tree.score`` receives their scores.
    """
    n_scored = 0
    node = 0 if tree.left.shape[0] > 0 else -1
    while node >= 0:
        n_scored += 1
        s = split_score(tree.W, node, x)
        tree.score[node] = s
        node = tree.right[node] if s > 0 else tree.left[node]
    h_leaf = ~node
    g_leaf, best = h_leaf, leaf_cost(tree.tables, tree.theta, h_leaf, y)
    top = 0 if tree.left.shape[0] > 0 else -1
    while top >= 0:
        right = tree.score[top] > 0
        node = tree.left[top] if right else tree.right[top]
        while node >= 0:
            n_scored += 1
            s = split_score(tree.W, node, x)
            tree.score[node] = s
            node = tree.right[node] if s > 0 else tree.left[node]
        value = leaf_cost(tree.tables, tree.theta, ~node, y) - np.float32(2.0) * abs(
            tree.score[top]
        )
        if value > best:
            g_leaf, best = ~node, value
        top = tree.right[top] if right else tree.left[top]
    return h_leaf, g_leaf, best, n_scored


@kernel
def textbook_rows(tree, X, y, order, exact, eta, nu, penalty):
    """Visit some examples, one update each, as Algorithm 1 has it.

    tree: changed in place; X: float32 (n_samples, width) or CentredRows; y: int64 (n_samples,) or
    float32 (n_samples, n_outputs); order: int64 (n_visits,); penalty: float32 (n_splits,), work
    space.
    """
    for i in range(order.shape[0]):
        x, target = X[order[i]], y[order[i]]
        if exact:
            h_leaf, g_leaf, _ = infer_all(tree, x, target, penalty)
        else:
            h_leaf, g_leaf, _, _ = infer_siblings(tree, x, target)
        if g_leaf != h_leaf:
            push_away(tree, x, g_leaf, eta, nu)
        gradient_step(tree.tables, tree.theta, g_leaf, target, eta)
