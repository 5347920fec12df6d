"""``treecore evaluate``: how good a tree is on a table whose targets are known."""

from __future__ import annotations

import json

import click
import numpy as np
from rich.console import Console
from rich.table import Table

from treecore.commands.models import read_model
from treecore.commands.options import source_of, source_options
from treecore.losses import LOSSES
from treecore.matching import match
from treecore.metrics import evaluate

HELP = """\
Measure the tree in MODEL on DATA, whose targets are known.

\b
  treecore evaluate tree.json test.csv
  treecore evaluate runs/mnist-annealed-1 mnist.npz --part test --json
"""


@click.command("evaluate", help=HELP)
@click.argument("model")
@click.argument("data")
@click.option("--json", "as_json", is_flag=True, help="Figures as JSON, for scripts.")
@source_options
def command(model, data, as_json, **options):
    document = read_model(model)
    rows = match(document, source_of(data, options))
    if rows.y is None:
        raise ValueError(
            "the table has no column with the tree's target: name it with --target, or use predict"
        )
    found = measure(document, rows)
    if as_json:
        click.echo(json.dumps(found))
        return
    table = Table(show_header=False, box=None)
    for name, value in found.items():
        table.add_row(name, f"{value:.4f}" if isinstance(value, float) else str(value))
    Console().print(table)


def measure(document, rows) -> dict:
    """Figures of a tree on rows; a class that it does not know is always a mistake."""
    X = rows.X if document.feature_map is None else document.feature_map(rows.X)
    classes = bool(document.class_names)
    known = rows.y >= 0 if classes else np.ones(len(rows.y), dtype=bool)
    if not known.any():
        raise ValueError(
            "none of the classes of this table is one of the tree's: "
            + ", ".join(document.class_names[:6])
        )
    used = document.training.get("settings", {}).get("loss", "log" if classes else "squared")
    loss = LOSSES[used if used in LOSSES else ("log" if classes else "squared")]
    y = rows.y[known] if classes else rows.y[known].astype(np.float32)[:, None]
    figures = evaluate(document.tree, X[known], y, loss=loss)
    found = {"rows": len(rows.y)}
    if classes:
        found["accuracy"] = float(figures.accuracy * known.mean())
        found["log loss"] = float(figures.loss)
        if not known.all():
            found["rows of unknown classes"] = int((~known).sum())
    else:
        found["r2"] = float(figures.r2)
        found["loss"] = float(figures.loss)
    return found | {"active leaves": int(figures.active_leaves)}
