"""A linear model of all rows by scikit-learn: in seconds at any number of features."""

from __future__ import annotations

import warnings

import numpy as np

from treecore.core.linear_leaves import make_linear
from treecore.core.scaling import Scaling, fold_linear
from treecore.core.tree import Tree, single_leaf
from treecore.rows.training_rows import TrainingRows

MOST_TERMS, FEWEST_ROWS = 50_000_000, 1000
"""Rows times features times outputs that it is fitted to, and the rows that these are at least."""

STEEPEST = 30.0
"""So far below the others' are the log-odds of a class that no row is of."""


def fit_linear(rows: TrainingRows, seed: int, strength: float = 1.0) -> Tree:
    """Fit a single leaf: logistic (``strength`` is scikit-learn's ``C``) or ridge regression."""
    # Imported here because it takes a while.
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression, RidgeCV

    scaling, k = Scaling.fit(rows.X, robust=True), rows.n_outputs
    p = scaling.n_features
    n = max(FEWEST_ROWS, MOST_TERMS // (p * k))
    part = np.random.default_rng(seed).permutation(len(rows.y))[:n]
    Z = scaling.transform(rows.X[part])
    y, weight = rows.y[part], rows.weight[part]
    weights, intercept = np.zeros((1, k, Z.shape[1])), np.zeros((1, k))
    if rows.loss.task == "regression":
        ridge = RidgeCV(np.logspace(-1, 4, 6)).fit(Z[:, :p], y, weight)
        weights[0, :, :p], intercept[0] = ridge.coef_, ridge.intercept_
    else:
        present = np.unique(y)
        intercept[0] = np.where(np.isin(np.arange(k), present), 0.0, -STEEPEST)
        if len(present) > 1:
            with warnings.catch_warnings():  # of steps that were too few: near enough
                warnings.simplefilter("ignore", ConvergenceWarning)
                model = LogisticRegression(C=strength).fit(Z[:, :p], y, weight)
            sides = np.array([[-0.5], [0.5]]) if len(present) == 2 else np.eye(len(present))
            weights[0, present, :p] = sides @ model.coef_
            intercept[0, present] = sides @ model.intercept_
    said = Z @ weights[0].T + intercept
    ends = said.min(axis=0, keepdims=True), said.max(axis=0, keepdims=True)
    leaf = single_leaf(said.mean(axis=0, keepdims=True), p)
    return leaf._replace(linear=fold_linear(make_linear(weights, intercept, *ends), scaling))
