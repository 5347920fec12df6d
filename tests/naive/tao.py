"""Plain twins of TAO's kernels: same names, same decisions, written to be read."""

import numpy as np

from tests.naive.nongreedy import dot


def goes_right(tree, split, x):
    if tree.feature[split] >= 0:
        return x[tree.feature[split]] > tree.threshold[split]
    return dot(tree.weights[tree.row[split]], x) - tree.threshold[split] > 0


def leaf_below(tree, node, x):
    while node >= 0:
        node = tree.right[node] if goes_right(tree, node, x) else tree.left[node]
    return ~node


def side_losses(tree, split, x, cost):
    """What going left and what going right costs a row: eq. 2 of Gabidolla et al."""
    return [
        float(cost(leaf_below(tree, child, x))) for child in (tree.left[split], tree.right[split])
    ]


def find_care_points(tree, split, X, weight, cost, rows):
    """The care points, whether right is their better side, and what they stake.

    ``cost(leaf, row)`` is what a leaf costs a row.
    """
    care, wants_right, stake = [], [], []
    for row in rows:
        left, right = side_losses(tree, split, X[row], lambda leaf, row=row: cost(leaf, row))
        lost = weight[row] * abs(right - left)
        if lost > 0:
            care.append(row)
            wants_right.append(right < left)
            stake.append(lost)
    return care, wants_right, stake


def care_loss(tree, split, X, care, wants_right, stake):
    sides = [goes_right(tree, split, X[row]) for row in care]
    return sum(lost for lost, side, want in zip(stake, sides, wants_right) if side != want)


def logistic_cost(w, Z, right, stake, ridge=0.0):
    """F of :mod:`treecore.learners.nongreedy.tao.newton`, for rows in training coordinates."""
    t = np.where(right, 1.0, -1.0)
    return np.abs(w).sum() + ridge / 2 * (w @ w) + (stake * np.logaddexp(0, -t * (Z @ w))).sum()


def follow_split(tree, split, X, rows, leaf):
    for row in rows:
        leaf[row] = leaf_below(tree, split, X[row])


def leaves_under(tree, node):
    if node < 0:
        return [~node]
    return leaves_under(tree, tree.left[node]) + leaves_under(tree, tree.right[node])


def prunable(tree, counts):
    """Splits with a dead side, or whose living leaves all predict the same."""
    labels, found = tree.values.argmax(axis=1), []
    for split in range(tree.n_splits):
        sides = [
            [leaf for leaf in leaves_under(tree, child) if counts[leaf].sum() > 0]
            for child in (tree.left[split], tree.right[split])
        ]
        if not all(sides) or len(set(labels[sides[0] + sides[1]])) == 1:
            found.append(split)
    return found
