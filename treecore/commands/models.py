"""What a command is given to answer with: a tree or a forest in a JSON file, or a run's folder."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from treecore.matching import Document
from treecore.persistence import ForestDocument, TreeDocument, forest_from_json, from_json
from treecore.persistence.envelope import read_file
from treecore.persistence.forest import HEADER as FOREST
from treecore.persistence.hinge import HEADER as HINGE
from treecore.persistence.hinge import hinge_from_json
from treecore.routing import predict_proba, predict_values
from treecore.runs import RunFolder

_FORMAT = re.compile(rb'"format"\s*:\s*"([^"]*)"')


def read_model(path: str) -> Document:
    """The tree or forest in a file or a run folder.

    Raises
    ------
    ValueError
        In one sentence, where there is none.
    """
    if Path(path).is_dir():
        return RunFolder.open(path).read_tree()
    try:
        return read_file(path, _any)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from error


def _any(text: bytes) -> Document:
    """What a file of any of the formats holds."""
    told = _FORMAT.search(text)
    read = {FOREST.format.encode(): forest_from_json, HINGE.format.encode(): hinge_from_json}
    return read.get(told and told[1], from_json)(text)


def answers(document: Document, X) -> np.ndarray:
    """What a model says of every row, (n_samples, n_outputs): shares of the classes, or numbers."""
    if isinstance(document, TreeDocument):
        X = X if document.feature_map is None else document.feature_map(X)
        return (predict_proba if document.class_names else predict_values)(document.tree, X)
    if isinstance(document, ForestDocument):
        return document.forest.scores(X)
    X = X if isinstance(X, np.ndarray) else X.toarray()
    return (document.forest.predict_proba if document.class_names else document.forest.decision)(X)
