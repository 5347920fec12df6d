"""Estimators as documents of :mod:`treecore.persistence`, and back: enough to predict anywhere."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from treecore._version import __version__
from treecore.data.feature_maps import FourierMap
from treecore.estimators.parameters import Parameters, setting_names
from treecore.estimators.shared import Estimator, Format
from treecore.learners.hinge import HingeSettings
from treecore.learners.hinge.model import KINDS
from treecore.persistence import (
    ForestDocument,
    TreeDocument,
    TreeFormatError,
    forest_from_json,
    forest_to_json,
    from_json,
    load,
    load_forest,
    save,
    save_forest,
    to_json,
)
from treecore.persistence.hinge import (
    HingeDocument,
    hinge_from_json,
    hinge_to_json,
    load_hinge,
    save_hinge,
)
from treecore.training.config import RunConfig
from treecore.training.registry import TREES

METHODS_OF = dict(zip(KINDS, ("hinge-forest", "hinge-ferns"), strict=True))
"""Names of the registry by what a hinge estimator calls ``kind``."""

_LABELS = {"i": "int", "u": "int", "f": "float", "b": "bool"}
_READ_LABEL = {"int": int, "float": float, "bool": {"True": True, "False": False}.__getitem__}


def tree_document(estimator: Parameters) -> TreeDocument:
    """What an estimator of one tree has learnt, and how."""
    training = {
        "method": estimator.method,
        "settings": {name: _plain(value) for name, value in estimator._chosen_settings().items()},
        "data": {"n_samples": estimator._n_samples},
        "metrics": estimator._metrics(),
    }
    return TreeDocument(
        estimator.tree_,
        counts=estimator._counts,
        feature_map=estimator.feature_map_,
        **_told(estimator, estimator.tree_.n_outputs, training),
    )


def forest_document(estimator) -> ForestDocument:
    """What an estimator of a forest has learnt, and how."""
    training = {
        "method": getattr(estimator.estimator, "method", estimator.estimator),
        "data": {"n_samples": estimator._n_samples},
    }
    forest = estimator.forest_
    return ForestDocument(forest, **_told(estimator, forest.n_outputs, training))


def hinge_document(estimator) -> HingeDocument:
    """What a hinge estimator has learnt, and how."""
    forest = estimator.forest_
    config = estimator._trained
    training = {"method": config.method, "settings": config.as_dict()}
    if estimator.history_:
        last = estimator.history_[-1]
        figures = ("accuracy", "mse", "r2", "loss")
        names = [f"{rows}{name}" for rows in ("", "validation_") for name in figures]
        told = {name: getattr(last, name) for name in names}
        training["metrics"] = {name: value for name, value in told.items() if value is not None}
    if getattr(estimator, "n_classes_", 2) == 1:  # learnt beside a second one, which is nothing
        leaves = np.ascontiguousarray(forest.trees.weights[..., :1])
        trees = forest.trees._replace(weights=leaves)
        forest = dataclasses.replace(forest, trees=trees, base=forest.base[:1])
    return HingeDocument(forest, **_told(estimator, forest.n_outputs, training))


def _told(estimator: Estimator, n_outputs: int, training: dict) -> dict[str, Any]:
    """What every document tells: names of columns and outputs, and how they were trained."""
    features = getattr(estimator, "feature_names_in_", numbered("x", estimator.n_features_in_))
    told = {"feature_names": tuple(map(str, features))}
    training["treecore"] = __version__
    if not estimator._numeric:
        training["labels"] = _LABELS.get(estimator.classes_.dtype.kind, "str")
        told["class_names"] = tuple(map(str, estimator.classes_.tolist()))
    else:
        told["output_names"] = ("y",) if n_outputs == 1 else numbered("y", n_outputs)
    return told | {"training": training}


def set_fitted_state(estimator: Parameters, document: TreeDocument) -> None:
    """Give an estimator of one tree, fresh from its class, what a document knows."""
    _take(estimator, document, document.tree.n_outputs)
    training = document.training
    if training.get("method") in TREES:
        estimator.method = training["method"]
        _take_settings(estimator, training.get("settings", {}))
    if document.feature_map is not None:
        fourier = isinstance(document.feature_map, FourierMap)
        estimator.kernel = "fourier" if fourier else "nystroem"
        estimator.n_components = document.feature_map.n_components
    estimator.tree_, estimator.feature_map_ = document.tree, document.feature_map
    estimator.n_iter_ = 1
    estimator._counts = document.counts
    estimator._n_samples = None if document.counts is None else int(document.counts.sum())
    estimator._importances = estimator._moments = None


def take_forest(estimator, document: ForestDocument) -> None:
    """Give an estimator of a forest, fresh from its class, what a document knows."""
    _take(estimator, document, document.forest.n_outputs)
    estimator.forest_ = document.forest
    estimator._state, estimator._n_samples = None, None


def take_hinge(estimator, document: HingeDocument) -> None:
    """Give a hinge estimator, fresh from its class, what a document knows."""
    forest = document.forest
    _take(estimator, document, forest.n_outputs)
    estimator.forest_, estimator.n_iter_ = forest, 1
    method, told = METHODS_OF[forest.kind], document.training.get("settings", {})
    known = [known.name for known in HingeSettings.definitions()]
    try:
        given = {name: told[name] for name in (*known, "validation", "loss") if name in told}
        config = RunConfig(method, **given)
    except (TypeError, ValueError):  # the forest is none the worse for it
        config = RunConfig(method, depth=forest.depth, trees=forest.n_trees)
    estimator._trained, estimator.kind = config, forest.kind
    estimator.validation = config.validation
    for name in known:
        setattr(estimator, name, getattr(config.settings, name))


def _take(estimator: Estimator, document, n_outputs: int) -> None:
    """The names in a document; a TreeFormatError where it predicts what the estimator does not."""
    if estimator._numeric != bool(document.output_names):
        told = "numbers" if document.output_names else "classes"
        raise TreeFormatError(f"this file predicts {told}; read it with the other estimator")
    estimator.n_features_in_ = len(document.feature_names)
    if document.feature_names != numbered("x", estimator.n_features_in_):
        estimator.feature_names_in_ = np.array(document.feature_names, dtype=object)
    if document.class_names:
        estimator.classes_ = labels_of(document.class_names, document.training.get("labels"))
        estimator.n_classes_ = len(estimator.classes_)
    else:
        estimator.n_outputs_, estimator._several = n_outputs, n_outputs > 1
    estimator.history_ = []


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
            TREES[estimator.method].settings.of(**estimator._settings())
        except ValueError:
            setattr(estimator, name, None)


def labels_of(names: tuple[str, ...], kind: str | None) -> np.ndarray:
    """Class labels from their names, of the kind that they were where that is known."""
    try:
        return np.array([_READ_LABEL[kind](name) for name in names])
    except (KeyError, ValueError, TypeError, OverflowError):
        return np.array(names)


TREE_FORMAT = Format(tree_document, set_fitted_state, to_json, from_json, save, load)
FOREST_FORMAT = Format(
    forest_document, take_forest, forest_to_json, forest_from_json, save_forest, load_forest
)
HINGE_FORMAT = Format(
    hinge_document, take_hinge, hinge_to_json, hinge_from_json, save_hinge, load_hinge
)
