"""``treecore evaluate``: how good a tree is on a table whose targets are known."""

from __future__ import annotations

import json
from typing import Any

import click
import numpy as np
from rich.console import Console
from rich.table import Table

from treecore.cli.arguments import DATA, MODEL, read_model
from treecore.cli.options import source_of, source_options
from treecore.persistence import Document
from treecore.persistence.column_alignment import match
from treecore.persistence.evaluation import figures_with_unknown

HELP = """\
Measure the tree or forest in MODEL on DATA, whose targets are known.

Rows without a target are left out; a class that the model does not know is a mistake.

\b
  treecore evaluate tree.json test.csv
  treecore evaluate runs/mnist-annealed-1 mnist.npz --part test --json
"""


@click.command("evaluate", help=HELP)
@click.argument("model", type=MODEL)
@click.argument("data", type=DATA)
@click.option("--json", "as_json", is_flag=True, help="Figures as JSON, for scripts.")
@source_options
def command(model, data, as_json, **options):
    document = read_model(model)
    rows = match(document, source_of(data, options), labelled=True)
    if rows.y is None:
        raise ValueError(
            "the table has no column with the tree's target: name it with --target, or use predict"
        )
    for note in rows.notes:
        click.echo(note, err=True)
    figures = measure(document, rows)
    if as_json:
        click.echo(json.dumps(figures))
        return
    table = Table(show_header=False, box=None)
    for name, value in figures.items():
        table.add_row(name, f"{value:.4f}" if isinstance(value, float) else str(value))
    Console().print(table)


def measure(document: Document, rows) -> dict[str, Any]:
    """Figures of a model on rows, by name; an unknown class (-1) is always a mistake."""
    classes, y = bool(document.class_names), rows.y
    if not np.isfinite(y).all():
        raise ValueError("a target of this table is missing or infinite: leave out such rows")
    figures = figures_with_unknown(document, rows.X, y)
    counts = {"rows": len(y)}
    if classes and (y < 0).any():
        counts["rows of unknown classes"] = int((y < 0).sum())
    names = {"active_leaves": "active leaves", "n_trees": "trees"}
    names |= {"loss": "log loss"} if classes else {}
    return counts | {names.get(name, name): value for name, value in figures.items()}
