"""Care points: the rows for which it matters which way they go at a split.

With the subtrees below a split as they are, a row meets one leaf if it goes left and another if
it goes right. Where just one of the two predicts its class, the row is a *care point* and that
side its *pseudolabel*; to all other rows the split may do what it likes. What is left to learn at
the split, its *reduced problem*, is to send care points to their sides (Carreira-Perpinan and
Tavallali 2018; eq. 3 of Gabidolla et al.).
"""

from __future__ import annotations

from treecore.kernels import kernel
from treecore.routing import score


@kernel
def leaf_below(tree, node, x):
    """The leaf that one float32 row reaches from ``node``, a split or ``~leaf``."""
    while node >= 0:
        node = tree.right[node] if score(tree, node, x) > 0 else tree.left[node]
    return ~node


@kernel
def find_care_points(
    tree, split, X, y, weight, labels, rows, leaf, other, went_right, care, wants_right
):
    """Find the care points of one split among the rows that reach it; return how many there are.

    Parameters
    ----------
    tree : Tree
    split : int
    X : float32 array, shape (n_samples, n_features)
    y : int64 array, shape (n_samples,)
    weight : float64 array, shape (n_samples,)
        A row without weight is no care point.
    labels : int64 array, shape (n_leaves,)
        What each leaf predicts.
    rows : int64 array, shape (n_rows,)
        Rows that reach the split.
    leaf : int32 array, shape (n_samples,)
        Leaf that every row reaches.
    other, went_right : OUT int32 and bool arrays, shape (n_rows,)
        For every one of ``rows`` the leaf it would reach on the other side, and whether it goes
        right at present.
    care, wants_right : OUT int64 and bool arrays, shape (n_rows,)
        Filled from the front: the care points, and whether right is their better side.
    """
    n_care = 0
    for i in range(rows.shape[0]):
        row = rows[i]
        x = X[row]
        right = score(tree, split, x) > 0
        other[i] = leaf_below(tree, tree.left[split] if right else tree.right[split], x)
        went_right[i] = right
        stays = labels[leaf[row]] == y[row]
        if weight[row] > 0 and stays != (labels[other[i]] == y[row]):
            care[n_care] = row
            wants_right[n_care] = right == stays
            n_care += 1
    return n_care


@kernel
def care_loss(tree, split, X, weight, care, wants_right):
    """Weight of the care points that a split sends to their worse side, in float64.

    ``care`` and ``wants_right``, shape (n_care,), are as :func:`find_care_points` leaves them.
    """
    total = 0.0
    for i in range(care.shape[0]):
        row = care[i]
        if (score(tree, split, X[row]) > 0) != wants_right[i]:
            total += weight[row]
    return total


@kernel
def follow_split(tree, split, X, rows, went_right, other, leaf):
    """Bring ``leaf`` up to date after a split has changed; see :func:`find_care_points`."""
    for i in range(rows.shape[0]):
        row = rows[i]
        if (score(tree, split, X[row]) > 0) != went_right[i]:
            leaf[row] = other[i]
