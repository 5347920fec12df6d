"""What is written of a tree when a run stands still: the tree, how it came about, its figures."""

from __future__ import annotations

import numpy as np

from treecore.datasets import Dataset
from treecore.events import Event
from treecore.persistence import TreeDocument, fingerprint
from treecore.training import Trainer

FIGURES = (
    "done",
    "bound",
    "loss",
    "validation_loss",
    "accuracy",
    "validation_accuracy",
    "r2",
    "validation_r2",
    "active_leaves",
    "n_leaves",
    "seconds",
)
"""What is kept of an event beside a tree."""


def figures_of(event: Event) -> dict:
    """The figures of an event that have a value."""
    return {name: value for name in FIGURES if (value := getattr(event, name)) is not None}


def document_of(trainer: Trainer, event: Event, train: Dataset, source=None) -> TreeDocument:
    """The present tree as a document; ``event`` is the last of its measurement."""
    from treecore import __version__

    config, tree = trainer.config, trainer.tree
    counts = trainer.counts
    if not train.n_classes:
        counts = counts.sum(axis=1)[:, None]
    fits = counts.shape[0] == tree.n_leaves and event.complete
    outputs = {"class_names": train.class_names}
    if not train.n_classes:
        outputs = {"output_names": (train.target_name,)}
    return TreeDocument(
        tree=tree,
        feature_names=train.feature_names,
        counts=np.asarray(counts, dtype=np.int64) if fits else None,
        feature_map=trainer.feature_map,
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
        **outputs,
    )


def print_of(table: Dataset) -> str:
    """The fingerprint of a table; of a sparse one, of the table that its entries would fill."""
    if isinstance(table.X, np.ndarray):
        return fingerprint(table.X, table.y)
    X = table.X.sorted_indices()
    entries = np.column_stack([X.tocoo().row, X.indices]).astype(np.float64)
    return fingerprint(np.column_stack([entries, X.data]), np.append(X.data, table.y))
