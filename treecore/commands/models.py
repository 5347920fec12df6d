"""A tree that a command is given: a JSON file, or the folder of a run."""

from __future__ import annotations

from pathlib import Path

from treecore.persistence import TreeDocument, load
from treecore.runs import RunFolder


def read_model(path: str) -> TreeDocument:
    """The tree in a file or a run folder; ValueError, in one sentence, where there is none."""
    if Path(path).is_dir():
        return RunFolder.open(path).read_tree()
    try:
        return load(path)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from error
