"""What commands are given: models in files or run folders, and tables."""

from __future__ import annotations

from pathlib import Path

import click

from treecore.export.readers import read_any
from treecore.persistence import Document
from treecore.runs import RunDirectory

MODEL = click.Path()
"""A file of a model, or a run's folder."""

DATA = click.Path(readable=False)
"""A file of a table, or a name such as sample:spirals."""


def read_model(path: str) -> Document:
    """The tree or forest in a file, of treecore or of others, or in a run folder."""
    if Path(path).is_dir():
        return RunDirectory.open(path).read_model()
    try:
        return read_any(path)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from error
