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

import numpy as np

from treecore.core.kernels import kernel
from treecore.core.rows import row_at
from treecore.learners.nongreedy.weight_rows import split_score
from treecore.losses.base import cost_below, leaf_cost


@kernel
def infer(tree, x, y, exact):
    """Find the leaf of greatest v_j for one example.

    Parameters
    ----------
    tree : TrainingTree
        ``tree.score`` receives the scores of all visited splits, the path of the answer among
        them.
    x : float32 array, shape (width,), or CentredRow
    y : int, or float32 array, shape (n_outputs,)
        Class, or numbers.
    exact : bool
        All codes; otherwise those one bit away from sgn(Wx).

    Returns
    -------
    h_leaf : int
        The leaf that x reaches, f(sgn(Wx)).
    g_leaf : int
        The leaf of the loss-augmented code; the plain leaf where no other is better.
    bound : float32
        v of ``g_leaf``, the surrogate bound of this example.
    n_products : int
        Inner products computed.
    """
    stack, penalty, score = tree.stack, tree.penalty, tree.score
    n_products = 0
    top = 0
    node = 0 if tree.left.shape[0] > 0 else -1
    while node >= 0:
        s = split_score(tree.W, node, x)
        n_products += 1
        score[node] = s
        if s > 0:
            stack[top] = tree.left[node]
            node = tree.right[node]
        else:
            stack[top] = tree.right[node]
            node = tree.left[node]
        penalty[top] = np.float32(2.0) * abs(s)
        top += 1
    h_leaf = ~node
    g_leaf = h_leaf
    best = leaf_cost(tree.tables, tree.theta, h_leaf, y)

    while top > 0:
        top -= 1
        node = stack[top]
        lost = penalty[top]
        while True:
            # Invariant: no leaf below `node` has a v greater than `ceiling - lost`.
            if node >= 0:
                ceiling = cost_below(tree.tables, node, y)
            else:
                ceiling = leaf_cost(tree.tables, tree.theta, ~node, y)
            if ceiling - lost <= best:
                break
            if node < 0:
                best = ceiling - lost
                g_leaf = ~node
                break
            s = split_score(tree.W, node, x)
            n_products += 1
            score[node] = s
            near, far = tree.left[node], tree.right[node]
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
    """The leaf that a row reaches, f(sgn(Wx)), without the bound.

    Parameters
    ----------
    tree : TrainingTree
    x : float32 array, shape (width,), or CentredRow

    Returns
    -------
    int
    """
    node = 0 if tree.left.shape[0] > 0 else -1
    while node >= 0:
        node = tree.right[node] if split_score(tree.W, node, x) > 0 else tree.left[node]
    return ~node


@kernel
def measure_rows(tree, X, y, weight, exact, bounded, leaf):
    """Write the leaf of every row; return the weighted sum of their bounds, if ``bounded``.

    Parameters
    ----------
    tree : TrainingTree
    X : float32 array, shape (n_samples, width), or CentredRows
    y : int64 array, shape (n_samples,), or float32 array, shape (n_samples, n_outputs)
    weight : float64 array, shape (n_samples,)
    exact, bounded : bool
        Which bound, and whether to compute it at all; without it the result is 0.0.
    leaf : OUT int32 array, shape (n_samples,)
    """
    total = 0.0
    for i in range(leaf.shape[0]):
        if bounded:
            leaf[i], _, bound, _ = infer(tree, row_at(X, i), y[i], exact)
            total += weight[i] * bound
        else:
            leaf[i] = plain_leaf(tree, row_at(X, i))
    return total
