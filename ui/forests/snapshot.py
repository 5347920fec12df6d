"""A forest at one moment of its growth: what it says of any rows, its weights and its members.

Trees that come one by one are looked at after so many trees; the trees of a hinge forest learn
together, and are looked at after so many mini-batches.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from treecore import apply
from treecore.core.routing import leaf_labels, leaf_probabilities
from treecore.ensembles import Forest
from treecore.ensembles.forest import margins
from treecore.inspection.hinge_margins import smallest_margins
from treecore.learners.hinge import HingeForest
from ui.forests.job import ForestStatus
from ui.forests.presets import RacerPlan
from ui.jobs.chosen_data import ChosenData
from ui.jobs.models import scores_of


@dataclass(frozen=True, eq=False)
class Scene:
    """A forest after so many trees or mini-batches.

    - forest: all that there is by then.
    - at: trees, or mini-batches.
    - weights: float32 array or None, what the rows that are drawn weigh for the next tree; see
      :class:`.ForestStatus`.
    """

    plan: RacerPlan
    data: ChosenData
    forest: Forest | HingeForest
    at: int
    weights: np.ndarray | None = None

    @property
    def n_trees(self) -> int:
        return self.forest.n_trees

    @property
    def numbers(self) -> bool:
        return self.data.train.task == "regression"

    def scores(self, X: np.ndarray) -> np.ndarray:
        """Shares of the classes, float64 (n_samples, n_classes), or numbers (n_samples, 1)."""
        return scores_of(self.forest, X)

    def margins(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """See :meth:`treecore.ensembles.Forest.margins`; of probabilities for hinge forests."""
        return margins(self.scores(X), y)

    def member_scores(self, member: int, X: np.ndarray) -> np.ndarray:
        """What one tree says alone, as :meth:`scores`; ``member`` counts from 0."""
        if isinstance(self.forest, HingeForest):
            return scores_of(alone(self.forest, member), X)
        tree = self.forest.trees[member]
        leaf = apply(tree, X)
        if self.numbers:
            return tree.values[leaf].astype(np.float64)
        return leaf_probabilities(tree)[leaf]

    def member_error(self, member: int, X: np.ndarray, y: np.ndarray) -> float:
        """Share of rows that one tree alone gets wrong, or its mean squared error."""
        if self.numbers:
            return float(((self.member_scores(member, X)[:, 0] - y) ** 2).mean())
        if isinstance(self.forest, HingeForest):
            return float((self.member_scores(member, X).argmax(axis=1) != y).mean())
        tree = self.forest.trees[member]
        return float((leaf_labels(tree)[apply(tree, X)] != y).mean())

    def smallest_margins(self, X: np.ndarray) -> np.ndarray:
        """Mean over the trees of a hinge forest of the smallest margin of every row."""
        assert isinstance(self.forest, HingeForest)
        _, margin = smallest_margins(self.forest, X)
        return np.abs(margin).mean(axis=1)


def alone(forest: HingeForest, member: int) -> HingeForest:
    """One tree of a hinge forest as a forest; ``member`` counts from 0."""
    trees = forest.trees
    one_tree = type(trees)(*(array[member : member + 1] for array in trees))
    return dataclasses.replace(forest, trees=one_tree)


def reached(plan: RacerPlan, look: ForestStatus) -> int:
    """How far one can look back from: trees, or mini-batches; 0 before there is a forest."""
    if look.forest is None:
        return 0
    if plan.hinge:
        return int(look.snapshots[-1].event.done) if look.snapshots else 0
    return look.forest.n_trees


def scene_at(plan: RacerPlan, data: ChosenData, look: ForestStatus, at: int | None) -> Scene | None:
    """The forest after so many trees or mini-batches, or the nearest before; None: the latest."""
    if look.forest is None:
        return None
    if isinstance(look.forest, HingeForest):
        if at is None or not look.snapshots:
            here = reached(plan, look) if look.chosen_at is None else look.chosen_at
            return Scene(plan, data, look.forest, here)
        before = (s for s in reversed(look.snapshots) if s.event.done <= at)
        snapshot = next(before, look.snapshots[0])
        return Scene(plan, data, snapshot.model, int(snapshot.event.done))
    n = look.forest.n_trees
    at = n if at is None else min(max(1, at), n)
    forest = look.forest if at == n else look.forest.first(at)
    return Scene(plan, data, forest, at, look.weights.get(at))


def sizes(weights: np.ndarray) -> np.ndarray:
    """Diameters of points in pixels whose areas are in the ratio of their weights, within reason.

    A row of mean weight has 7 pixels; the least is 3, so that it stays to be seen, and the
    greatest 30.
    """
    return np.clip(7.0 * np.sqrt(weights), 3.0, 30.0)
