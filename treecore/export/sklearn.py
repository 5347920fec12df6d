"""A tree or a forest as objects of scikit-learn: a linear map, and its own trees over scores."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor, VotingClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import LabelEncoder
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.validation import check_is_fitted, validate_data

from treecore.base.array_types import Labels, Rows
from treecore.core.tree import Tree, tree_depth
from treecore.data.feature_maps import SplineMap
from treecore.ensembles.forest import leaf_votes
from treecore.export.scores import ScoreView, score_view
from treecore.export.tables import ExportTables, child_places, export_tables
from treecore.persistence import Document


class LinearScores(TransformerMixin, BaseEstimator):
    """Rows to the scores of a tree's splits, in treecore's own arithmetic; spline: comes before."""

    def __init__(
        self, view: ScoreView, feature_names: Sequence[str], spline: SplineMap | None = None
    ):
        self.view = view
        self.feature_names = feature_names
        self.spline = spline

    def fit(self, X: Rows | None = None, y: Labels | None = None) -> LinearScores:
        """Set the names; there is nothing to learn."""
        self.n_features_in_ = len(self.feature_names)
        self.feature_names_in_ = np.array(self.feature_names, dtype=object)
        return self

    def transform(self, X: Rows) -> np.ndarray:
        """The scores, float32 (n_samples, n_scores), NaN where a feature alone is missing."""
        check_is_fitted(self, "n_features_in_")
        X = validate_data(
            self,
            X,
            reset=False,
            dtype="numeric",
            ensure_all_finite="allow-nan",
        )
        scores = self.view.scores(X if self.spline is None else self.spline(X))
        # Sums that leave float32 go right where infinite and left where they are no number.
        largest = float(np.finfo(np.float32).max)
        sums = scores[
            :, len(self.view.features) :
        ]  # what splits on one feature read may be missing
        sums[:] = np.nan_to_num(sums, nan=-largest, posinf=largest, neginf=-largest)
        return scores

    def get_feature_names_out(self, input_features=None) -> np.ndarray:
        """Names of the scores by their weights, as ``"0.8 alcohol − 0.5 hue"``."""
        read = self.feature_names if self.spline is None else self.spline.names(self.feature_names)
        return np.array(self.view.names(read), dtype=object)


def to_sklearn(document: Document) -> Pipeline:
    """A fitted pipeline of :class:`LinearScores` and a tree or forest of scikit-learn.

    It gives treecore's answer for every row. A forest becomes a random forest, or a
    ``VotingClassifier`` where its trees do not count the same. Leaves without counts have one row.
    TreeFormatError for other models.
    """
    tables = export_tables(document, "scikit-learn")
    view = score_view(tables.model)
    counts = None if document.counts is None else document.counts.sum(axis=1)
    made = [
        _tree(plain, values, tables.numeric, counts)
        for plain, values in zip(view.trees, _leaf_values(tables), strict=True)
    ]
    names = np.array(tables.names, dtype=object)
    if document.kind == "tree":
        (model,), step = made, "tree"
        if not tables.numeric:
            model.classes_ = names
    else:
        model, step = _forest(made, tables, names), "forest"
    scores = LinearScores(view, tuple(document.feature_names), tables.spline).fit()
    return Pipeline([("scores", scores), (step, model)])


def write_sklearn(document: Document) -> bytes:
    """The pipeline of a document as joblib writes it, which treecore and scikit-learn read."""
    import joblib

    file = BytesIO()
    joblib.dump(to_sklearn(document), file)
    return file.getvalue()


def _leaf_values(tables: ExportTables) -> list[np.ndarray]:
    """What the leaves of each tree say: shares, or numbers times each tree's part of the mean."""
    model = tables.model
    if isinstance(model, Tree):
        return [tables.votes_of(0)]
    weights = [1.0] * model.n_trees
    if tables.numeric:
        weights = (model.weights * (model.n_trees / tables.total)).tolist()
    return [leaf_votes(t, model.answer, w) for t, w in zip(model.trees, weights, strict=True)]


def _forest(trees: list[Any], tables: ExportTables, names: np.ndarray):
    assert not isinstance(tables.model, Tree)
    weights = tables.model.weights
    if np.ptp(weights) > 0 and not tables.numeric:
        members = [(f"tree {number + 1}", tree) for number, tree in enumerate(trees)]
        voting = VotingClassifier(members, voting="soft", weights=weights.tolist())
        voting.estimators_, voting.classes_ = trees, names
        voting.le_ = LabelEncoder()
        voting.le_.classes_ = names
        return voting
    kind: type[Any] = RandomForestRegressor if tables.numeric else RandomForestClassifier
    forest = kind(n_estimators=len(trees))
    forest.estimators_ = trees
    forest.estimator_ = type(trees[0])()
    forest.n_features_in_ = trees[0].n_features_in_
    forest.n_outputs_ = len(names) if tables.numeric else 1
    if not tables.numeric:
        forest.classes_, forest.n_classes_ = names, len(names)
    return forest


def _tree(tree: Tree, values: np.ndarray, numeric: bool, counts: np.ndarray | None):
    """An axis-aligned tree as scikit-learn's, its leaves with values (n_leaves, n_outputs)."""
    k = values.shape[1]
    made: Any = DecisionTreeRegressor() if numeric else DecisionTreeClassifier()
    # The layout of nodes is scikit-learn's own: the smallest tree that it can grow tells it.
    state = DecisionTreeRegressor().fit([[0.0], [1.0]], [0.0, 1.0]).tree_.__getstate__()
    n = tree.n_splits
    nodes = np.zeros(n + tree.n_leaves, dtype=state["nodes"].dtype)
    nodes["left_child"] = nodes["right_child"] = -1
    nodes["feature"], nodes["threshold"] = -2, -2.0
    nodes["left_child"][:n], nodes["right_child"][:n] = child_places(tree)
    nodes["feature"][:n], nodes["threshold"][:n] = tree.feature, tree.threshold
    nodes["missing_go_to_left"][:n] = tree.missing_left
    value = np.concatenate([np.zeros((n, k)), values])
    weight = np.concatenate([np.zeros(n), np.ones(len(values)) if counts is None else counts])
    for i, children in reversed([*enumerate(np.stack(child_places(tree), axis=1))]):
        weight[i] = weight[children].sum()
        shares = weight[children] / weight[i] if weight[i] > 0 else np.array([0.5, 0.5])
        value[i] = shares @ value[children]
    nodes["n_node_samples"], nodes["weighted_n_node_samples"] = weight, weight
    if not numeric:
        nodes["impurity"] = np.maximum(0.0, 1.0 - (value**2).sum(axis=1))
    outputs = np.array([1] * k if numeric else [k], dtype=np.intp)
    inside = type(DecisionTreeRegressor().fit([[0.0]], [0.0]).tree_)
    made.tree_ = inside(tree.n_features, outputs, len(outputs))
    made.tree_.__setstate__(
        state
        | {
            "max_depth": tree_depth(tree) if tree.n_splits else 0,
            "node_count": len(nodes),
            "nodes": nodes,
            "values": value.reshape(len(nodes), len(outputs), -1),
        }
    )
    made.n_features_in_, made.n_outputs_, made.max_features_ = tree.n_features, len(outputs), 1
    if not numeric:
        made.classes_, made.n_classes_ = np.arange(k), k
    return made
