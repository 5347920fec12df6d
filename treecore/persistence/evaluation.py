"""What the model of a document says of rows, and how good it is on them."""

from __future__ import annotations

import numpy as np

from treecore.core.routing import predict_proba, predict_values
from treecore.core.tree import Tree
from treecore.ensembles.forest import Forest
from treecore.losses import find_loss
from treecore.losses.metrics import evaluate
from treecore.persistence.document import Document


def scores(document: Document, X) -> np.ndarray:
    """What a model predicts, (n_samples, n_outputs): probabilities of the classes, or numbers."""
    model, classes = document.model, bool(document.class_names)
    if isinstance(model, Tree):
        return (predict_proba if classes else predict_values)(model, mapped_rows(document, X))
    if isinstance(model, Forest):
        return model.scores(X)
    return (model.predict_proba if classes else model.decision)(X)


def mapped_rows(document: Document, X):
    """Rows as the model reads them: behind the map of a tree that has one."""
    return X if document.feature_map is None else document.feature_map(X)


def figures_on(document: Document, X, y: np.ndarray) -> dict[str, float]:
    """How good a model is on rows of known classes; ValueError for several numbers a row."""
    if isinstance(document.model, Tree):
        return _figures_of_tree(document, X, y)
    predicted, trees = scores(document, X), {"n_trees": document.n_trees}
    if document.class_names:
        share = predicted[np.arange(len(y)), y]
        # No share is none: a forest that counts votes may give a class nothing at all.
        loss = -np.log(np.maximum(share, np.finfo(np.float64).eps)).mean()
        accuracy = (predicted.argmax(axis=1) == y).mean()
        return {"accuracy": float(accuracy), "loss": float(loss)} | trees
    if predicted.shape[1] != 1:
        raise ValueError("this forest predicts several numbers, and a table has one target here")
    square, spread = ((predicted[:, 0] - y) ** 2).sum(), ((y - y.mean()) ** 2).sum()
    r2 = 1 - square / spread if spread > 0 else float(square <= 1e-12)
    return {"r2": float(r2), "loss": float(square / len(y))} | trees


def figures_with_unknown(document: Document, X, y: np.ndarray) -> dict[str, float]:
    """The same where y may hold -1: a class that the model does not know, which is a mistake."""
    is_known = y >= 0 if document.class_names else np.ones(len(y), dtype=bool)
    if not is_known.any():
        known = ", ".join(document.class_names[:6])
        raise ValueError(f"none of the classes of this table is one of the tree's: {known}")
    figures = figures_on(document, X[is_known], y[is_known])
    if document.class_names:
        figures["accuracy"] *= float(is_known.mean())
    return figures


def _figures_of_tree(document: Document, X, y: np.ndarray) -> dict[str, float]:
    classes = bool(document.class_names)
    usual = "log" if classes else "squared"
    trained = document.training.get("settings", {}).get("loss", usual)
    try:
        loss = find_loss(trained)
    except ValueError:  # of another version
        loss = find_loss(usual)
    y = y if classes else np.asarray(y)[:, None]
    figures = evaluate(document.tree, mapped_rows(document, X), y, loss=loss)
    name = "accuracy" if classes else "r2"
    good = {name: float(getattr(figures, name))}
    return good | {"loss": float(figures.loss), "active_leaves": int(figures.active_leaves)}
