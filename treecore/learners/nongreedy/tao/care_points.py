"""Care points: the rows for which it matters which way they go at a split.

With the subtrees below a split as they are, a row meets one leaf if it goes left and another if
it goes right. Where the two cost it differently, the row is a *care point*, the cheaper side its
*pseudolabel*, and the difference, times its weight, its *stake*; to all other rows the split may
do what it likes. What is left to learn at the split, its *reduced problem*, is to send care
points to their sides, at the least stake of those that go astray (Carreira-Perpinan and Tavallali
2018; eq. 3 of Gabidolla et al.).

Classes are counted right or wrong, so there a stake is a weight. Numbers cost what their loss
says.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.dispatch import implements
from treecore.compiling.kernels import kernel
from treecore.core.routing import leaf_labels, score
from treecore.core.tree import Tree
from treecore.losses.base import Loss, leaf_cost


class ZeroOneProblem(NamedTuple):
    """Tables of the 0/1 loss; labels: int64 (n_leaves,), what each leaf predicts."""

    labels: np.ndarray


@implements(leaf_cost, ZeroOneProblem)
def _leaf_cost(tables, theta, leaf, y):
    return np.float32(0.0) if tables.labels[leaf] == y else np.float32(1.0)


def cost_tables(tree: Tree, loss: Loss):
    """What :func:`treecore.losses.leaf_cost` needs to know of a tree in the rows' units."""
    if loss.task == "classification":
        return ZeroOneProblem(leaf_labels(tree))
    return loss.make_tables(0, *tree.values.shape)


class ReducedProblem(NamedTuple):
    """What is left to learn at one split.

    - rows, other, went_right: (n_rows,), rows that reach the split; the leaf that each would reach
      on the other side; whether it goes right at present.
    - care, wants_right, stake: (n_care,), the care points; whether right is their better side; what
      is lost where they go to the other.
    """

    rows: np.ndarray
    other: np.ndarray
    went_right: np.ndarray
    care: np.ndarray
    wants_right: np.ndarray
    stake: np.ndarray

    @property
    def one_sided(self) -> bool:
        """Whether all care points want the same side."""
        return bool(self.wants_right.all() or not self.wants_right.any())


def reduced_problem(tree, split: int, X, y, weight, tables, rows, leaf) -> ReducedProblem:
    """The reduced problem of one split that ``rows``, int32, reach."""
    n = len(rows)
    sides = np.empty(n, dtype=np.int32), np.empty(n, dtype=bool)
    wishes = np.empty(n, dtype=np.int32), np.empty(n, dtype=bool), np.empty(n)
    n_care = find_care_points(
        tree, split, X, y, weight, tables, leaf, ReducedProblem(rows, *sides, *wishes)
    )
    return ReducedProblem(rows, *sides, *(part[:n_care] for part in wishes))


@kernel
def leaf_below(tree, node, x):
    """The leaf that a row (n_features,) reaches from a node: a split, or ``~leaf``."""
    node = np.int64(node)  # as the kernels that call `score` have it
    while node >= 0:
        node = tree.right[node] if score(tree, node, x) > 0 else tree.left[node]
    return ~node


@kernel
def find_care_points(tree, split, X, y, weight, tables, leaf, problem):
    """Find the care points among the rows that reach a split; return how many there are.

    A row without weight is none; leaf: int32 (n_samples,), that every row reaches.
    """
    other, went_right = problem.other, problem.went_right
    n_care = 0
    for i in range(problem.rows.shape[0]):
        row = problem.rows[i]
        x = X[row]
        right = score(tree, split, x) > 0
        other[i] = leaf_below(tree, tree.left[split] if right else tree.right[split], x)
        went_right[i] = right
        stays = np.float64(leaf_cost(tables, tree.values, leaf[row], y[row]))
        leaves = np.float64(leaf_cost(tables, tree.values, other[i], y[row]))
        lost = weight[row] * abs(leaves - stays)
        if lost > 0:
            problem.care[n_care] = row
            problem.wants_right[n_care] = right == (stays < leaves)
            problem.stake[n_care] = lost
            n_care += 1
    return n_care


@kernel
def find_sides(tree, split, X, rows, right):
    """Write whether rows (n_rows,) go right at a split, bool (n_rows,)."""
    for i in range(rows.shape[0]):
        right[i] = score(tree, split, X[rows[i]]) > 0


def care_loss(tree, split: int, X, care, wants_right, stake) -> float:
    """Stake of the care points (n_care,) that a split sends to their worse side."""
    right = np.empty(len(care), dtype=bool)
    find_sides(tree, split, X, care, right)
    # One after another: in pairs equal stakes could seem to differ.
    return float(np.append(0.0, stake[right != wants_right]).cumsum()[-1])


def follow_split(tree, split: int, X, rows, went_right, other, leaf) -> None:
    """Bring the leaf of every row up to date after a split has changed."""
    right = np.empty(len(rows), dtype=bool)
    find_sides(tree, split, X, rows, right)
    moved = right != went_right
    leaf[rows[moved]] = other[moved]
