"""The model of a run as a document: with its training settings, its data and its figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from treecore._version import __version__
from treecore.data.dataset import Dataset
from treecore.data.feature_maps import FeatureMap
from treecore.data.sources import Source
from treecore.persistence import Document, fingerprint
from treecore.persistence.document import Model
from treecore.training.config import RunConfig
from treecore.training.events import Event
from treecore.training.trainer import Trainer
from treecore.training.tree_trainer import TreeTrainer

FIGURES = (
    "done",
    "bound",
    "loss",
    "validation_loss",
    "accuracy",
    "validation_accuracy",
    "oob_accuracy",
    "r2",
    "validation_r2",
    "oob_r2",
    "active_leaves",
    "n_leaves",
    "seconds",
)
"""The fields of an event that are written beside a model."""


def figures_of(event: Event) -> dict[str, Any]:
    """The figures of an event that have a value."""
    return {name: value for name in FIGURES if (value := getattr(event, name)) is not None}


def document_of(
    trainer: Trainer, event: Event, train: Dataset, source: Source | None = None
) -> Document:
    """The present model as a document.

    event: the last one of its measurement; source: of the rows, if it is to be written down.
    """
    model, counts, feature_map = trainer.model, None, None
    if isinstance(trainer, TreeTrainer):
        feature_map, counts = trainer.feature_map, trainer.counts
        if counts.shape[0] != model.n_leaves or not event.complete:
            counts = None
        else:
            counts = counts if train.n_classes else counts.sum(axis=1)[:, None]
            counts = np.asarray(counts, dtype=np.int64)
    data = data_of(train) | ({} if source is None else {"source": source.as_dict()})
    metrics = figures_of(event)
    return trained_document(
        model, trainer.config, train, data, metrics, counts=counts, feature_map=feature_map
    )


def trained_document(
    model: Model,
    config: RunConfig | None,
    table: Dataset,
    data: Mapping[str, Any],
    metrics: Mapping[str, Any],
    *,
    counts: np.ndarray | None = None,
    feature_map: FeatureMap | None = None,
    start: Mapping[str, Any] | None = None,
    **training: Any,
) -> Document:
    """A model with the names of its training table, and how it was trained."""
    classes = table.class_names
    if classes:
        # A forest has two outputs at least, and a table may know one class alone.
        classes = (*classes, *(f"no class {i}" for i in range(len(classes), model.n_outputs)))
    run: dict[str, Any] = {}
    if config is not None:
        run = {"method": config.method, "settings": config.as_dict(), "seed": config.seed}
        if start is not None:
            del run["settings"]["start"]
            run["start"] = dict(start)
    return Document(
        model,
        table.feature_names,
        class_names=classes,
        output_names=() if classes else (table.target_name,),
        counts=counts,
        feature_map=feature_map,
        columns=table.columns,
        training={
            **run,
            **training,
            "data": dict(data),
            "metrics": dict(metrics),
            "treecore": __version__,
        },
    )


def data_of(table: Dataset) -> dict[str, Any]:
    """What a document tells of the rows that its model was trained on, and how to read them."""
    said = {} if table.reading is None else table.reading.as_dict()
    if left_out := [report.name for report in table.reports if report.why_not]:
        said["left_out"] = left_out
    return {
        "name": table.name,
        "target": table.target_name,
        "fingerprint": print_of(table),
        "n_samples": table.n_samples,
        **said,
    }


def print_of(table: Dataset) -> str:
    """The fingerprint of a table."""
    return fingerprint(table.X, table.y)
