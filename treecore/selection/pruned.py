"""CART whose pruning is chosen by cross-validation (Breiman et al. 1984, section 3.4)."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from treecore.core.tree import Tree
from treecore.learners.base import Learner
from treecore.pruning import PruningPath, cost_complexity_path
from treecore.rows.training_rows import TrainingRows
from treecore.selection.folds import draw_folds
from treecore.selection.scoring import successes
from treecore.training.registry import find_method

DEPTH = 20
MOST_ALPHAS = 25

MANY_NUMBERS = 400_000
"""Rows times features beyond which the first of five folds prunes the tree of the others alone."""

SMOOTHING_OF_CLASSES, SMOOTHING_OF_NUMBERS = 1.0, 0.01
"""Rows added to every leaf. One row would halve the number that a leaf of one row says."""


class OutOfTime(Exception):
    """A tree that is not finished at its deadline."""


def learn(
    method: str,
    rows: TrainingRows,
    start: Tree | None,
    seed: int,
    deadline: float = np.inf,
    **settings,
) -> Tree:
    """Run a method of the registry to its end, from a given start or from what it draws itself."""
    entry = find_method(method)
    rng = np.random.default_rng(seed)
    return to_its_end(entry.build(entry.settings.of(**settings), rows, start, rng), deadline)


def to_its_end(learner: Learner, deadline: float = np.inf) -> Tree:
    """The tree of a learner that has done all of its work; OutOfTime where a pass is too late."""
    while not learner.finished:
        if time.perf_counter() > deadline:
            raise OutOfTime
        learner.advance(1 << 30)
    return learner.tree()


def grow_pruned(rows: TrainingRows, seed: int, in_haste: bool = False) -> Tree:
    """Grow a deep tree, pruned as is best for held-out rows; in_haste: as of ``MANY_NUMBERS``."""
    strata = rows.y if rows.y.dtype.kind == "i" else np.zeros(len(rows.y), dtype=np.int64)
    folds = draw_folds(strata, seed, 5)
    by_one = in_haste or rows.X.size > MANY_NUMBERS
    path_of_all = _path(rows.take(_without(folds[0], rows)) if by_one else rows)
    middle = np.sqrt(path_of_all.alphas[:-1] * path_of_all.alphas[1:])
    alphas = np.unique(np.concatenate([[0.0], middle, path_of_all.alphas[-1:]]))
    if len(alphas) > MOST_ALPHAS:
        alphas = np.unique(np.quantile(alphas, np.linspace(0, 1, MOST_ALPHAS)))
    if len(alphas) == 1 or len(rows.y) < 10:
        return path_of_all.tree(0)
    score = np.zeros(len(alphas))
    # Not by three folds: a tree of two thirds of the rows suits a stronger pruning.
    for held in folds[:1] if by_one else folds:
        path = path_of_all if by_one else _path(rows.take(_without(held, rows)))
        part = rows.take(held)
        known: dict[int, float] = {}
        for i, alpha in enumerate(alphas):
            number = int(np.searchsorted(path.alphas, alpha, side="right")) - 1
            if number not in known:
                known[number] = successes(path.tree(number), part).sum()
            score[i] += known[number]
    best = np.flatnonzero(score >= score.max() - 1e-9 * abs(score.max()))[-1]
    return path_of_all.tree_for(alphas[best])


def _without(held: np.ndarray, rows: TrainingRows) -> np.ndarray:
    return np.setdiff1d(np.arange(len(rows.y)), held)


def prune_to(n_leaves: int, tree: Tree, rows: TrainingRows) -> Tree:
    """The tree, grown from ``rows``, pruned on where it has more than ``n_leaves``."""
    if tree.n_leaves <= n_leaves:
        return tree
    path = _path_of(tree, rows)
    return path.tree(int(np.flatnonzero(path.n_leaves <= n_leaves)[0]))


def _smoothing(rows: TrainingRows) -> float:
    classes = rows.loss.task == "classification"
    return SMOOTHING_OF_CLASSES if classes else SMOOTHING_OF_NUMBERS


def _path(rows: TrainingRows) -> PruningPath:
    # Else, of ten thousand rows, most of the time went to leaves that pruning took away.
    smallest = max(1, len(rows.y) // 200) if rows.loss.task == "regression" else 1
    given: dict[str, Any] = {"depth": DEPTH, "criterion": "gini", "smoothing": _smoothing(rows)}
    return _path_of(learn("axis", rows, None, 0, min_samples_leaf=smallest, **given), rows)


def _path_of(tree: Tree, rows: TrainingRows) -> PruningPath:
    data = rows.X, rows.y, rows.weight
    return cost_complexity_path(tree, *data, smoothing=_smoothing(rows), task=rows.loss.task)
