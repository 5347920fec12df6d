"""TAO with linear leaves (Zharmagambetov and Carreira-Perpinan 2020): a ridge regression a leaf.

Of classes it is a logistic regression, and l the log loss in place of mistakes (Zharmagambetov,
Gabidolla and Carreira-Perpinan 2021, "Softmax tree"). What a leaf costs a row is then what its
model says of the row costs, and the sum that never rises has the leaves' penalties in it:

    E = sum_n w_n l(y_n, T(x_n))  +  ridge sum_j ||b_j||^2

At the end of an iteration every leaf is fitted to its rows, and takes the new model if that costs
less: with predictions kept within a range, and classes smoothed, the fit is not quite the least
cost. Once the splits are learnt, :mod:`treecore.learners.nongreedy.settled_leaves` fits them anew.
"""

from __future__ import annotations

import numpy as np

from treecore.core.linear_leaves import LinearLeaves
from treecore.core.scaling import Scaling, fold_linear
from treecore.core.tree import Tree
from treecore.learners.nongreedy.leaf_family import models_of, scores_of
from treecore.learners.nongreedy.ridge_leaves import STEADY_RIDGE
from treecore.learners.nongreedy.settings import TAOSettings
from treecore.learners.nongreedy.settled_leaves import family_for, settled_models
from treecore.rows.training_rows import TrainingRows


class LeafRegressions:
    """The linear leaves of one run of TAO; leaf: int32 (n_samples,), of the starting tree."""

    def __init__(
        self,
        rows: TrainingRows,
        scaling: Scaling,
        leaf: np.ndarray,
        start: Tree,
        settings: TAOSettings,
    ):
        self._y, self._weight, self._loss = rows.y, rows.weight_in_order, rows.loss
        self._scaling, self._Z = scaling, scaling.transform(rows.X)
        self._family = family_for(rows, settings.smoothing)
        flat = np.zeros((*start.values.shape, scaling.n_features))
        models = models_of(flat, start.values, (start.values,) * 2, self._Z.shape[1])
        self.models = LinearLeaves(*map(np.array, models))  # to be written over
        self.refit(leaf)

    def costs(self, leaf: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """What the leaves as they are cost rows, by the weights of these; float64 (n_rows,)."""
        return self._row_costs(self.models, leaf, rows)

    def _row_costs(self, models: LinearLeaves, leaf: np.ndarray, rows=slice(None)) -> np.ndarray:
        scores = scores_of(models, self._Z[rows], leaf)
        costs = self._loss.of_predictions(scores, self._y[rows])
        return self._weight[rows] * costs.astype(np.float64)

    def leaf_costs(self, models: LinearLeaves, leaf: np.ndarray) -> np.ndarray:
        """What the rows and the slopes of every leaf cost, float64 (n_leaves,)."""
        costs = np.bincount(leaf, self._row_costs(models, leaf), len(models.weights))
        squares = models.weights.astype(np.float64) ** 2
        return costs + STEADY_RIDGE * squares.sum(axis=(1, 2))

    def total_cost(self, leaf: np.ndarray) -> float:
        """The sum that an iteration never raises."""
        return float(self.leaf_costs(self.models, leaf).sum())

    def refit(self, leaf: np.ndarray) -> bool:
        """Fit every leaf to its rows; return whether one of them has changed."""
        rows = self._Z, self._y, self._weight, leaf
        n_leaves, width = self.models.weights.shape[::2]
        fitted = self._family.fit(*rows, n_leaves, self._scaling.n_features, STEADY_RIDGE)
        new = models_of(*fitted, self._family.ends(*fitted, *rows), width)
        better = np.bincount(leaf, self._weight, n_leaves) > 0  # others keep their models
        better &= self.leaf_costs(new, leaf) < self.leaf_costs(self.models, leaf)
        for mine, theirs in zip(self.models, new, strict=True):
            mine[better] = theirs[better]
        return bool(better.any())

    def settle(self, leaf: np.ndarray) -> None:
        """Fit every leaf as is best on rows left out, once splits are learnt."""
        rows = self._Z, self._y, self._weight, leaf
        n_leaves, p = len(self.models.weights), self._scaling.n_features
        settled = settled_models(self._family, *rows, n_leaves, p)
        for mine, new in zip(self.models, settled, strict=True):
            mine[...] = new

    def on(self, tree: Tree, leaf: np.ndarray) -> Tree:
        """A tree of raw features with these leaves, whose values are their means."""
        scores = scores_of(self.models, self._Z, leaf)
        values = self._family.means(scores, self._weight, leaf, tree.values)
        return tree._replace(values=values, linear=fold_linear(self.models, self._scaling))
