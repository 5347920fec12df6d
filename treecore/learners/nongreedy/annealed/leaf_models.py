"""The linear leaves of a tree under annealed learning: their weights, and how they are read out."""

from __future__ import annotations

import numpy as np

from treecore.core.linear_leaves import LinearLeaves
from treecore.core.scaling import Scaling
from treecore.core.tree import Tree
from treecore.learners.nongreedy.leaf_family import models_of, scores_of
from treecore.learners.nongreedy.monotonic import with_signs
from treecore.learners.nongreedy.ridge_leaves import STEADY_RIDGE
from treecore.learners.nongreedy.settings import AnnealedSettings
from treecore.learners.nongreedy.settled_leaves import family_for, settled_models
from treecore.rows.training_rows import TrainingRows


class LeafModels:
    """The linear leaves of one run: at first all the regression of all rows, in the end settled.

    - temper: what log-odds are multiplied by when they are read out before the end; 1 of numbers.
    - weights, gradient: float32 (n_leaves, n_outputs, width); predicted: (n_leaves, n_outputs).
    """

    def __init__(
        self,
        Z: np.ndarray,
        rows: TrainingRows,
        scaling: Scaling,
        start: Tree,
        settings: AnnealedSettings,
        temper: float,
    ):
        self._shape = start
        self._Z, self._y, self._row_weight = Z, rows.y, rows.weight_in_order
        self._signs = rows.monotonic
        self._p, self._constant = scaling.n_features, -1.0 / scaling.factor
        self._family = family_for(rows, settings.smoothing)
        self._temper = temper
        shape = start.n_leaves, rows.n_outputs
        self.weights = np.zeros((*shape, Z.shape[1]), dtype=np.float32)
        nowhere = np.zeros(len(Z), dtype=np.int32)
        everyone = Z, rows.y, self._row_weight, nowhere, 1, self._p
        slopes, intercept = self._family.fit(*everyone, STEADY_RIDGE)
        self.weights[..., : self._p] = slopes / temper
        self.weights[..., self._p] = self._constant * intercept / temper
        self.gradient = np.empty_like(self.weights)
        self.predicted = np.empty(shape, dtype=np.float32)

    def read_out(self, leaf: np.ndarray, finished: bool) -> tuple[np.ndarray, LinearLeaves]:
        """Models, in training coordinates, and means by the leaves of rows; fitted if finished."""
        weight = self._row_weight
        slopes = self._temper * self.weights[..., : self._p].astype(np.float64)
        intercept = self._temper * self.weights[..., self._p].astype(np.float64)
        intercept /= self._constant

        def fitted(Z: np.ndarray) -> LinearLeaves:
            given = self._y, weight, leaf
            if finished:
                return settled_models(self._family, Z, *given, self._shape.n_leaves, self._p)
            ends = self._family.ends(slopes, intercept, Z, *given)
            return models_of(slopes, intercept, ends, Z.shape[1])

        linear = with_signs(fitted, self._Z, leaf, self._signs)
        scores = scores_of(linear, self._Z, leaf)
        nothing = np.zeros(linear.intercept.shape)
        return self._family.means(scores, weight, leaf, nothing), linear
