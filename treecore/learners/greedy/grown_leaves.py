"""Linear leaves of a tree whose splits are never looked at again: a model for the rows of each.

While the tree grows, every leaf has a regression of its rows by itself. Once it is grown, models
are those of :func:`treecore.learners.nongreedy.settled_leaves.settled_models` (of classes compare
Landwehr, Hall and Frank 2005, "Logistic model trees").
"""

from __future__ import annotations

import numpy as np

from treecore.core.linear_leaves import LinearLeaves
from treecore.core.scaling import Scaling, fold_linear
from treecore.core.tree import Tree
from treecore.learners.nongreedy.leaf_family import models_of, scores_of
from treecore.learners.nongreedy.monotonic import with_signs
from treecore.learners.nongreedy.ridge_leaves import STEADY_RIDGE
from treecore.learners.nongreedy.settled_leaves import family_for, settled_models
from treecore.rows.training_rows import TrainingRows


class GrownLeaves:
    """The linear leaves of one tree."""

    def __init__(self, rows: TrainingRows, smoothing: float):
        self._rows = rows
        self._family, self._scaling = family_for(rows, smoothing), Scaling.fit(rows.X, robust=True)
        self._Z = self._scaling.transform(rows.X)

    def on(self, tree: Tree, leaf: np.ndarray, settled: bool = True) -> Tree:
        """The tree with a model for the rows of each leaf, and its mean answer as value.

        settled: whether no more splits are to come.
        """
        family, p = self._family, self._scaling.n_features
        y, weight = self._rows.y, self._rows.weight

        def fitted(Z: np.ndarray) -> LinearLeaves:
            if settled:
                return settled_models(family, Z, y, weight, leaf, tree.n_leaves, p)
            found = family.fit(Z, y, weight, leaf, tree.n_leaves, p, STEADY_RIDGE)
            return models_of(*found, family.ends(*found, Z, y, weight, leaf), Z.shape[1])

        linear = with_signs(fitted, self._Z, leaf, self._rows.monotonic)
        nothing = np.zeros(linear.intercept.shape)
        said = scores_of(linear, self._Z, leaf)
        values = family.means(said, self._rows.weight, leaf, nothing)
        return tree._replace(values=values, linear=fold_linear(linear, self._scaling))
