"""What a command is given to answer with: a tree or a forest in a JSON file, or a run's folder."""

from __future__ import annotations

from pathlib import Path

from treecore.persistence import Document, load
from treecore.runs import RunDirectory


def read_model(path: str) -> Document:
    """The tree or forest in a file or a run folder.

    Raises
    ------
    ValueError
        In one sentence, where there is none.
    """
    if Path(path).is_dir():
        return RunDirectory.open(path).read_model()
    try:
        return load(path)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from error
