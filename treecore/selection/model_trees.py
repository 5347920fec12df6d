"""Model trees: linear models in the leaves of a tree whose splits are there already.

The leaves of a pruned tree, or of none, get ridge regressions (Quinlan 1992, "Learning with
continuous classes") or logistic ones (Landwehr, Hall and Frank 2005, "Logistic model trees"). As in
the latter, a branch goes on from the model of the branch above; here it adds to it only what errs
less on rows left out (:mod:`treecore.learners.nongreedy.nested_leaves`).
"""

from __future__ import annotations

import numpy as np

from treecore.core.routing import apply
from treecore.core.scaling import Scaling, fold_linear
from treecore.core.tree import Tree
from treecore.learners.nongreedy.leaf_family import scores_of
from treecore.learners.nongreedy.nested_leaves import family_for, settled_models
from treecore.learners.nongreedy.settings import AnnealedSettings
from treecore.rows.tables import n_columns
from treecore.rows.training_rows import TrainingRows

SETTINGS = AnnealedSettings(leaf="linear")

MOST_FEATURES = 100
"""A Gram matrix costs their square for every row, its Cholesky factor their cube."""

MOST_NUMBERS = 500_000
"""Rows times features times outputs up to which models are fitted: each takes up to 300 steps
through all of them for each of five strengths, so seconds."""


def has_room(rows: TrainingRows, times: int = 1) -> bool:
    """Whether linear models of the rows take seconds, not minutes.

    Parameters
    ----------
    rows : TrainingRows
    times : int
        Columns that each feature becomes before.
    """
    p = times * n_columns(rows.X)
    return p <= MOST_FEATURES and len(rows.y) * p * rows.n_outputs <= MOST_NUMBERS


MOST_PRODUCTS = 500_000_000
"""Rows times the cube of features up to which cuts are grown for linear leaves: each row's products
of two features are added up for every feature, on every level of a tree."""


def has_room_for_cuts(rows: TrainingRows) -> bool:
    """Whether cuts can be grown for linear leaves in seconds.

    Parameters
    ----------
    rows : TrainingRows
    """
    return has_room(rows) and len(rows.y) * n_columns(rows.X) ** 3 <= MOST_PRODUCTS


def with_linear_leaves(tree: Tree, rows: TrainingRows) -> Tree:
    """The tree with a linear model in each leaf, in the units of the rows.

    Parameters
    ----------
    tree : Tree
        The values of its leaves are not read.
    rows : TrainingRows
        Dense.
    """
    family, scaling = family_for(rows, SETTINGS), Scaling.fit(rows.X, robust=True)
    Z, leaf = scaling.transform(rows.X), apply(tree, rows.X)
    given = Z, rows.y, rows.weight, leaf
    linear = settled_models(family, *given, tree, scaling.n_features, ridge=0.0)
    nothing = np.zeros(linear.intercept.shape)
    values = family.means(scores_of(linear, Z, leaf), rows.weight, leaf, nothing)
    return tree._replace(values=values, linear=fold_linear(linear, scaling))
