"""Branch and bound for one example, node by node.

The kernel (:func:`treecore.learners.nongreedy.inference.infer`) says which leaf won and how dear
that was. :func:`trace_search` takes the same decisions in the same order and keeps each of them
with the three numbers that it was made of: what the subtree could cost at most, what the way there
takes away from that, and the best value known so far.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from treecore.core.kernels import kernel
from treecore.learners.nongreedy.joint_tree import TrainingTree
from treecore.learners.nongreedy.weight_rows import split_score
from treecore.losses.base import cost_below, leaf_cost


class BranchOutcome(StrEnum):
    """What the search decided about a node."""

    PATH = "path"
    """A split on the example's own way down."""
    PATH_LEAF = "own"
    """The leaf at its end: the first best value."""
    OPENED = "opened"
    """A split below which a better leaf is possible: its score is computed."""
    DROPPED = "dropped"
    """Even the dearest leaf below could not win: nothing there is computed."""
    TAKEN = "taken"
    """A leaf that beats the best value so far."""


@dataclass(frozen=True)
class VisitedNode:
    """One node as the search met it.

    Attributes
    ----------
    node : int
        A split, or ``~leaf``.
    outcome : BranchOutcome
    ceiling : float32 or None
        The greatest loss of the leaves below, or the leaf's own; None for splits on the path.
    penalty : float32
        ``2 |s_i|`` of the splits on the way that the example disagrees with, summed.
    best : float32 or None
        The best value before this visit; None as long as there is none.
    score : float32 or None
        s_i, where the visit cost an inner product.
    """

    node: int
    outcome: BranchOutcome
    ceiling: np.float32 | None
    penalty: np.float32
    best: np.float32 | None
    score: np.float32 | None


@dataclass(frozen=True)
class Search:
    """What loss-augmented inference found, and how.

    Attributes
    ----------
    visited : tuple of VisitedNode
        In the order of the search.
    path : tuple of int
        Splits that the example passes, from the root.
    h_leaf, g_leaf, bound, n_products
        As of :func:`treecore.learners.nongreedy.inference.infer`.
    textbook : int
        Inner products that the paper's procedure would have spent.
    """

    visited: tuple[VisitedNode, ...]
    path: tuple[int, ...]
    h_leaf: int
    g_leaf: int
    bound: np.float32
    n_products: int
    textbook: int


@dataclass(frozen=True)
class Candidate:
    """A leaf as an answer of loss-augmented inference.

    Attributes
    ----------
    leaf : int
    loss, penalty, value : float32
        ``value = loss - penalty`` is v_j.
    against : tuple of int
        Splits on the way there that the example disagrees with.
    allowed : bool
        Whether inference may choose it: exact inference may choose any leaf, fast inference
        those that are one changed decision away.
    """

    leaf: int
    loss: np.float32
    penalty: np.float32
    value: np.float32
    against: tuple[int, ...]
    allowed: bool


@kernel
def score_at(tree, split, x):
    """The score of one split, for Python.

    Parameters
    ----------
    tree : TrainingTree
    split : int
    x : float32 array, shape (width,)

    Returns
    -------
    float32
    """
    return split_score(tree.W, split, x)


@kernel
def ceiling_at(tree, node, y):
    """The cost of a leaf, or what no leaf below a split exceeds, for Python.

    Parameters
    ----------
    tree : TrainingTree
    node : int
        A split, or ``~leaf``.
    y : int, or float32 array, shape (n_outputs,)

    Returns
    -------
    float32
    """
    if node >= 0:
        return cost_below(tree.tables, node, y)
    return leaf_cost(tree.tables, tree.theta, ~node, y)


