"""What each feature has contributed to a tree.

A split earns ``rows x decrease of impurity`` for its features, shared by ``|w_j| x deviation`` (for
cuts: Breiman et al. 1984). A linear leaf earns what its model takes of the impurity left there.
Where several columns are made of one feature, shares are by the deviations of its curves.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from treecore.core.linear_leaves import LinearLeaves
from treecore.core.routing import apply, class_probabilities, predict_linear
from treecore.core.tree import OBLIQUE, Tree
from treecore.ensembles.forest import Forest
from treecore.pruning.statistics import node_statistics
from treecore.rows.column_sums import row_parts, sum_rows
from treecore.rows.training_rows import TrainingRows

Pull = Callable[[np.ndarray], np.ndarray]
"""How far features move scores, by the scores' weights: (..., n_columns) to (..., n_features)."""


def forest_importances(forest: Forest, rows: TrainingRows, criterion: str) -> np.ndarray:
    """The mean of the trees' :func:`feature_importances` on all rows, weighted as the trees are."""
    oblique = any((tree.feature == OBLIQUE).any() for tree in forest.trees)
    pull = _pull_of(rows, None) if oblique else None
    total = np.zeros(forest.n_features)
    for tree, weight in zip(forest.trees, forest.weights.tolist(), strict=True):
        leaf = apply(tree, rows.X)
        total += weight * feature_importances(tree, rows, leaf, criterion, pull=pull)
    size = total.sum()
    return total / size if size > 0 else total


def feature_importances(
    tree: Tree,
    rows: TrainingRows,
    leaf: np.ndarray,
    criterion: str,
    sources: np.ndarray | None = None,
    pull: Pull | None = None,
) -> np.ndarray:
    """Shares of the features in the decrease of impurity, (n_features,), of sum 1; or all zero.

    leaf: int (n_samples,); criterion: ``"gini"`` or entropy; sources: int (n_columns,) or None.
    """
    n = tree.n_splits
    children = np.stack([tree.left, tree.right])
    children = np.where(children >= 0, children, n + ~children)
    total = _impurity_of_nodes(tree, rows, leaf, criterion)
    earned = np.maximum(total[:n] - total[children].sum(axis=0), 0.0)
    importances = np.zeros(tree.n_features if sources is None else sources.max() + 1)
    axis = tree.feature != OBLIQUE
    if pull is None and (tree.linear is not None or not axis.all()):
        pull = _pull_of(rows, sources)
    if tree.linear is not None and pull is not None:
        importances += _earned_by_models(tree, tree.linear, rows, leaf, criterion, pull)
    cut = tree.feature[axis] if sources is None else sources[tree.feature[axis]]
    np.add.at(importances, cut, earned[axis])
    if not axis.all() and pull is not None:
        importances += _shared_out(earned[~axis], pull(tree.weights[tree.row[~axis]]))
    total_importance = importances.sum()
    return importances / total_importance if total_importance > 0 else importances


def _shared_out(earned: np.ndarray, pull: np.ndarray) -> np.ndarray:
    """What several have earned, (n,), shared among the features as they pull, (n, n_features)."""
    size = pull.sum(axis=1, keepdims=True)
    share = np.divide(pull, size, where=size > 0, out=pull)
    return (earned[:, None] * share).sum(axis=0)


def _earned_by_models(
    tree: Tree,
    linear: LinearLeaves,
    rows: TrainingRows,
    leaf: np.ndarray,
    criterion: str,
    pull_of: Pull,
) -> np.ndarray:
    """What the models of linear leaves have earned, by features; float64 (n_features,)."""
    predicted = predict_linear(tree, rows.X, leaf)

    def sums(*columns: np.ndarray) -> np.ndarray:  # (n_columns, n_leaves)
        return np.stack([np.bincount(leaf, rows.weight * c, tree.n_leaves) for c in columns])

    pull = pull_of(linear.weights)  # (n_leaves, n_outputs, n_features)
    if rows.loss.task == "classification":
        share = class_probabilities(predicted)
        if criterion == "gini":
            off = share.copy()
            off[np.arange(len(leaf)), rows.y] -= 1.0
            cost = (off**2).sum(axis=1)
        else:
            of_class = np.maximum(share[np.arange(len(leaf)), rows.y], np.finfo(float).tiny)
            cost = -np.log2(of_class)
        total = _impurity_of_nodes(tree, rows, leaf, criterion)[tree.n_splits :]
        return _shared_out(np.maximum(total - sums(cost)[0], 0.0), pull.sum(axis=1))
    importances = np.zeros(pull.shape[2])
    for q in range(rows.n_outputs):
        y, p = rows.y[:, q].astype(np.float64), predicted[:, q]
        n, y_sum, p_sum, yy, pp, yp = sums(np.ones(len(y)), y, p, y * y, p * p, y * p)
        n = np.where(n > 0, n, 1.0)
        variances = np.maximum(np.stack([yy - y_sum**2 / n, pp - p_sum**2 / n]), 0.0)
        covariance = yp - y_sum * p_sum / n
        some = variances[1] > 0
        explained = np.divide(covariance**2, variances[1], where=some, out=np.zeros(len(n)))
        importances += _shared_out(np.minimum(explained, variances[0]), pull[:, q])
    return importances


def _pull_of(rows: TrainingRows, sources: np.ndarray | None) -> Pull:
    """The deviations of what features add to scores, a column each or the sum of their columns."""
    if sources is None:
        deviations = _deviations(rows)
        return lambda weights: np.abs(weights.astype(np.float64)) * deviations
    curves = []
    for feature in range(sources.max() + 1):
        made = np.flatnonzero(sources == feature)
        X = rows.complete.X[:, made].astype(np.float64)
        X -= np.average(X, axis=0, weights=rows.weight)
        curves.append((made, (rows.weight[:, None] * X).T @ X / rows.weight.sum()))

    def pull(weights: np.ndarray) -> np.ndarray:
        parts = ((weights[..., made].astype(np.float64), shared) for made, shared in curves)
        variances = [((w @ shared) * w).sum(axis=-1) for w, shared in parts]
        return np.sqrt(np.maximum(np.stack(variances, axis=-1), 0.0))

    return pull


def features_per_split(tree: Tree) -> np.ndarray:
    """How many features every split has a weight on, int64 (n_splits,)."""
    used = np.ones(tree.n_splits, dtype=np.int64)
    oblique = tree.feature == OBLIQUE
    used[oblique] = np.count_nonzero(tree.weights[tree.row[oblique]], axis=1)
    return used


def _impurity_of_nodes(
    tree: Tree, rows: TrainingRows, leaf: np.ndarray, criterion: str
) -> np.ndarray:
    """Impurity times weight of every node, splits first; of numbers summed over the outputs."""
    statistics = node_statistics(tree, leaf, rows.y, rows.weight, rows.loss.task)
    n_sums = rows.n_outputs if rows.loss.task == "regression" else 1
    return n_sums * statistics.risk("gini" if criterion == "gini" else "entropy")


def _deviations(rows: TrainingRows) -> np.ndarray:
    X, total = rows.complete.X, rows.weight.sum()
    parts = list(row_parts(*X.shape))  # memory for a block of them in float64, not for all
    mean = sum_rows(rows.weight[part, None] * X[part] for part in parts) / total
    square = sum_rows(rows.weight[part, None] * (X[part] - mean) ** 2 for part in parts)
    return np.sqrt(square / total)
