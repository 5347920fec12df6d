"""What is asked of any model, a tree or a forest: how large it is, what it says of rows."""

import numpy as np

from treecore import Forest, HingeForest, Tree
from treecore.core import tree_depth
from treecore.inspection import features_per_split
from treecore.learners.hinge.traversal import n_nodes

Model = Tree | Forest | HingeForest


def n_splits(model: Model) -> int:
    if isinstance(model, HingeForest):
        return model.n_trees * n_nodes(model.kind, model.depth)
    return sum(tree.n_splits for tree in _trees(model))


def n_leaves(model: Model) -> int:
    if isinstance(model, HingeForest):
        return model.n_trees * 2**model.depth
    return sum(tree.n_leaves for tree in _trees(model))


def n_weights(model: Model) -> int:
    """Weights that are not zero, in all splits together; a split on one feature has one."""
    if isinstance(model, HingeForest):
        filters = int(np.count_nonzero(model.layer.filters))
        return filters or n_splits(model)
    return sum(int(features_per_split(tree).sum()) for tree in _trees(model))


def depth(model: Model) -> int:
    if isinstance(model, HingeForest):
        return model.depth
    return max(map(tree_depth, _trees(model)))


def n_bytes(model: Model) -> int:
    """What a model takes in memory that an earlier one of its run does not hold already."""
    if isinstance(model, HingeForest):
        return 4 * model.n_parameters
    return _trees(model)[-1].nbytes


def _trees(model: Tree | Forest) -> tuple[Tree, ...]:
    return (model,) if isinstance(model, Tree) else model.trees


def scores_of(forest: Forest | HingeForest, X: np.ndarray) -> np.ndarray:
    """Shares of the classes, float64 (n_samples, n_classes), or numbers (n_samples, 1)."""
    if isinstance(forest, Forest):
        return forest.scores(X)
    if forest.task == "classification":
        return forest.predict_proba(X)
    return forest.decision(X).astype(np.float64)
