"""Estimators as documents of :mod:`treecore.persistence`, and back: enough to predict anywhere."""

from __future__ import annotations

import numpy as np

from treecore.estimators.parameters import Parameters, setting_names
from treecore.features import FourierMap
from treecore.methods import METHODS
from treecore.persistence import TreeDocument, TreeFormatError

LABELS = {"i": "int", "u": "int", "f": "float", "b": "bool"}
_READ_LABEL = {"int": int, "float": float, "bool": {"True": True, "False": False}.__getitem__}


def to_document(estimator: Parameters) -> TreeDocument:
    """What a fitted estimator has learnt, and how."""
    from treecore import __version__  # which itself imports the estimators

    n_features = estimator.n_features_in_
    features = getattr(estimator, "feature_names_in_", numbered("x", n_features))
    training = {
        "method": estimator.method,
        "settings": {name: _plain(value) for name, value in estimator._own_settings().items()},
        "data": {"n_samples": estimator._n_samples},
        "metrics": estimator._metrics(),
        "treecore": __version__,
    }
    if hasattr(estimator, "classes_"):
        training["labels"] = LABELS.get(estimator.classes_.dtype.kind, "str")
        names = {"class_names": tuple(map(str, estimator.classes_.tolist()))}
    elif estimator.tree_.n_outputs == 1:
        names = {"output_names": ("y",)}
    else:
        names = {"output_names": numbered("y", estimator.tree_.n_outputs)}
    return TreeDocument(
        estimator.tree_,
        tuple(map(str, features)),
        counts=estimator._counts,
        training=training,
        feature_map=estimator.feature_map_,
        **names,
    )


def from_document(estimator: Parameters, document: TreeDocument) -> None:
    """Give an estimator, fresh from its class, what a document knows.

    Raises
    ------
    TreeFormatError
        For a classifier and a tree that predicts numbers, or the other way round.
    """
    training = document.training
    if hasattr(estimator, "class_weight") != bool(document.class_names):
        told = "classes" if document.class_names else "numbers"
        raise TreeFormatError(f"this tree predicts {told}; read it with the other estimator")
    if training.get("method") in METHODS:
        estimator.method = training["method"]
        _take_settings(estimator, training.get("settings", {}))
    if document.feature_map is not None:
        fourier = isinstance(document.feature_map, FourierMap)
        estimator.kernel = "fourier" if fourier else "nystroem"
        estimator.n_components = document.feature_map.n_components
    estimator.tree_, estimator.feature_map_ = document.tree, document.feature_map
    estimator.n_features_in_ = len(document.feature_names)
    if document.feature_names != numbered("x", estimator.n_features_in_):
        estimator.feature_names_in_ = np.array(document.feature_names, dtype=object)
    if document.class_names:
        estimator.classes_ = labels_of(document.class_names, training.get("labels"))
        estimator.n_classes_ = len(estimator.classes_)
    else:
        estimator.n_outputs_ = document.tree.n_outputs
        estimator._several = estimator.n_outputs_ > 1
    estimator.history_, estimator.n_iter_ = [], 1
    estimator._counts = document.counts
    estimator._n_samples = None if document.counts is None else int(document.counts.sum())
    estimator._importances = estimator._moments = None


def numbered(letter: str, n: int) -> tuple[str, ...]:
    """Names for what has none."""
    return tuple(f"{letter}{i}" for i in range(n))


def _plain(value):
    """A NumPy number as Python's own, which JSON knows."""
    return value.item() if isinstance(value, np.generic) else value


def _take_settings(estimator: Parameters, given: dict) -> None:
    """Set what the file says of the method's settings, as far as it is valid here."""
    for name in set(setting_names(estimator.method)).intersection(given):
        setattr(estimator, name, given[name])
        try:
            METHODS[estimator.method].settings.of(**estimator._settings())
        except ValueError:
            setattr(estimator, name, None)


def labels_of(names: tuple[str, ...], kind: str | None) -> np.ndarray:
    """Class labels from their names, of the kind that they were where that is known."""
    try:
        return np.array([_READ_LABEL[kind](name) for name in names])
    except (KeyError, ValueError, TypeError, OverflowError):
        return np.array(names)
