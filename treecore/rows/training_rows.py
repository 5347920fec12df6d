"""What a learner is given of a table: checked rows, their targets and weights."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from treecore.rows.finite import filled

if TYPE_CHECKING:
    from treecore.losses import Loss


@dataclass(frozen=True)
class TrainingRows:
    """The training rows of a learner, checked.

    - X: float32 (n_samples, n_features), C-contiguous, NaN where a value is missing.
    - y: int64 (n_samples,), classes, or float32 (n_samples, n_outputs), of mean 0 and deviation 1.
    - weight: float64 (n_samples,), not negative, mean 1; they were divided by ``mean_weight``.
    - n_outputs: classes there are, or numbers to be predicted; loss: what leaves are measured by.
    - means: float32 (n_features,) or None (zeros), what oblique splits read a missing value as.
    - sorted_table: X sorted by every feature, where trees share that; its reader checks it.
    - feature_order: int (n_features,) or None, of equal splits the feature that is first here wins.
    - monotonic: int8 (n_features,) or None, of axis-aligned and annealed trees: 1 where the answer
      must not fall as the feature rises, -1 where it must not rise.
    - categories: int (n_features,) or None, of axis-aligned trees: a number for each column of
      categories at the features, zeros and ones, that are its levels; -1 at all others.
    """

    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray
    n_outputs: int
    loss: Loss
    mean_weight: float = 1.0
    means: np.ndarray | None = None
    sorted_table: object = None
    feature_order: np.ndarray | None = None
    monotonic: np.ndarray | None = None
    categories: np.ndarray | None = None

    @property
    def complete(self) -> TrainingRows:
        """The same rows with the means in place of missing values; itself where there are none."""
        return self._filled or self

    @cached_property
    def _filled(self) -> TrainingRows | None:  # never itself: a circle would stay in memory
        means = np.zeros(self.X.shape[1], np.float32) if self.means is None else self.means
        X = filled(self.X, means)
        return None if X is self.X else dataclasses.replace(self, X=X, sorted_table=None)

    @property
    def weight_in_order(self) -> np.ndarray:
        """``weight`` as kernels read it, one number after another."""
        return np.ascontiguousarray(self.weight)

    def take(self, rows) -> TrainingRows:
        X, y, weight = self.X[rows], self.y[rows], self.weight[rows]
        return dataclasses.replace(self, X=X, y=y, weight=weight, sorted_table=None)
