"""Plain twins of TAO's kernels: same names, same decisions, written to be read."""

from __future__ import annotations

from naive import dot


def goes_right(tree, split, x):
    if tree.feature[split] >= 0:
        return x[tree.feature[split]] > tree.threshold[split]
    return dot(tree.weights[tree.row[split]], x) - tree.threshold[split] > 0


def leaf_below(tree, node, x):
    while node >= 0:
        node = tree.right[node] if goes_right(tree, node, x) else tree.left[node]
    return ~node


def side_losses(tree, split, x, y, weight, labels):
    """What going left and what going right costs a row: eq. 2 of Gabidolla et al."""
    return [
        weight * (labels[leaf_below(tree, child, x)] != y)
        for child in (tree.left[split], tree.right[split])
    ]


def find_care_points(tree, split, X, y, weight, labels, rows):
    """The care points, whether right is their better side, and |difference| of the two losses."""
    care, wants_right, difference = [], [], []
    for row in rows:
        left, right = side_losses(tree, split, X[row], y[row], weight[row], labels)
        if left != right:
            care.append(row)
            wants_right.append(right < left)
            difference.append(abs(right - left))
    return care, wants_right, difference


def care_loss(tree, split, X, weight, care, wants_right):
    sides = [goes_right(tree, split, X[row]) for row in care]
    return sum(weight[row] for row, side, want in zip(care, sides, wants_right) if side != want)


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
