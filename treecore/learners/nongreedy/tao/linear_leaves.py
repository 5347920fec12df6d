"""TAO with linear leaves (Zharmagambetov and Carreira-Perpinan 2020): a ridge regression a leaf.

Of classes it is a logistic regression, and l the log loss in place of mistakes (Zharmagambetov,
Gabidolla and Carreira-Perpinan 2021, "Softmax tree"). What a leaf costs a row is then what its
model says of the row costs, and the sum that never rises has the leaves' penalties in it:

    E = sum_n w_n l(y_n, T(x_n))  +  sum_j (ridge ||b_j||^2 + l1 ||b_j||_1)

At the end of an iteration every leaf is fitted to its rows, and takes the new model if that costs
less: with predictions kept within a range, and classes smoothed, the fit is not quite the least
cost. Once the splits are learnt, models are nested where the
settings name no strength (:mod:`treecore.learners.nongreedy.nested_leaves`).
"""

from __future__ import annotations

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.core.linear_leaves import LinearLeaves
from treecore.core.routing import score
from treecore.core.scaling import Scaling, fold_linear
from treecore.core.tree import Tree
from treecore.learners.nongreedy.leaf_family import models_of, scores_of
from treecore.learners.nongreedy.ridge_leaves import STEADY_RIDGE
from treecore.learners.nongreedy.settings import TAOSettings
from treecore.learners.nongreedy.settled_leaves import family_for, settled_models
from treecore.learners.nongreedy.tao.care_points import ReducedProblem, leaf_below
from treecore.rows.training_rows import TrainingRows


class LeafRegressions:
    """The linear leaves of one run of TAO, in the coordinates ``scaling``.

    leaf: int32 (n_samples,), the leaf of every row in the starting tree.
    """

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

    def row_costs(self, models: LinearLeaves, leaf: np.ndarray, rows=slice(None)) -> np.ndarray:
        """What some rows cost in leaves, by their weights; float64 (n_rows,)."""
        scores = scores_of(models, self._Z[rows], leaf)
        costs = self._loss.of_predictions(scores, self._y[rows])
        return self._weight[rows] * costs.astype(np.float64)

    def leaf_costs(self, models: LinearLeaves, leaf: np.ndarray) -> np.ndarray:
        """What the rows and the slopes of every leaf cost, float64 (n_leaves,)."""
        costs = np.bincount(leaf, self.row_costs(models, leaf), len(models.weights))
        squares = models.weights.astype(np.float64) ** 2
        return costs + STEADY_RIDGE * squares.sum(axis=(1, 2))

    def total_cost(self, leaf: np.ndarray) -> float:
        """The sum that an iteration never raises."""
        return float(self.leaf_costs(self.models, leaf).sum())

    def refit(self, leaf: np.ndarray) -> bool:
        """Fit every leaf to its rows; return whether one of them has changed."""
        new = self._fitted(leaf)
        better = self.leaf_costs(new, leaf) < self.leaf_costs(self.models, leaf)
        self._take(self._mixed(better, new))
        return bool(better.any())

    def _take(self, models: LinearLeaves) -> None:
        """Take other models, in the same arrays."""
        for mine, new in zip(self.models, models, strict=True):
            mine[...] = new

    def settle(self, leaf: np.ndarray) -> None:
        """Fit every leaf as is best on rows left out, once splits are learnt."""
        rows = self._Z, self._y, self._weight, leaf
        n_leaves = len(self.models.weights)
        self._take(settled_models(self._family, *rows, n_leaves, self._scaling.n_features))

    def _fitted(self, leaf: np.ndarray) -> LinearLeaves:
        """New models of leaves that have rows; the others keep theirs."""
        n_leaves, p = len(self.models.weights), self._scaling.n_features
        rows = self._Z, self._y, self._weight, leaf
        fitted = self._family.fit(*rows, n_leaves, p, STEADY_RIDGE)
        new = models_of(*fitted, self._family.ends(*fitted, *rows), self._Z.shape[1])
        return self._mixed(np.bincount(leaf, self._weight, n_leaves) > 0, new)

    def _mixed(self, chosen: np.ndarray, new: LinearLeaves) -> LinearLeaves:
        """The present models, but for the leaves chosen the new ones."""
        pairs = zip(new, self.models, strict=True)
        return LinearLeaves(
            *(np.where(chosen.reshape(-1, *[1] * (b.ndim - 1)), a, b) for a, b in pairs)
        )

    def on(self, tree: Tree, leaf: np.ndarray) -> Tree:
        """A tree of raw features with these leaves, whose values are their means."""
        scores = scores_of(self.models, self._Z, leaf)
        values = self._family.means(scores, self._weight, leaf, tree.values)
        return tree._replace(values=values, linear=fold_linear(self.models, self._scaling))

    def reduced_problem(
        self, tree: Tree, split: int, X, rows: np.ndarray, leaf: np.ndarray
    ) -> ReducedProblem:
        """The reduced problem of one split that ``rows`` reach; see :mod:`.care_points`."""
        other, went_right = np.empty(len(rows), dtype=np.int32), np.empty(len(rows), dtype=bool)
        find_other_leaves(tree, split, X, rows, other, went_right)
        stays = self.row_costs(self.models, leaf[rows], rows)
        leaves = self.row_costs(self.models, other, rows)
        care = np.flatnonzero(stays != leaves)
        wants_right = went_right[care] == (stays < leaves)[care]
        stake = np.abs(leaves - stays)[care]
        return ReducedProblem(rows, other, went_right, rows[care], wants_right, stake)


@kernel
def find_other_leaves(tree, split, X, rows, other, went_right):
    """Write the leaf of rows (n_rows,) on a split's other side, and whether they go right."""
    for i in range(rows.shape[0]):
        x = X[rows[i]]
        right = score(tree, split, x) > 0
        other[i] = leaf_below(tree, tree.left[split] if right else tree.right[split], x)
        went_right[i] = right
