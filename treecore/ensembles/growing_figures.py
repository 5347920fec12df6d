"""Figures of a forest while it grows: after every tree, or once at its end."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence

import numpy as np

from treecore.core.routing import apply
from treecore.core.tree import Tree
from treecore.data.validation import TargetScaling
from treecore.ensembles.bagging import OutOfBag
from treecore.ensembles.boosting import Boosting
from treecore.ensembles.forest import leaf_votes
from treecore.ensembles.metrics import RunningScores, figures_of, judged
from treecore.rows.training_rows import TrainingRows


class GrowingFigures:
    """Figures of the trees so far, on the rows of a forest and on validation rows.

    trees, votes: whoever grows the forest adds to them; drawn: weights of rows by number of tree.
    """

    def __init__(
        self,
        rows: TrainingRows,
        held_out: TrainingRows,
        units: TargetScaling,
        boosting: Boosting | None,
        answer: str,
        trees: Sequence[Tree],
        votes: Sequence[float],
        drawn: Callable[[int], np.ndarray] | None,
    ):
        self._rows = dataclasses.replace(rows, sorted_table=None)
        self._held_out, self._units, self._boosting = held_out, units, boosting
        self._answer, self._trees, self._votes, self._drawn = answer, trees, votes, drawn
        # Sums take memory once something is added to them.
        parts = self._rows, held_out
        self._scores, self._held_scores = (RunningScores(part, units, boosting) for part in parts)
        self._outside = None if drawn is None else OutOfBag(len(rows.y), rows.n_outputs)
        self._n_summed = 0  # of the trees

    def sum_up(self, latest: np.ndarray | None = None) -> None:
        """Add trees to the sums; latest: int32 (n_samples,), the leaves in the last, if known."""
        for number in range(self._n_summed, len(self._trees)):
            tree, vote = self._trees[number], self._votes[number]
            last = number == len(self._trees) - 1
            leaf = latest if last and latest is not None else apply(tree, self._rows.X)
            held_leaf, wrong, held_wrong = apply(tree, self._held_out.X), None, None
            if self._boosting is not None:
                label = tree.values.argmax(axis=1)
                wrong = label[leaf] != self._rows.y
                held_wrong = label[held_leaf] != self._held_out.y
            elif self._outside is not None and self._drawn is not None:
                self._outside.add(tree, self._answer, leaf, self._drawn(number))
            votes = leaf_votes(tree, self._answer, vote)
            self._scores.add(votes, leaf, vote, wrong)
            self._held_scores.add(votes, held_leaf, vote, held_wrong)
        self._n_summed = len(self._trees)

    def present(self, without_trees: np.ndarray | None) -> dict[str, float]:
        """Figures by name, from sums of every row; without_trees: scores before a tree."""
        held = self._held_scores.figures(without_trees)
        return (
            self._scores.figures(without_trees)
            | {f"validation_{name}": value for name, value in held.items()}
            | {f"oob_{name}": value for name, value in self._figures_outside().items()}
        )

    @property
    def oob_scores(self) -> np.ndarray | None:
        """See :attr:`treecore.training.ensemble_trainer.ForestTrainer.oob_scores`."""
        self.sum_up()
        return None if self._outside is None else self._outside.scores()

    @property
    def oob_score(self) -> float:
        """Out-of-bag accuracy or share of the variance explained; NaN where there is none."""
        self.sum_up()
        figures = self._figures_outside()
        return figures.get("accuracy", figures.get("r2", math.nan))

    def _figures_outside(self) -> dict[str, float]:
        """Out-of-bag figures, on the rows with weight that some tree has not seen."""
        if self._outside is None:
            return {}
        rows, outside = self._rows, self._outside
        seen = (outside.n_trees > 0) & (rows.weight > 0)
        if not seen.any():
            return {}
        weight = rows.weight[seen]
        if rows.loss.task == "classification":
            right, _ = judged(outside.scores, rows.y, rows.n_outputs)
            return {"accuracy": float(np.average(right[seen], weights=weight))}
        part = dataclasses.replace(rows, y=rows.y[seen], weight=weight)
        return figures_of(part, outside.scores()[seen], self._units)
