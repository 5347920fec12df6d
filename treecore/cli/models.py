"""What a command is given to answer with: a model in a file, or a run's folder."""

from __future__ import annotations

from pathlib import Path

from treecore.export.readers import read_any
from treecore.persistence import Document
from treecore.runs import RunDirectory


def read_model(path: str) -> Document:
    """The tree or forest in a file, of treecore or of others, or in a run folder."""
    if Path(path).is_dir():
        return RunDirectory.open(path).read_model()
    try:
        return read_any(path)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from error
