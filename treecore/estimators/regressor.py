"""The regressor: numbers, one or several a row."""

from __future__ import annotations

from typing import Self

import numpy as np

from treecore.base.array_types import Labels, Rows, Weights
from treecore.core.routing import predict_values
from treecore.estimators.base import ObliqueTree, where_method_streams
from treecore.estimators.conformal import ConformalRegressor
from treecore.estimators.parameters import LOSSES, loss_of
from treecore.estimators.shared import NumberTargetsMixin


class TreeRegressor(NumberTargetsMixin, ConformalRegressor, ObliqueTree):
    """What all regressors of one tree do."""

    _losses = tuple(LOSSES)

    @where_method_streams
    def partial_fit(self, X: Rows, y: Labels, sample_weight: Weights = None) -> Self:
        """Go on from the present tree with one pass over one more piece of the rows.

        Memory is that of the piece. The learning rate does not fall; the coordinates of learning
        follow the means and deviations of all pieces so far, those of the targets included. The
        first piece gives the starting tree, so it should look like the others. After ``fit``,
        goes on from its tree.

        Parameters
        ----------
        X, y, sample_weight
            As for :meth:`fit`.

        Returns
        -------
        self

        Raises
        ------
        AttributeError
            Where the method needs all rows at once.
        ValueError
            As :meth:`fit`.
        """
        return self._partial_fit(X, y, sample_weight)

    def predict(self, X: Rows) -> np.ndarray:
        """The numbers of every row, float64, of the shape that y had.

        Parameters
        ----------
        X : array, data frame or table, shape (n_samples, n_features)
            Columns as :meth:`fit` was given them; NaN is missing.
        """
        X = self._mapped(X)
        return self._shaped(predict_values(self.tree_, X).astype(np.float64))

    def _run_config(self, seed: int, **changes):
        return self._config(loss_of(self.loss, self._losses), seed, **changes)

    def _leaf_counts(self, leaf, y) -> np.ndarray:
        return np.bincount(leaf, minlength=self.tree_.n_leaves)[:, None]

    def _nothing_to_learn(self) -> bool:
        return False
