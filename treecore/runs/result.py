"""The model of a run as a document: with its training settings, its data and its figures."""

from __future__ import annotations

import numpy as np

from treecore._version import __version__
from treecore.data.dataset import Dataset
from treecore.persistence import fingerprint
from treecore.persistence.models import Document, make_document
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


def figures_of(event: Event) -> dict:
    """The figures of an event that have a value."""
    return {name: value for name in FIGURES if (value := getattr(event, name)) is not None}


def document_of(trainer: Trainer, event: Event, train: Dataset, source=None) -> Document:
    """The present model as a document.

    Parameters
    ----------
    trainer : Trainer
    event : Event
        Of its last measurement.
    train : Dataset
        The table that the rows come from, which gives the names.
    source : Source or None
        Where that table is.
    """
    config, model, tree_parts = trainer.config, trainer.model, {}
    if isinstance(trainer, TreeTrainer):
        counts = trainer.counts if train.n_classes else trainer.counts.sum(axis=1)[:, None]
        fits = counts.shape[0] == model.n_leaves and event.complete
        tree_parts = {
            "counts": np.asarray(counts, dtype=np.int64) if fits else None,
            "feature_map": trainer.feature_map,
        }
    outputs = {"class_names": train.class_names}
    if not train.n_classes:
        outputs = {"output_names": (train.target_name,)}
    return make_document(
        model,
        feature_names=train.feature_names,
        training={
            "method": config.method,
            "settings": config.as_dict(),
            "seed": config.seed,
            "data": {
                "name": train.name,
                "target": train.target_name,
                "fingerprint": print_of(train),
                "n_samples": train.n_samples,
            }
            | ({} if source is None else {"source": source.as_dict()}),
            "metrics": figures_of(event),
            "treecore": __version__,
        },
        **tree_parts,
        **outputs,
    )


def print_of(table: Dataset) -> str:
    """The fingerprint of a table; of a sparse one, that of its entries and their places."""
    if isinstance(table.X, np.ndarray):
        return fingerprint(table.X, table.y)
    X = table.X.sorted_indices()
    entries = np.column_stack([X.tocoo().row, X.indices]).astype(np.float64)
    return fingerprint(np.column_stack([entries, X.data]), np.append(X.data, table.y))
