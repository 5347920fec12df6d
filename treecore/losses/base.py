"""The interface between a loss and the kernels: four functions on its tables.

A loss keeps its *tables*, a NamedTuple of arrays, beside the leaf values ``theta``. Kernels call
the functions below on them; the type of the tables decides whose code that is, as
:mod:`treecore.compiling.dispatch` has it. With ``c_j(y)`` the cost of leaf ``j`` for target ``y``::

    leaf_cost(tables, theta, leaf, y)              c_leaf(y)
    cost_below(tables, split, y)                   never less than any c_j(y) below the split
    gradient_step(tables, theta, leaf, y, rate)    on theta[leaf]; the tables follow
    grow_bound(tables, theta, split, left, right)  cost_below of one split from its children

``cost_below`` is all that branch and bound needs to drop a subtree unseen. A target ``y`` is a
class index (``log``) or a row of numbers (:mod:`treecore.losses.separable`, where a new loss on
numbers is one short file: see ``huber.py``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore.compiling.dispatch import by_first
from treecore.compiling.kernels import kernel


@by_first
def leaf_cost(tables, theta, leaf, y):
    """Cost of one leaf for a class index or a row of numbers, in nats or squared deviations."""


@by_first
def cost_below(tables, split, y):
    """An upper bound on the cost of every leaf below a split."""


@by_first
def gradient_step(tables, theta, leaf, y, rate):
    """Gradient step on the values of one leaf, in place; the leaf's own tables follow."""


@by_first
def grow_bound(tables, theta, split, left, right):
    """Set the bound of one split from those of its two children; return whether it has changed."""


@dataclass(frozen=True)
class Loss:
    """A loss on leaf values.

    - name, title, sentence: in code; on screen; what it measures, for a newcomer.
    - task: ``"classification"``: targets are class indices, int64 (n_samples,);
      ``"regression"``: numbers, float32 (n_samples, n_outputs).
    - make_tables: callable (n_splits, n_leaves, n_outputs) -> NamedTuple of arrays.
    - constants: callable (leaf, y, weight, n_leaves, n_outputs, smoothing) -> float32 (n_leaves,
      n_outputs), which minimise the loss of weighted rows and ``smoothing`` that know nothing.
    - pull: of a loss on numbers, how hard a far target below and one above the prediction pull at
      it; and 1.0 where a near one pulls by its distance, 0.0 where all pull alike.
    """

    name: str
    title: str
    sentence: str
    task: str
    make_tables: Callable
    constants: Callable
    pull: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def is_quantile(self) -> bool:
        """Whether its constants are quantiles; those of other losses are means, or near them."""
        return self.task == "regression" and self.pull[2] == 0

    def tables(self, theta: np.ndarray, left: np.ndarray, right: np.ndarray):
        """The tables of a tree, filled in; theta: float32 (n_leaves, n_outputs)."""
        tables = self.make_tables(len(left), *theta.shape)
        fill_leaves(tables, theta)
        fill_splits(tables, theta, left, right)
        return tables

    def of_rows(self, theta: np.ndarray, leaf: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The loss of every row in its leaf, float32 (n_rows,)."""
        losses = np.empty(len(leaf), dtype=np.float32)
        tables = self.make_tables(0, *theta.shape)
        fill_leaves(tables, theta)
        row_costs(tables, theta, leaf, y, losses)
        return losses

    def of_predictions(self, predicted: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The loss of predictions (n_rows, n_outputs) of rows, float32 (n_rows,)."""
        return self.of_rows(predicted.astype(np.float32), np.arange(len(y), dtype=np.int32), y)


@by_first
def fit_leaf(tables, theta, leaf):
    """Bring the tables of one leaf up to date with its values, in place."""


@kernel
def fill_leaves(tables, theta):
    """Bring the tables of all leaves up to date, in place."""
    for leaf in range(theta.shape[0]):
        fit_leaf(tables, theta, leaf)


@kernel
def fill_splits(tables, theta, left, right):
    """Bring the bounds of all splits up to date, from the last one to the root."""
    for split in range(left.shape[0] - 1, -1, -1):
        grow_bound(tables, theta, split, left, right)


@kernel
def row_costs(tables, theta, leaf, y, out):
    """Write the cost of every row in its leaf to ``out``, float32 (n_rows,)."""
    for i in range(leaf.shape[0]):
        out[i] = leaf_cost(tables, theta, leaf[i], y[i])
