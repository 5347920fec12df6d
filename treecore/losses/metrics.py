"""How good a tree is on some rows: loss, accuracy or explained variance, leaves in use."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treecore.core.routing import apply, predict_linear
from treecore.core.tree import Tree
from treecore.losses.base import Loss, fill_leaves, row_costs
from treecore.losses.log import LOG


@dataclass(frozen=True)
class Figures:
    """Figures of a tree on some rows; means are weighted where rows have weights.

    Attributes
    ----------
    loss : float
        Mean loss, in nats for the log loss.
    accuracy : float or None
        Share of rows classified correctly, 0 to 1; None where targets are numbers.
    active_leaves : int
        Leaves reached by at least one of the rows.
    r2 : float or None
        1 less the ratio of the squared errors to those of the mean, summed over the outputs;
        None for classes. Constant targets have 1 where they are met, 0 otherwise.
    """

    loss: float
    accuracy: float | None
    active_leaves: int
    r2: float | None = None


class Tally:
    """Sums over rows, portion by portion, from which :class:`Figures` follow.

    counts: int64 (n_leaves, n_classes or 1), rows, whatever their weight.
    """

    def __init__(self, values: np.ndarray, loss: Loss):
        self._values, self._loss = values, loss
        self._tables = loss.make_tables(0, *values.shape)
        fill_leaves(self._tables, values)
        self._labels = values.argmax(axis=1)
        classes = values.shape[1] if loss.task == "classification" else 1
        self.counts = np.zeros((len(values), classes), dtype=np.int64)
        self._reached = np.zeros(len(values))
        self._weight = self._cost = self._right = self._square = 0.0
        self._sum = np.zeros(values.shape[1])  # of the targets, and of their squares
        self._sum_of_squares = np.zeros(values.shape[1])

    def add(
        self,
        leaf: np.ndarray,
        y: np.ndarray,
        weight: np.ndarray,
        predicted: np.ndarray | None = None,
    ) -> None:
        """Add rows, their leaves (n_rows,), and what linear leaves predict (n_rows, n_outputs)."""
        if predicted is None:
            costs = np.empty(len(leaf), dtype=np.float32)
            row_costs(self._tables, self._values, leaf, y, costs)
        else:
            costs = self._loss.of_predictions(predicted, y)
        self._weight += weight.sum()
        self._cost += (weight * costs).sum()
        self._reached += np.bincount(leaf, weight, len(self._reached))
        if self._loss.task == "classification":
            n_leaves, n_classes = self.counts.shape
            cells = np.bincount(leaf.astype(np.int64) * n_classes + y, minlength=self.counts.size)
            self.counts += cells.reshape(n_leaves, n_classes)
            label = self._labels[leaf] if predicted is None else predicted.argmax(axis=1)
            self._right += weight[label == y].sum()
        else:
            self.counts[:, 0] += np.bincount(leaf, minlength=len(self.counts))
            said = self._values[leaf] if predicted is None else predicted
            error = said.astype(np.float64) - y
            self._square += (weight[:, None] * error**2).sum()
            self._sum += (weight[:, None] * y).sum(axis=0, dtype=np.float64)
            self._sum_of_squares += (weight[:, None] * y.astype(np.float64) ** 2).sum(axis=0)

    def figures(self) -> Figures:
        """Figures of all rows added so far; ValueError without rows, or without weights."""
        if not self._weight > 0:
            raise ValueError("there are no rows to measure the tree on")
        loss = float(self._cost / self._weight)
        active = int(np.count_nonzero(self._reached))
        if self._loss.task == "classification":
            return Figures(loss, float(self._right / self._weight), active)
        spread = (self._sum_of_squares - self._sum**2 / self._weight).sum()
        if spread <= 1e-12 * self._sum_of_squares.sum():
            return Figures(loss, None, active, r2=float(self._square <= 1e-12))
        return Figures(loss, None, active, r2=float(1.0 - self._square / spread))


def leaf_counts(tree: Tree, X, y) -> np.ndarray:
    """Rows of each class, below ``tree.n_outputs``, in each leaf, int64 (n_leaves, n_classes)."""
    counts = np.zeros((tree.n_leaves, tree.n_outputs), dtype=np.int64)
    np.add.at(counts, (apply(tree, X), np.asarray(y)), 1)
    return counts


def evaluate(tree: Tree, X, y, *, loss: Loss = LOG, sample_weight=None) -> Figures:
    """Figures of ``tree`` on rows.

    Parameters
    ----------
    tree : Tree
    X : array of numbers, shape (n_samples, n_features)
    y : array
        Class indices, shape (n_samples,); for a loss on numbers those, (n_samples,) or
        (n_samples, n_outputs), in their own units.
    loss : Loss
    sample_weight : array, shape (n_samples,), or None
    """
    leaf = apply(tree, X)
    values, centre = tree.values, np.zeros(tree.n_outputs)
    if loss.task == "regression":
        y = np.asarray(y, dtype=np.float64).reshape(len(leaf), tree.n_outputs)
        if len(y):  # float32 would take numbers far from 0 for equal ones
            mean = y.mean(axis=0)
            centre = np.where(np.abs(mean) > 1e4 * np.ptp(y, axis=0), mean, 0.0)
        y, values = (y - centre).astype(np.float32), (values - centre).astype(np.float32)
    else:
        y = np.asarray(y, dtype=np.int64)
    weight = np.ones(len(leaf)) if sample_weight is None else np.asarray(sample_weight, float)
    tally = Tally(values, loss)
    linear = None if tree.linear is None else predict_linear(tree, X, leaf) - centre
    tally.add(leaf, y, weight, linear)
    return tally.figures()
