"""A model in a file, whatever its family: one reader, one writer, and what it says of rows."""

from __future__ import annotations

import re

import numpy as np

from treecore.core.routing import predict_proba, predict_values
from treecore.core.tree import Tree
from treecore.ensembles import Forest
from treecore.losses import LOSSES
from treecore.losses.metrics import evaluate
from treecore.persistence import (
    ForestDocument,
    TreeDocument,
    forest_from_json,
    forest_to_json,
    from_json,
    to_json,
)
from treecore.persistence.forest import HEADER as FOREST
from treecore.persistence.hinge import HEADER as HINGE
from treecore.persistence.hinge import HingeDocument, hinge_from_json, hinge_to_json

Document = TreeDocument | ForestDocument | HingeDocument

_FORMAT = re.compile(rb'"format"\s*:\s*"([^"]*)"')


def make_document(model, *, feature_map=None, counts=None, **told) -> Document:
    """A model with its names; a map of features and counts of leaves are a single tree's.

    Parameters
    ----------
    model : Tree, Forest or HingeForest
    feature_map : FeatureMap or None
    counts : int64 array, shape (n_leaves, n_outputs), or None
    told
        ``feature_names``, ``class_names`` or ``output_names``, and ``training``.
    """
    if isinstance(model, Tree):
        return TreeDocument(model, feature_map=feature_map, counts=counts, **told)
    return (ForestDocument if isinstance(model, Forest) else HingeDocument)(model, **told)


def read_document(text: bytes) -> Document:
    """What a file of any of the formats holds.

    Raises
    ------
    TreeFormatError
        In one sentence, where it is no such file.
    """
    told = _FORMAT.search(text)
    read = {FOREST.format.encode(): forest_from_json, HINGE.format.encode(): hinge_from_json}
    return read.get(told and told[1], from_json)(text)


def document_json(document: Document, indent: int | None = None) -> str:
    """The inverse of :func:`read_document`."""
    if isinstance(document, TreeDocument):
        return to_json(document, indent=indent)
    if isinstance(document, ForestDocument):
        return forest_to_json(document, indent=indent)
    return hinge_to_json(document)  # whose numbers stand in rows already


def answers(document: Document, X) -> np.ndarray:
    """What a model says of every row, (n_samples, n_outputs): shares of the classes, or numbers."""
    if isinstance(document, TreeDocument):
        X = X if document.feature_map is None else document.feature_map(X)
        return (predict_proba if document.class_names else predict_values)(document.tree, X)
    if isinstance(document, ForestDocument):
        return document.forest.scores(X)
    X = X if isinstance(X, np.ndarray) else X.toarray()
    return (document.forest.predict_proba if document.class_names else document.forest.decision)(X)


def figures_on(document: Document, X, y) -> dict[str, float]:
    """How good a model is on rows, all of them of classes that it knows.

    Returns
    -------
    dict
        ``"accuracy"`` or ``"r2"``; ``"loss"``, that of its training for a tree, else the log loss
        or the mean squared error; ``"active_leaves"`` of a tree, or ``"n_trees"``.
    """
    if isinstance(document, TreeDocument):
        return _of_tree(document, X, y)
    said, trees = answers(document, X), {"n_trees": document.forest.n_trees}
    if document.class_names:
        share = said[np.arange(len(y)), y]
        # No share is none: a forest that counts votes may give a class nothing at all.
        loss = -np.log(np.maximum(share, np.finfo(np.float64).eps)).mean()
        return {
            "accuracy": float((said.argmax(axis=1) == y).mean()),
            "loss": float(loss),
        } | trees
    if said.shape[1] != 1:
        raise ValueError("this forest predicts several numbers, and a table has one target here")
    square, spread = ((said[:, 0] - y) ** 2).sum(), ((y - y.mean()) ** 2).sum()
    r2 = 1 - square / spread if spread > 0 else float(square <= 1e-12)
    return {"r2": float(r2), "loss": float(square / len(y))} | trees


def _of_tree(document: TreeDocument, X, y) -> dict[str, float]:
    X = X if document.feature_map is None else document.feature_map(X)
    classes = bool(document.class_names)
    usual = "log" if classes else "squared"
    used = document.training.get("settings", {}).get("loss", usual)
    loss = LOSSES[used if used in LOSSES else usual]
    y = y if classes else np.asarray(y).astype(np.float32)[:, None]
    found = evaluate(document.tree, X, y, loss=loss)
    good = {"accuracy": float(found.accuracy)} if classes else {"r2": float(found.r2)}
    return good | {"loss": float(found.loss), "active_leaves": int(found.active_leaves)}
