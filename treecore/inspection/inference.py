"""Branch and bound for one example, node by node, as the kernel's trace has it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from treecore.learners.nongreedy.inference import BranchOutcome, SearchTrace, infer
from treecore.learners.nongreedy.joint_tree import TrainingTree
from treecore.learners.nongreedy.start import score_rows
from treecore.losses.base import row_costs


@dataclass(frozen=True)
class VisitedNode:
    """One node as the search met it: an entry of SearchTrace, with None in place of NaN."""

    node: int
    outcome: BranchOutcome
    ceiling: np.float32 | None
    penalty: np.float32
    best: np.float32 | None
    score: np.float32 | None


@dataclass(frozen=True)
class Search:
    """What loss-augmented inference found: the nodes visited in order, and the example's own path.

    textbook: inner products that the paper's procedure would have spent; others: as ``infer``.
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
    """A leaf as an answer of loss-augmented inference: ``value = loss - penalty`` is v_j.

    against: splits on the way that the example disagrees with; allowed: whether inference may
    choose it.
    """

    leaf: int
    loss: np.float32
    penalty: np.float32
    value: np.float32
    against: tuple[int, ...]
    allowed: bool


def trace_search(tree: TrainingTree, x: np.ndarray, y, exact: bool) -> Search:
    """Loss-augmented inference for one row (width,) in training coordinates; exact: all codes."""
    trace = SearchTrace.of(tree)
    h_leaf, g_leaf, bound, n_products = infer(tree, x, y, exact, trace)
    visited = tuple(_visits(trace))
    path = tuple(look.node for look in visited if look.outcome is BranchOutcome.PATH)
    textbook = len(tree.left) if exact else _textbook_fast(tree, split_scores(tree, x), path)
    return Search(visited, path, h_leaf, g_leaf, np.float32(bound), n_products, textbook)


def _visits(trace: SearchTrace) -> Iterator[VisitedNode]:
    """The entries of a trace, with None for numbers that are not there."""
    for k in range(trace.n_visits[0]):
        numbers = trace.ceiling[k], trace.best[k], trace.score[k]
        ceiling, best, score = (None if np.isnan(a) else a for a in numbers)
        node, outcome = int(trace.node[k]), BranchOutcome(trace.outcome[k])
        yield VisitedNode(node, outcome, ceiling, trace.penalty[k], best, score)


def split_scores(tree: TrainingTree, x: np.ndarray) -> np.ndarray:
    """The score of one example at every split, float32 (n_splits,). x: float32 (width,)."""
    scores = np.empty(len(tree.left), dtype=np.float32)
    for split in range(len(scores)):
        score_rows(x[None], np.zeros(1, dtype=np.int64), tree.W, split, scores[split:])
    return scores


def candidates(tree: TrainingTree, x: np.ndarray, y, exact: bool) -> list[Candidate]:
    """Every leaf with its value v_j for one example, the greatest first; equals by number."""
    ranked = []
    scores = split_scores(tree, x)
    losses = np.empty(len(tree.theta), dtype=np.float32)
    leaves = np.arange(len(losses), dtype=np.int32)
    row_costs(
        tree.tables, tree.theta, leaves, np.repeat(np.asarray(y)[None], len(losses), 0), losses
    )

    def walk(node: int, lost: np.float32, against: tuple[int, ...]) -> None:
        if node < 0:
            loss = losses[~node]
            allowed = exact or len(against) <= 1
            ranked.append(Candidate(~node, loss, lost, loss - lost, against, allowed))
            return
        near, far = _sides(tree, node, scores[node])
        walk(near, lost, against)
        walk(far, lost + np.float32(2) * abs(scores[node]), (*against, node))

    walk(0 if len(tree.left) else -1, np.float32(0), ())
    return sorted(ranked, key=lambda c: (-c.value, c.leaf))


def _sides(tree: TrainingTree, node: int, s: np.float32) -> tuple[int, int]:
    """The child that an example of this score goes to, and the other one."""
    left, right = int(tree.left[node]), int(tree.right[node])
    return (right, left) if s > 0 else (left, right)


def _textbook_fast(tree: TrainingTree, scores: np.ndarray, path: tuple[int, ...]) -> int:
    """Splits scored when every sibling of the path is followed down."""
    n_scored = len(path)
    for split in path:
        node = _sides(tree, split, scores[split])[1]
        while node >= 0:
            n_scored += 1
            node = _sides(tree, node, scores[node])[0]
    return n_scored