def trace_search(tree: TrainingTree, x: np.ndarray, y, exact: bool) -> Search:
    """Loss-augmented inference for one example, decision for decision as the kernel does it.

    Parameters
    ----------
    tree : TrainingTree
        Not changed, work space included.
    x : float32 array, shape (width,)
        A row in training coordinates.
    y : int, or float32 array, shape (n_outputs,)
    exact : bool
        All codes; otherwise those one bit away from sgn(Wx).
    """
    visited: list[VisitedNode] = []
    pending: list[tuple[int, np.float32]] = []
    path = []
    node = 0 if len(tree.left) else -1
    while node >= 0:
        s = np.float32(score_at(tree, node, x))
        visited.append(VisitedNode(node, BranchOutcome.PATH, None, np.float32(0), None, s))
        path.append(node)
        near, far = _sides(tree, node, s)
        pending.append((far, np.float32(2) * abs(s)))
        node = near
    h_leaf = g_leaf = ~node
    best = np.float32(ceiling_at(tree, node, y))
    visited.append(VisitedNode(node, BranchOutcome.PATH_LEAF, best, np.float32(0), None, None))
    n_products = len(path)

    while pending:
        node, lost = pending.pop()
        while True:
            ceiling = np.float32(ceiling_at(tree, node, y))
            if ceiling - lost <= best:
                visited.append(VisitedNode(node, BranchOutcome.DROPPED, ceiling, lost, best, None))
                break
            if node < 0:
                visited.append(VisitedNode(node, BranchOutcome.TAKEN, ceiling, lost, best, None))
                best, g_leaf = ceiling - lost, ~node
                break
            s = np.float32(score_at(tree, node, x))
            n_products += 1
            visited.append(VisitedNode(node, BranchOutcome.OPENED, ceiling, lost, best, s))
            near, far = _sides(tree, node, s)
            if exact:
                pending.append((far, lost + np.float32(2) * abs(s)))
            node = near
    textbook = len(tree.left) if exact else _textbook_fast(tree, x, path)
    result = h_leaf, g_leaf, best, n_products
    return Search(tuple(visited), tuple(path), *result, textbook)


def candidates(tree: TrainingTree, x: np.ndarray, y, exact: bool) -> list[Candidate]:
    """Every leaf with its value v_j for one example, the greatest first.

    Scores of all splits are computed for it, which is what the search avoids. Equal values are
    in the order of the leaves.

    Parameters are those of :func:`trace_search`.
    """
    ranked = []

    def walk(node: int, lost: np.float32, against: tuple[int, ...]) -> None:
        if node < 0:
            loss = np.float32(ceiling_at(tree, node, y))
            allowed = exact or len(against) <= 1
            ranked.append(Candidate(~node, loss, lost, loss - lost, against, allowed))
            return
        s = np.float32(score_at(tree, node, x))
        near, far = _sides(tree, node, s)
        walk(near, lost, against)
        walk(far, lost + np.float32(2) * abs(s), (*against, node))

    walk(0 if len(tree.left) else -1, np.float32(0), ())
    return sorted(ranked, key=lambda c: (-c.value, c.leaf))


def path_to(tree, leaf: int) -> list[tuple[int, bool]]:
    """The decision path to a leaf, from the root down.

    Parameters
    ----------
    tree : Tree or TrainingTree
        Anything with ``left`` and ``right``, int32 (n_splits,).
    leaf : int

    Returns
    -------
    list of (int, bool)
        Every split, and whether the path goes right there.
    """
    path: list[tuple[int, bool]] = []
    child = ~leaf
    while True:
        above = np.flatnonzero((tree.left == child) | (tree.right == child))
        if not above.size:
            return path[::-1]
        node = int(above[0])
        path.append((node, bool(tree.right[node] == child)))
        child = node


def _sides(tree: TrainingTree, node: int, s: np.float32) -> tuple[int, int]:
    """The child that an example of this score goes to, and the other one."""
    left, right = int(tree.left[node]), int(tree.right[node])
    return (right, left) if s > 0 else (left, right)


def _textbook_fast(tree: TrainingTree, x: np.ndarray, path: list[int]) -> int:
    """Splits scored when every sibling of the path is followed down."""
    n_scored = len(path)
    for split in path:
        node = _sides(tree, split, np.float32(score_at(tree, split, x)))[1]
        while node >= 0:
            n_scored += 1
            node = _sides(tree, node, np.float32(score_at(tree, node, x)))[0]
    return n_scored
