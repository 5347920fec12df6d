"""The linear leaves of a tree under annealed learning: their weights, and how they are read out."""

from __future__ import annotations

import numpy as np

from treecore.core.linear_leaves import LinearLeaves, linear_predictions
from treecore.core.rows import TrainingRows
from treecore.core.scaling import Scaling
from treecore.core.tree import Tree
from treecore.learners.nongreedy.nested_leaves import settled_models
from treecore.learners.nongreedy.ridge_leaves import (
    STEADY_RIDGE,
    leaf_ranges_of_targets,
    models_of,
    ridge_fits,
)
from treecore.learners.nongreedy.settings import AnnealedSettings


class LeafModels:
    """The linear leaves of one run.

    They all begin as the ridge regression of all rows, which the splits then need not learn. In
    the end they are fitted to the rows that end in them; see
    :func:`treecore.learners.nongreedy.nested_leaves.settled_models`.

    Parameters
    ----------
    Z : float32 array, shape (n_samples, width)
        Rows in training coordinates.
    rows : TrainingRows
    scaling : Scaling
    start : Tree
        Gives the shape.
    settings : AnnealedSettings

    Attributes
    ----------
    weights : float32 array, shape (n_leaves, n_outputs, width)
        Present weights, the constant's among them.
    gradient : float32 array, shape (n_leaves, n_outputs, width)
    predicted : float32 array, shape (n_leaves, n_outputs)
        Work space of a mini-batch, see
        :class:`treecore.learners.nongreedy.annealed.leaf_costs.LinearCosts`.
    """

    def __init__(
        self,
        Z: np.ndarray,
        rows: TrainingRows,
        scaling: Scaling,
        start: Tree,
        settings: AnnealedSettings,
    ):
        self._shape = start
        self._Z, self._y, self._row_weight = Z, rows.y, rows.weight
        self._p, self._constant = scaling.n_features, -1.0 / scaling.factor
        self._ridge, self._margin = settings.leaf_ridge, settings.leaf_margin
        shape = start.n_leaves, rows.n_outputs
        self.weights = np.zeros((*shape, Z.shape[1]), dtype=np.float32)
        nowhere = np.zeros(len(Z), dtype=np.int32)
        ridges = [STEADY_RIDGE]
        fits = ridge_fits(Z, rows.y, rows.weight, nowhere, 1, self._p, ridges)
        self.weights[..., : self._p] = fits.slopes[0]
        self.weights[..., self._p] = self._constant * fits.intercept[0]
        self.gradient = np.empty_like(self.weights)
        self.predicted = np.empty(shape, dtype=np.float32)

    def read_out(self, leaf: np.ndarray, finished: bool) -> tuple[np.ndarray, LinearLeaves]:
        """The models by the leaves of the training rows, and what they predict on average.

        Parameters
        ----------
        leaf : int32 array, shape (n_samples,)
        finished : bool
            Whether to fit them to the rows of each leaf.

        Returns
        -------
        values : float32 array, shape (n_leaves, n_outputs)
        linear : LinearLeaves
            In training coordinates.
        """
        n_leaves, weight = len(self.weights), self._row_weight
        rows = self._Z, self._y, weight, leaf
        mass = np.bincount(leaf, weight, n_leaves)
        if finished:
            linear = settled_models(*rows, self._shape, self._p, self._ridge, self._margin)
        else:
            slopes = self.weights[..., : self._p].astype(np.float64)
            intercept = self.weights[..., self._p].astype(np.float64) / self._constant
            ends = leaf_ranges_of_targets(*rows[1:], n_leaves, self._margin)
            linear = models_of(slopes, intercept, ends, self._Z.shape[1])
        predicted = predictions(linear, self._Z, leaf)
        sums = [np.bincount(leaf, weight * column, n_leaves) for column in predicted.T]
        values = np.stack(sums, axis=1) / np.where(mass > 0, mass, 1.0)[:, None]
        return values.astype(np.float32), linear


def predictions(linear: LinearLeaves, Z: np.ndarray, leaf: np.ndarray) -> np.ndarray:
    """What linear leaves predict for rows, float64 (n_rows, n_outputs).

    Parameters
    ----------
    linear : LinearLeaves
    Z : float32 array, shape (n_rows, width)
    leaf : int32 array, shape (n_rows,)
    """
    predicted = np.empty((len(leaf), linear.intercept.shape[1]))
    linear_predictions(linear, Z, leaf, predicted)
    return predicted
