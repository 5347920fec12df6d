"""What a forest says of any rows, as a whole and tree by tree, and how clearly."""

import dataclasses
from dataclasses import dataclass

import numpy as np

from treecore import Forest, HingeForest, Tree, apply
from treecore.core import complete_tree, leaf_labels, leaf_probabilities, make_tree
from treecore.data import Dataset
from treecore.ensembles import margins
from treecore.inspection import smallest_margins
from ui.jobs.chosen_data import ChosenData
from ui.jobs.models import scores_of


@dataclass(frozen=True, eq=False)
class Scene:
    """A forest over some rows; weights: what the :func:`drawn_rows` weigh for the next tree."""

    data: ChosenData
    forest: Forest | HingeForest
    weights: np.ndarray | None = None

    @property
    def numbers(self) -> bool:
        return self.data.train.task == "regression"

    @property
    def adds_up(self) -> bool:
        """Whether its trees add to the log-odds of classes, which are told apart by their sums."""
        return isinstance(self.forest, Forest) and self.forest.answer == "mean" and not self.numbers

    def scores(self, X: np.ndarray) -> np.ndarray:
        """Shares of the classes, float64 (n_samples, n_classes), or numbers (n_samples, 1)."""
        scores = scores_of(self.forest, X)
        return shares_of(scores) if self.adds_up else scores

    def margins(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """See :meth:`treecore.ensembles.Forest.margins`; of probabilities for hinge forests."""
        return margins(self.scores(X), y)

    def member_scores(self, member: int, X: np.ndarray) -> np.ndarray:
        """What one tree says alone, as :meth:`scores`; ``member`` counts from 0."""
        if isinstance(self.forest, HingeForest):
            return scores_of(alone(self.forest, member), X)
        tree = self.forest.trees[member]
        leaf = apply(tree, X)
        if self.adds_up:
            return shares_of(tree.values[leaf] / self.forest.n_trees)  # a mean is the sum
        if self.numbers:
            return tree.values[leaf].astype(np.float64)
        return leaf_probabilities(tree)[leaf]

    def accuracy(self, part: Dataset, member: int | None = None) -> float:
        """Share of rows that the forest, or one tree of it alone, gets right, or its R²."""
        X, y = part.given, part.y
        scores = self.scores(X) if member is None else self.member_scores(member, X)
        if self.numbers:
            return float(1 - ((scores[:, 0] - y) ** 2).mean() / (y.var() or 1))
        if member is None or isinstance(self.forest, HingeForest) or self.adds_up:
            return float((scores.argmax(axis=1) == y).mean())
        tree = self.forest.trees[member]
        return float((leaf_labels(tree)[apply(tree, X)] == y).mean())

    def smallest_margins(self, X: np.ndarray) -> np.ndarray:
        """Mean over the trees of a hinge forest of the smallest margin of every row."""
        assert isinstance(self.forest, HingeForest)
        _, margin = smallest_margins(self.forest, X)
        return np.abs(margin).mean(axis=1)


def shares_of(log_odds: np.ndarray) -> np.ndarray:
    """Shares of the classes, float64 (n_samples, n_classes), by log-odds of each or of one."""
    sums = np.asarray(log_odds, dtype=np.float64)
    if sums.shape[1] == 1:
        sums = np.concatenate([np.zeros_like(sums), sums], axis=1)
    odds = np.exp(sums - sums.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


def alone(forest: HingeForest, member: int) -> HingeForest:
    """One tree of a hinge forest as a forest; ``member`` counts from 0."""
    trees = forest.trees
    one_tree = type(trees)(*(array[member : member + 1] for array in trees))
    return dataclasses.replace(forest, trees=one_tree)


def hinge_tree(forest: HingeForest, member: int) -> Tree:
    """One tree of a hinge forest, as a tree on its features, whose leaves have weights."""
    trees, layer = forest.trees, forest.layer
    heap = complete_tree(forest.depth, 1, trees.weights.shape[2])
    at = np.arange(heap.n_splits)
    if forest.kind == "fern":  # all splits of a level are one
        at = np.log2(at + 1).astype(int)
    feature, threshold = trees.feature[member][at], trees.threshold[member][at]
    taps, width = layer.filters.shape
    if taps:
        width *= len(layer.place)
    else:  # its features are the columns, in other units
        threshold = threshold / layer.scale[feature] + layer.centre[feature]
    oblique = np.empty((0, width)), threshold, feature, np.full(heap.n_splits, -1)
    return make_tree(*oblique, heap.left, heap.right, trees.weights[member])


def sizes(weights: np.ndarray) -> np.ndarray:
    """Diameters of points in pixels whose areas are as their weights, within 3 and 30."""
    return np.clip(7.0 * np.sqrt(weights), 3.0, 30.0)
