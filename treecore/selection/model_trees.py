"""Model trees: linear models in the leaves of a tree whose splits are there already.

The leaves of a pruned tree, or of none, get ridge regressions (Quinlan 1992, "Learning with
continuous classes") or logistic ones (Landwehr, Hall and Frank 2005, "Logistic model trees"). As in
the latter, a branch goes on from the model of the branch above; here it adds to it only what errs
less on rows left out (:mod:`treecore.learners.nongreedy.nested_leaves`).
"""

from __future__ import annotations

import numpy as np

from treecore.core.linear_leaves import make_linear
from treecore.core.routing import apply
from treecore.core.scaling import Scaling, fold_linear
from treecore.core.tree import Tree, single_leaf
from treecore.learners.greedy.grown_leaves import GrownLeaves
from treecore.learners.greedy.settings import AxisSettings
from treecore.rows.training_rows import TrainingRows
from treecore.selection.linear import STEEPEST

SETTINGS = AxisSettings(leaf="linear")

MOST_FEATURES = 100
"""A Gram matrix costs their square for every row, its Cholesky factor their cube; hinges count."""

FEWEST_OF_ONE = 1000
"""Rows at least that a model of many features is fitted to, where there are so many."""

MOST_NUMBERS = 500_000
"""Rows times columns times outputs up to which models are fitted: each takes up to 300 steps
through all of them for each of five strengths, so seconds. Two classes are one output."""


def has_room(rows: TrainingRows, n_hinges: int = 0) -> bool:
    """Whether linear models of the rows take seconds, not minutes.

    n_hinges: hinges of each feature that models read beside it.
    """
    p = rows.X.shape[1] * (1 + n_hinges)
    two_classes = rows.loss.task == "classification" and rows.n_outputs == 2
    n_models = 1 if two_classes else rows.n_outputs
    return p <= MOST_FEATURES and len(rows.y) * p * n_models <= MOST_NUMBERS


MOST_PRODUCTS = 500_000_000
"""Rows times the cube of features up to which cuts are grown for linear leaves: each row's products
of two features are added up for every feature, on every level of a tree."""


def has_room_for_cuts(rows: TrainingRows) -> bool:
    """Whether cuts can be grown for linear leaves in seconds."""
    return has_room(rows) and len(rows.y) * rows.X.shape[1] ** 3 <= MOST_PRODUCTS


MOST_SQUARES = 60_000_000
"""Rows times the square of columns up to which the leaves of such cuts read hinges: each branch
takes so many products, and a run has a second for them."""


def has_room_for_curves(rows: TrainingRows, n_hinges: int) -> bool:
    """Whether cuts can be grown and their leaves read hinges as well, in seconds.

    n_hinges: of each feature.
    """
    columns = rows.X.shape[1] * (1 + n_hinges)
    return has_room_for_cuts(rows) and len(rows.y) * columns**2 <= MOST_SQUARES


MOST_TERMS = 50_000_000
"""Rows times features times outputs from which a single model of many features is fitted."""

WEAK = 0.1
"""Strength of that model of classes, scikit-learn's ``C``, where features have deviation 1."""


def with_one_model(rows: TrainingRows, seed: int) -> Tree:
    """A single leaf with a linear model by scikit-learn, in seconds at any number of features."""
    # Imported here because it takes a while, and most tables have few features.
    from sklearn.linear_model import LogisticRegression, RidgeCV

    scaling, k = Scaling.fit(rows.X, robust=True), rows.n_outputs
    p = scaling.n_features
    n = max(FEWEST_OF_ONE, MOST_TERMS // (p * k))
    part = np.random.default_rng(seed).permutation(len(rows.y))[:n]
    Z = scaling.transform(rows.X[part])
    y, weight = rows.y[part], rows.weight[part]
    weights, intercept = np.zeros((1, k, Z.shape[1])), np.zeros((1, k))
    if rows.loss.task == "regression":
        ridge = RidgeCV(np.logspace(-1, 4, 6)).fit(Z[:, :p], y, weight)
        weights[0, :, :p], intercept[0] = ridge.coef_, ridge.intercept_
    else:
        model = LogisticRegression(C=WEAK, max_iter=100).fit(Z[:, :p], y, weight)
        two = len(model.classes_) == 2
        sides = np.array([[-0.5], [0.5]]) if two else np.eye(len(model.classes_))
        weights[0, model.classes_, :p] = sides @ model.coef_
        intercept[0] = -STEEPEST  # of classes that no row is of
        intercept[0, model.classes_] = sides @ model.intercept_
    said = Z @ weights[0].T + intercept
    ends = said.min(axis=0, keepdims=True), said.max(axis=0, keepdims=True)
    leaf = single_leaf(said.mean(axis=0, keepdims=True), p)
    return leaf._replace(linear=fold_linear(make_linear(weights, intercept, *ends), scaling))


def with_linear_leaves(tree: Tree, rows: TrainingRows) -> Tree:
    """The tree with a linear model in each leaf, in the units of the rows.

    tree: the values of its leaves are not read; rows: dense.
    """
    return GrownLeaves(rows, SETTINGS.smoothing).on(tree, apply(tree, rows.X))
