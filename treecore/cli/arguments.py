"""What commands are given: models in files or run folders, and tables, which a shell completes."""

from __future__ import annotations

from pathlib import Path

import click
from click.shell_completion import CompletionItem

from treecore.export.readers import read_any
from treecore.persistence import Document
from treecore.runs import RunDirectory

MODEL = click.Path()
"""A file of a model, or a run's folder."""


def read_model(path: str) -> Document:
    """The tree or forest in a file, of treecore or of others, or in a run folder."""
    if Path(path).is_dir():
        return RunDirectory.open(path).read_model()
    try:
        return read_any(path)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from error


def complete_table(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """What a shell offers for a table: files, and the names of tables that need none; see click."""
    from treecore.data.generators import GENERATORS
    from treecore.data.sources import SKLEARN

    names = [f"sample:{name}" for name in GENERATORS] + [f"sklearn:{name}" for name in SKLEARN]
    matching = [CompletionItem(name) for name in names if name.startswith(incomplete)]
    return [*matching, CompletionItem(incomplete, type="file")]
