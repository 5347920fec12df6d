"""Figures of a finished forest, of some rows after others: sums of all rows are never kept."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from treecore.core.routing import apply
from treecore.core.tree import Tree
from treecore.data.validation import TargetScaling
from treecore.ensembles.bagging import OutOfBag
from treecore.ensembles.boosting import Boosting
from treecore.ensembles.forest import leaf_votes
from treecore.ensembles.metrics import RunningScores, judged, mean_figures
from treecore.rows.training_rows import TrainingRows

TOGETHER = 1 << 16
"""Rows that are measured together; a multiple of eight, as bits are packed."""


def final_figures(
    rows: TrainingRows,
    trees: Sequence[Tree],
    votes: Sequence[float],
    answer: str,
    units: TargetScaling,
    boosting: Boosting | None,
    unseen: Sequence[np.ndarray] = (),
) -> dict[str, float]:
    """Figures of a forest of classes by name, as its trees in turn would give them.

    unseen: for each tree uint8 (-(-n_samples // 8),), the bits of rows out of bag.
    """
    n = len(rows.y)
    if not n:
        return {}
    right, losses = np.empty(n, dtype=bool), np.empty(n)
    right_outside, known = np.zeros((2, n), dtype=bool)
    for first in range(0, n, TOGETHER):
        part = slice(first, min(first + TOGETHER, n))
        X, y, weight = rows.X[part], rows.y[part], rows.weight[part]
        some = dataclasses.replace(rows, X=X, y=y, weight=weight, sorted_table=None)
        scores = RunningScores(some, units, boosting)
        outside = OutOfBag(len(some.y), rows.n_outputs)
        for number, (tree, vote) in enumerate(zip(trees, votes, strict=True)):
            leaf = apply(tree, some.X)
            wrong = tree.values.argmax(axis=1)[leaf] != some.y
            scores.add(leaf_votes(tree, answer, vote), leaf, vote, wrong)
            if len(unseen):
                out = np.unpackbits(unseen[number][first // 8 :], count=len(some.y))
                outside.add(tree, answer, leaf, 1 - out)
        right[part], losses[part] = scores.outcomes()
        if len(unseen):
            known[part] = (outside.n_trees > 0) & (some.weight > 0)
            right_outside[part], _ = judged(outside.scores, some.y, rows.n_outputs)
    figures = mean_figures(right, losses, rows.weight)
    if known.any():
        accuracy = np.average(right_outside[known], weights=rows.weight[known])
        figures["oob_accuracy"] = float(accuracy)
    return figures
