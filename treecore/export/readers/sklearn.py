"""Trees and forests of scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from treecore.export.readers.nodes import (
    Nodes,
    at_most,
    class_forest,
    number_forest,
    numbered_names,
)
from treecore.persistence import Document, TreeFormatError

_LABELS = {"i": "int", "u": "int", "f": "float", "b": "bool"}


def from_sklearn(estimator: Any, feature_names: Sequence[str] | None = None) -> Document:
    """A fitted decision tree, extra tree, random forest or forest of extra trees.

    Thresholds are moved down to float32: every row reaches its leaf. Shares are equal to 1e-6.
    feature_names: None: those it has learnt with, or x1, x2, ... TreeFormatError for others.
    """
    from sklearn.base import is_classifier
    from sklearn.ensemble import (
        ExtraTreesClassifier,
        ExtraTreesRegressor,
        RandomForestClassifier,
        RandomForestRegressor,
    )
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
    from sklearn.utils.validation import check_is_fitted

    single = DecisionTreeClassifier, DecisionTreeRegressor
    several = (
        RandomForestClassifier, RandomForestRegressor, ExtraTreesClassifier, ExtraTreesRegressor
    )  # fmt: skip
    if not isinstance(estimator, (*single, *several)):
        raise TreeFormatError(
            f"{type(estimator).__name__} is not a decision tree or random forest of scikit-learn"
        )
    check_is_fitted(estimator)
    known = getattr(estimator, "feature_names_in_", None)
    names = feature_names if feature_names is not None else None if known is None else list(known)
    names = numbered_names(names, estimator.n_features_in_)
    if len(names) != estimator.n_features_in_:
        raise TreeFormatError(
            f"the model reads {estimator.n_features_in_} features, and there are {len(names)} names"
        )
    trees = [estimator] if isinstance(estimator, single) else estimator.estimators_
    nodes = [_nodes(tree.tree_) for tree in trees]
    training: dict[str, Any] = {"method": f"scikit-learn {type(estimator).__name__}"}
    if is_classifier(estimator):
        if estimator.n_outputs_ > 1:
            raise TreeFormatError(
                "this model predicts several sets of classes; treecore predicts one"
            )
        training["labels"] = _LABELS.get(estimator.classes_.dtype.kind, "str")
        classes = tuple(map(str, estimator.classes_.tolist()))
        return class_forest(nodes, names, classes, training)
    k = estimator.n_outputs_
    outputs = ("y",) if k == 1 else tuple(f"y{i}" for i in range(1, k + 1))
    if len(nodes) > 1:
        nodes = [tree._replace(values=tree.values / len(nodes)) for tree in nodes]
    return number_forest(nodes, np.zeros(k), names, outputs, training)


def _nodes(tree: Any) -> Nodes:
    splits = tree.children_left >= 0
    values = tree.value.astype(np.float64)
    # (n, 1, classes) of a classifier, (n, outputs, 1) of numbers.
    values = values[:, 0, :] if values.shape[1] == 1 else values[:, :, 0]
    state = tree.__getstate__()["nodes"]
    return Nodes(
        tree.children_left,
        tree.children_right,
        tree.feature,
        at_most(np.where(splits, tree.threshold, 0.0)),
        values,
        state["missing_go_to_left"].astype(bool),
    )
