"""What a learner is given of a table: checked rows, their targets and weights."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treecore.rows.tables import SparseRows, is_narrow, take_rows, widened

if TYPE_CHECKING:
    from treecore.losses import Loss


@dataclass(frozen=True)
class TrainingRows:
    """The training rows of a learner, checked.

    Attributes
    ----------
    X : float32 array, shape (n_samples, n_features), C-contiguous, or SparseRows
        Finite: missing values have been filled. A large table may be of narrower numbers where
        all that read it take them, see :meth:`widened`.
    y : int64 array, shape (n_samples,), or float32 array, shape (n_samples, n_outputs)
        Class indices; or numbers, scaled to mean 0 and deviation 1.
    weight : float64 array, shape (n_samples,)
        What each row counts: not negative, mean 1. Equal ones may all lie in the same place.
    n_outputs : int
        Classes there are, or numbers to be predicted.
    loss : Loss
        What leaves are measured by; its task says which kind ``y`` is.
    binned : treecore.learners.greedy.finders.bins.BinnedTable or None
        X in bins, where trees share them; whoever reads it checks that it is of X.
    """

    X: np.ndarray | SparseRows
    y: np.ndarray
    weight: np.ndarray
    n_outputs: int
    loss: Loss
    binned: object = None

    @property
    def weight_in_order(self) -> np.ndarray:
        """``weight`` as kernels read it, one number after another."""
        return np.ascontiguousarray(self.weight)

    def widened(self) -> TrainingRows:
        """The same rows in float32, for whoever reads no others."""
        return dataclasses.replace(self, X=widened(self.X)) if is_narrow(self.X) else self

    def take(self, rows) -> TrainingRows:
        """Some of the rows, an index array."""
        return TrainingRows(
            take_rows(self.X, rows), self.y[rows], self.weight[rows], self.n_outputs, self.loss
        )
