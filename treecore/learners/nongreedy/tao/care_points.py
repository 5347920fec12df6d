"""Care points: the rows for which it matters which way they go at a split.

With the subtrees below a split as they are, a row meets one leaf if it goes left and another if
it goes right. Where the two cost it differently, the row is a *care point*, the cheaper side its
*pseudolabel*, and the difference, times its weight, its *stake*. What is left to learn at the
split, its *reduced problem*, is to send care points to their sides, at the least stake of those
that go astray (Carreira-Perpinan and Tavallali 2018; eq. 3 of Gabidolla et al.).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.core.routing import leaf_labels, score
from treecore.core.tree import Tree
from treecore.losses.base import Loss

Costs = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""What leaves, int32 (n_rows,), cost rows of these numbers, float64 (n_rows,)."""


def constant_costs(tree: Tree, loss: Loss, y: np.ndarray) -> Costs:
    """The costs of the leaves of a tree in the rows' units: mistakes, or what the loss says."""
    if loss.task == "classification":
        labels = leaf_labels(tree)
        return lambda leaf, rows: (labels[leaf] != y[rows]).astype(np.float64)
    return lambda leaf, rows: loss.of_rows(tree.values, leaf, y[rows]).astype(np.float64)


class ReducedProblem(NamedTuple):
    """What is left to learn at one split.

    - other, went_right: (n_rows,), of each row that reaches the split the leaf on the other side;
      whether it goes right at present.
    - care, wants_right, stake: (n_care,), the care points; their better side; what the other one
      costs.
    """

    other: np.ndarray
    went_right: np.ndarray
    care: np.ndarray
    wants_right: np.ndarray
    stake: np.ndarray

    @property
    def one_sided(self) -> bool:
        """Whether all care points want the same side."""
        return bool(self.wants_right.all() or not self.wants_right.any())


def reduced_problem(
    tree: Tree, split: int, X, rows: np.ndarray, leaf: np.ndarray, costs: Costs, weight
) -> ReducedProblem:
    """The reduced problem of one split that ``rows``, int32, reach; leaf, weight: of all rows."""
    other, went_right = np.empty(len(rows), dtype=np.int32), np.empty(len(rows), dtype=bool)
    find_other_leaves(tree, split, X, rows, other, went_right)
    stays, leaves = costs(leaf[rows], rows), costs(other, rows)
    stake = weight[rows] * np.abs(leaves - stays)
    care = np.flatnonzero(stake > 0)
    wants_right = went_right[care] == (stays < leaves)[care]
    return ReducedProblem(other, went_right, rows[care], wants_right, stake[care])


@kernel
def leaf_below(tree, node, x):
    """The leaf that a row (n_features,) reaches from a node: a split, or ``~leaf``."""
    node = np.int64(node)  # as the kernels that call `score` have it
    while node >= 0:
        node = tree.right[node] if score(tree, node, x) > 0 else tree.left[node]
    return ~node


@kernel
def find_other_leaves(tree, split, X, rows, other, went_right):
    """Write the leaf of rows (n_rows,) on a split's other side, and whether they go right."""
    for i in range(rows.shape[0]):
        x = X[rows[i]]
        right = score(tree, split, x) > 0
        other[i] = leaf_below(tree, tree.left[split] if right else tree.right[split], x)
        went_right[i] = right


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
