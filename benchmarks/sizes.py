"""How large a model is: the numbers that a prediction needs, counted alike for all libraries."""

from __future__ import annotations

from typing import Any

import numpy as np

from treecore import Tree


def size_of(model: Any) -> int:
    """Thresholds, weights, values of leaves, and the numbers of the features that are read.

    An axis-aligned split is two numbers, a feature and a threshold. An oblique one, like a linear
    model, is its threshold and each weight that is not 0 with the number of its feature, or all
    weights where these are fewer numbers. A leaf has a number for each class, one if there are two;
    a linear leaf its model, and the two bounds of its answer. The knots of a map of features count,
    what joins the nodes of a tree, scales columns or fills gaps does not. An additive model has its
    cuts and the score of every bin.

    Raises TypeError for a model of another kind.
    """
    if hasattr(model, "best_estimator_"):
        return size_of(model.best_estimator_)
    if hasattr(model, "steps"):
        return size_of(model[-1])
    n_values = _values(len(getattr(model, "classes_", "1")))
    if isinstance(getattr(model, "tree_", None), Tree):
        mapped = getattr(model, "feature_map_", None)
        return _of_tree(model.tree_, n_values) + (
            mapped.n_components - mapped.n_features if mapped else 0
        )
    if hasattr(model, "tree_"):
        return _nodes(model.tree_.node_count, n_values)
    if hasattr(model, "_predictors"):
        return sum(_nodes(len(one.nodes), 1) for stage in model._predictors for one in stage)
    if hasattr(model, "get_booster"):
        dumps = model.get_booster().get_dump()
        return sum(_nodes(len(text.strip().splitlines()), 1) for text in dumps)
    if hasattr(model, "booster_"):
        found = model.booster_.dump_model()["tree_info"]
        return sum(_nodes(2 * tree["num_leaves"] - 1, 1) for tree in found)
    if hasattr(model, "term_scores_"):
        cuts = sum(len(part) for levels in model.bins_ for part in levels)
        return cuts + sum(scores.size for scores in model.term_scores_)
    if hasattr(model, "trees_"):
        return sum(_nodes(_count(tree), n_values) for tree in model.trees_)
    if hasattr(model, "coef_"):
        return int(np.size(model.coef_) + np.size(model.intercept_))
    if hasattr(model, "estimators_"):
        return sum(size_of(tree) for tree in model.estimators_)
    raise TypeError(f"the size of {type(model).__name__} is not known")


def _values(n_classes: int) -> int:
    return 1 if n_classes == 2 else n_classes


def _nodes(count: int, n_values: int) -> int:
    """Numbers of a binary tree of cuts with so many nodes."""
    n_leaves = (count + 1) // 2
    return 2 * (n_leaves - 1) + n_leaves * n_values


def _count(node: Any) -> int:
    return 0 if node is None else 1 + _count(node.left) + _count(node.right)


def _weights(rows: np.ndarray) -> int:
    """Numbers of rows of weights, (n_rows, n_features): all, or those but 0, with places."""
    return int(np.minimum(2 * np.count_nonzero(rows, axis=1), rows.shape[1]).sum())


def _of_tree(tree: Tree, n_values: int) -> int:
    cuts = 2 * np.count_nonzero(tree.feature >= 0)
    splits = int(cuts) + len(tree.weights) + _weights(tree.weights)
    if tree.linear is None:
        return splits + len(tree.values) * n_values
    of_leaves = tree.linear.weights[:, :n_values]
    models = of_leaves.reshape(-1, of_leaves.shape[2])
    constant = ~models.any(axis=1)
    return splits + _weights(models) + 3 * len(models) - 2 * int(constant.sum())
