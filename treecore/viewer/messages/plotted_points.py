"""What a tree says of the shown points: leaf, loss and bound of each, and the scores on its way."""

from __future__ import annotations

import numpy as np

from treecore.core.routing import predict_linear
from treecore.core.scaling import Scaling
from treecore.core.tree import OBLIQUE, Tree, tree_depth
from treecore.learners.nongreedy.bounds import Bounded, figures_of_points, scaled_weights
from treecore.losses import find_loss
from treecore.training.config import RunConfig
from treecore.viewer.messages.status import Frame

NOWHERE = 2**16 - 1
"""Leaf of a point that learning does not know."""

PICTURE_NUMBERS = 40_000
"""Pixels sent with the newest frame for leaves, and as many for misclassified points."""


class ShownPoints:
    """Rows that the map shows.

    - X, given: float32 (n_points, n_features), missing values as means, and as NaN.
    - y: (n_points,) or (n_points, n_outputs), classes, or numbers.
    - number: int (n_points,), place of each among the training rows, -1 for validation rows.
    - train_X, train_y: all training rows, which decide the coordinates of the bound.
    """

    def __init__(self, X, given, y, number, train_X, train_y, config: RunConfig):
        self.X, self._given = np.asarray(X, np.float32), np.asarray(given, np.float32)
        self.number = number
        self._loss = find_loss(config.loss)
        self._scaling = Scaling.fit(train_X)
        exact = getattr(config.settings, "inference", "exact") == "exact"
        self._bounded = Bounded(self._scaling, self._scaling.transform(X), exact)
        self._has_holes = bool(np.isnan(given).any())
        self._scores: tuple[int, np.ndarray] | None = None  # of the frame of this number
        self.of_classes = self._loss.task == "classification"
        if self.of_classes:
            self.y = np.asarray(y, dtype=np.int64)
            return
        # As the trainer does: numbers are learnt in standard deviations.
        train_y = np.asarray(train_y, dtype=np.float64).reshape(len(train_X), -1)
        self._centre, spread = train_y.mean(axis=0), train_y.std(axis=0)
        self._spread = np.where(spread > 0, spread, 1.0)
        y = np.asarray(y, dtype=np.float64).reshape(len(X), -1)
        self.y = ((y - self._centre) / self._spread).astype(np.float32)

    def of(self, frame: Frame) -> dict[str, np.ndarray]:
        """Arrays of one frame.

        ``at``, uint16 (n_points,): leaves. ``loss`` and, if the method has one, ``bound``, float32
        (n_points,), in nats or squared deviations. ``reach``, float32 (n_splits,): the edge of each
        split's margin. Of linear leaves ``said`` (n_points,): the class, uint8, or number, float32.
        """
        tree = self._as_learnt(frame.tree)
        bounded = frame.event.bound is not None and (tree.feature == OBLIQUE).all()
        found = figures_of_points(
            tree, self._given, self.y, self._loss, self._bounded if bounded else None
        )
        loss = found.loss
        fields = {"at": found.leaf.astype(np.uint16)}
        if tree.linear is not None:
            scores = predict_linear(tree, self.X, found.leaf)
            loss = self._loss.of_predictions(scores, self.y)
            fields["said"] = self._answers(scores)
        fields["loss"] = loss
        if found.reach is not None:
            fields["reach"] = found.reach
        if bounded:
            fields["bound"] = found.bound
        return fields

    def _answers(self, scores: np.ndarray) -> np.ndarray:
        """The class of every point, or its number in its own units."""
        if self.of_classes:
            return scores.argmax(axis=1).astype(np.uint8)
        return (self._centre[0] + self._spread[0] * scores[:, 0]).astype(np.float32)

    def forget(self) -> None:
        """Frames are numbered anew."""
        self._scores = None

    def used(self, assigned: np.ndarray) -> np.ndarray:
        """The leaf that the gradient uses, uint16 (n_points,); ``NOWHERE`` for validation rows."""
        found = np.full(len(self.number), NOWHERE, dtype=np.uint16)
        known = self.number >= 0
        found[known] = assigned[self.number[known]]
        return found

    def lengths(self, tree: Tree) -> np.ndarray:
        """Norms of the rows of W, offsets included, in training coordinates, (n_splits,)."""
        return np.linalg.norm(scaled_weights(tree, self._scaling), axis=1).astype(np.float32)

    def scores(self, frame: Frame, at_rest: bool) -> np.ndarray | None:
        """Scores on the way of every point, (n_points, depth), NaN beyond its leaf; or None."""
        if self._scores is not None and self._scores[0] == frame.number:
            return self._scores[1]
        tree, X = frame.tree, self.X
        depth = tree_depth(tree)
        # It would take more than 5 ms.
        if not at_rest and X.size * depth > 2_000_000:
            return None
        found = np.full((len(X), depth), np.nan, dtype=np.float32)
        node = np.full(len(X), tree.root)
        for level in range(depth):
            rows = np.flatnonzero(node >= 0)
            s = _scores_at(tree, node[rows], X[rows])
            if self._has_holes:
                s = _scores_at_holes(tree, node[rows], self._given[rows], s)
            found[rows, level] = s
            node[rows] = np.where(s > 0, tree.right[node[rows]], tree.left[node[rows]])
        self._scores = (frame.number, found)
        return found

    def missed(self, guess: np.ndarray) -> np.ndarray:
        """Some misclassified points, int32: held-out ones first, each always at its place."""
        wrong = np.flatnonzero(guess != self.y)
        wrong = np.concatenate([wrong[self.number[wrong] < 0], wrong[self.number[wrong] >= 0]])
        n_shown = min(40, max(1, PICTURE_NUMBERS // self.X.shape[1]))
        return wrong[:n_shown].astype(np.int32)

    def _as_learnt(self, tree: Tree) -> Tree:
        if self.of_classes:
            return tree
        values = (tree.values - self._centre) / self._spread
        linear = tree.linear and tree.linear.scaled(1 / self._spread, -self._centre / self._spread)
        return tree._replace(values=values.astype(np.float32), linear=linear)


def _scores_at(tree: Tree, node: np.ndarray, X: np.ndarray) -> np.ndarray:
    """The score of each row at a split of its own, float32 (n_rows,)."""
    s = np.empty(len(node), dtype=np.float32)
    axis = tree.feature[node] != OBLIQUE
    s[axis] = X[axis, tree.feature[node[axis]]]
    oblique = np.flatnonzero(~axis)
    s[oblique] = np.einsum("ij,ij->i", tree.weights[tree.row[node[oblique]]], X[oblique])
    return s - tree.threshold[node]


def _scores_at_holes(tree: Tree, node: np.ndarray, X: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Scores that are next to nothing, with the sign of its side, where one feature is missing."""
    axis = tree.feature[node] != OBLIQUE
    gone = axis & np.isnan(X[np.arange(len(X)), np.where(axis, tree.feature[node], 0)])
    nothing = np.finfo(np.float32).tiny
    return np.where(gone, np.where(tree.missing_left[node], -nothing, nothing), s)


def leaf_means(X: np.ndarray, leaf: np.ndarray, n_leaves: int) -> tuple[np.ndarray, np.ndarray]:
    """Mean rows of the fullest leaves: their numbers, int32 (k,), and the means (k, n_features)."""
    counts = np.bincount(leaf, minlength=n_leaves)
    n_means = max(1, PICTURE_NUMBERS // X.shape[1])
    largest = np.argsort(-counts, kind="stable")[: min(n_means, np.count_nonzero(counts))]
    order = np.argsort(leaf, kind="stable")
    first = np.concatenate([[0], np.cumsum(counts)])
    means = [X[order[first[j] : first[j + 1]]].mean(axis=0) for j in largest]
    return largest.astype(np.int32), np.array(means).reshape(len(largest), X.shape[1])
