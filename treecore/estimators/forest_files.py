"""Forest estimators as documents of :mod:`treecore.persistence.forest`, and back."""

from __future__ import annotations

import numpy as np

from treecore.estimators.files import LABELS, labels_of, numbered
from treecore.persistence import ForestDocument, TreeFormatError


def to_document(estimator) -> ForestDocument:
    """What a fitted estimator has learnt, and how."""
    from treecore import __version__  # which itself imports the estimators

    features = getattr(estimator, "feature_names_in_", numbered("x", estimator.n_features_in_))
    training = {
        "method": getattr(estimator.estimator, "method", estimator.estimator),
        "data": {"n_samples": estimator._n_samples},
        "treecore": __version__,
    }
    if hasattr(estimator, "classes_"):
        training["labels"] = LABELS.get(estimator.classes_.dtype.kind, "str")
        names = {"class_names": tuple(map(str, estimator.classes_.tolist()))}
    elif estimator.forest_.n_outputs == 1:
        names = {"output_names": ("y",)}
    else:
        names = {"output_names": numbered("y", estimator.forest_.n_outputs)}
    return ForestDocument(estimator.forest_, tuple(map(str, features)), training=training, **names)


def from_document(estimator, document: ForestDocument) -> None:
    """Give an estimator, fresh from its class, what a document knows.

    Raises
    ------
    TreeFormatError
        For a classifier and a forest that predicts numbers, or the other way round.
    """
    if estimator._numeric != bool(document.output_names):
        told = "numbers" if document.output_names else "classes"
        raise TreeFormatError(f"this forest predicts {told}; read it with the other estimator")
    estimator.forest_ = document.forest
    estimator.n_features_in_ = len(document.feature_names)
    if document.feature_names != numbered("x", estimator.n_features_in_):
        estimator.feature_names_in_ = np.array(document.feature_names, dtype=object)
    if document.class_names:
        estimator.classes_ = labels_of(document.class_names, document.training.get("labels"))
        estimator.n_classes_ = len(estimator.classes_)
    else:
        estimator.n_outputs_ = document.forest.n_outputs
        estimator._several = estimator.n_outputs_ > 1
    estimator.history_, estimator._state, estimator._n_samples = [], None, None
