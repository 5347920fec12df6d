"""Estimators as documents of :mod:`treecore.persistence`, and back: enough to predict anywhere."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from treecore._version import __version__
from treecore.core.tree import Tree
from treecore.ensembles.forest import Forest
from treecore.estimators.hinge import METHODS_OF
from treecore.estimators.parameters import said_loss
from treecore.estimators.shared import Estimator
from treecore.estimators.tables import numbered
from treecore.learners.hinge.model import HingeForest
from treecore.learners.hinge.settings import HingeSettings
from treecore.persistence import Document, TreeFormatError
from treecore.persistence.document import Model
from treecore.training.config import RunConfig, kept_settings
from treecore.training.events import Event
from treecore.training.registry import TREES

_LABELS = {"i": "int", "u": "int", "f": "float", "b": "bool", "M": "date"}
_READ_LABEL: dict[str | None, Callable[[str], Any]] = {
    "int": int,
    "float": float,
    "bool": {"True": True, "False": False}.__getitem__,
    "date": np.datetime64,
}


def tree_document(estimator: Any) -> Document:
    training = {
        "method": estimator._filed_method,
        "settings": {name: _plain(value) for name, value in estimator._chosen_settings().items()},
        "data": {"n_samples": estimator._n_samples},
        "metrics": _metrics(getattr(estimator, "_event", None), "loss", "accuracy", "r2"),
    }
    return _document(
        estimator,
        estimator.tree_,
        training,
        counts=estimator._counts,
        feature_map=estimator.feature_map_,
    )


def forest_document(estimator: Any) -> Document:
    training = {
        "method": getattr(estimator.estimator, "method", estimator.estimator),
        "data": {"n_samples": estimator._n_samples},
    }
    return _document(estimator, estimator.forest_, training)


def hinge_document(estimator: Any) -> Document:
    forest, config = estimator.forest_, estimator._trained
    training = {"method": config.method, "settings": config.as_dict()}
    if estimator.history_:
        training["metrics"] = _metrics(estimator.history_[-1], "accuracy", "mse", "r2", "loss")
    if getattr(estimator, "n_classes_", 2) == 1:  # learnt beside a second one, which is nothing
        leaves = np.ascontiguousarray(forest.trees.weights[..., :1])
        trees = forest.trees._replace(weights=leaves)
        forest = dataclasses.replace(forest, trees=trees, base=forest.base[:1])
    return _document(estimator, forest, training)


def _metrics(event: Event | None, *figures: str) -> dict[str, float]:
    """The figures that an event has, of training and of validation rows."""
    names = [f"{rows}{name}" for rows in ("", "validation_") for name in figures]
    found = {name: getattr(event, name, None) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def _document(
    estimator: Estimator, model: Model, training: dict[str, Any], **parts: Any
) -> Document:
    """The document of a model, with the names of the rows that an estimator has learnt from."""
    features = estimator._feature_names()
    n_outputs = model.n_outputs
    training["treecore"] = __version__
    if estimator._shares:
        chooser: Any = estimator
        named = [class_names(labels) for labels in chooser.classes_]
        training["classes"] = [list(one) for one in named]
        training["labels"] = [_LABELS.get(labels.dtype.kind, "str") for labels in chooser.classes_]
        said = tuple(f"y{i} = {name}" for i, one in enumerate(named) for name in one)
        names: dict[str, Any] = {"output_names": said}
    elif estimator._numeric:
        names = {"output_names": ("y",) if n_outputs == 1 else numbered("y", n_outputs)}
    else:
        training["labels"] = _LABELS.get(estimator.classes_.dtype.kind, "str")
        names = {"class_names": class_names(estimator.classes_)}
    parts["columns"] = estimator.columns_
    return Document(model, features, training=training, **names, **parts)


def _restore_tree(estimator: Any, document: Document) -> None:
    """Give an estimator of one tree, fresh from its class, what a document knows."""
    _restore_names(estimator, document, Tree)
    training = document.training
    estimator._take(training.get("method"), training.get("settings", {}))
    estimator.tree_, estimator.feature_map_ = document.tree, document.feature_map
    estimator.n_iter_ = 1
    estimator._counts = document.counts
    estimator._n_samples = None if document.counts is None else int(document.counts.sum())
    estimator._importances = estimator._moments = None


def _restore_forest(estimator: Any, document: Document) -> None:
    """Give an estimator of a forest, fresh from its class, what a document knows."""
    _restore_names(estimator, document, Forest)
    estimator.forest_ = document.model
    if (method := document.training.get("method")) in TREES:
        estimator.estimator = method
    estimator._state, estimator._n_samples, estimator._importances = None, None, None


def _restore_hinge(estimator: Any, document: Document) -> None:
    """Give a hinge estimator, fresh from its class, what a document knows."""
    _restore_names(estimator, document, HingeForest)
    forest: Any = document.model
    estimator.forest_, estimator.n_iter_ = forest, 1
    method, settings = METHODS_OF[forest.kind], document.training.get("settings", {})
    settings = kept_settings(settings, method)
    known = [setting.name for setting in HingeSettings.definitions()]
    try:
        names = {*known, "validation", "loss"}.intersection(settings)
        given = {name: settings[name] for name in names}
        config = RunConfig(method, **given)
    except (TypeError, ValueError):  # the forest is none the worse for it
        loss = "squared" if estimator._numeric else "log"
        config = RunConfig(method, depth=forest.depth, trees=forest.n_trees, loss=loss)
    estimator._trained, estimator.kind = config, forest.kind
    if estimator._numeric:
        estimator.loss = said_loss(config.loss)
    estimator.validation = config.validation
    for name in known:
        parameter = "n_estimators" if name == "trees" else name
        setattr(estimator, parameter, getattr(config.settings, name))


def _restore_names(estimator: Any, document: Document, model: type) -> None:
    """The names in a document; a TreeFormatError where it predicts what the estimator does not."""
    if not isinstance(document.model, model):
        raise TreeFormatError(
            f"this file holds a {document.kind}, which {type(estimator).__name__} is not; read it "
            "with another estimator"
        )
    several = [] if estimator._numeric else _several_classes(document)
    if estimator._numeric != bool(document.output_names) and not several:
        predicted = "numbers" if document.output_names else "classes"
        raise TreeFormatError(f"this file predicts {predicted}; read it with the other estimator")
    names = tuple(column.name for column in document.columns) or document.feature_names
    estimator.n_features_in_ = len(names)
    if names != numbered("x", len(names)):
        estimator.feature_names_in_ = np.array(names, dtype=object)
    estimator.columns_ = document.columns
    if several:
        estimator.classes_, estimator.n_outputs_ = several, len(several)
        estimator.n_classes_ = [len(labels) for labels in several]
    elif document.class_names:
        estimator._announce(labels_of(document.class_names, document.training.get("labels")))
    else:
        n_outputs = document.model.n_outputs
        estimator.n_outputs_, estimator._several = n_outputs, n_outputs > 1
    estimator.history_ = []


def _several_classes(document: Document) -> list[np.ndarray]:
    """The labels of several outputs whose shares a document predicts; else none."""
    said, kinds = (document.training.get(name) for name in ("classes", "labels"))
    if not document.output_names or not isinstance(said, list) or len(said) < 2:
        return []
    if not all(isinstance(one, list) and one for one in said):
        return []
    kinds = kinds if isinstance(kinds, list) and len(kinds) == len(said) else [None] * len(said)
    words = all(isinstance(name, str) for one in said for name in one)
    fit = sum(map(len, said)) == document.model.n_outputs
    pairs = zip(said, kinds, strict=True)
    return [labels_of(tuple(one), kind) for one, kind in pairs] if words and fit else []


def _plain(value):
    """A NumPy number as Python's own, which JSON knows."""
    return value.item() if isinstance(value, np.generic) else value


def class_names(labels: np.ndarray) -> tuple[str, ...]:
    return tuple(map(str, labels if labels.dtype.kind == "M" else labels.tolist()))


def labels_of(names: tuple[str, ...], kind: str | None) -> np.ndarray:
    """Class labels from their names, of the kind that they were where that is known."""
    try:
        labels = [_READ_LABEL[kind](name) for name in names]
        if kind == "int":  # together with small ones, NumPy would make large ones float64
            return np.array(labels, dtype=np.int64 if max(labels) < 2**63 else np.uint64)
        return np.array(labels)
    except (KeyError, ValueError, TypeError, OverflowError):
        return np.array(names)


class Format(NamedTuple):
    """How an estimator becomes a document of :mod:`treecore.persistence`, and is made from one."""

    to_document: Callable[[Any], Document]
    restore: Callable[[Any, Document], None]


FORMATS = {
    "tree": Format(tree_document, _restore_tree),
    "forest": Format(forest_document, _restore_forest),
    "hinge": Format(hinge_document, _restore_hinge),
}
"""By what an estimator's ``_format`` says."""
