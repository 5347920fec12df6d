"""Arguments that a shell completes: files, run folders, and tables that have a name."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

MODEL = click.Path()
"""A file of a model, or a run's folder."""


def complete_table(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """What a shell offers for a table: files, and the names of tables that need none; see click."""
    from treecore.data.generators import GENERATORS
    from treecore.data.sources import SKLEARN

    names = [f"sample:{name}" for name in GENERATORS] + [f"sklearn:{name}" for name in SKLEARN]
    matching = [CompletionItem(name) for name in names if name.startswith(incomplete)]
    return [*matching, CompletionItem(incomplete, type="file")]
