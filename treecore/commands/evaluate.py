"""``treecore evaluate``: how good a tree is on a table whose targets are known."""

from __future__ import annotations

import json

import click
import numpy as np
from rich.console import Console
from rich.table import Table

from treecore.commands.models import answers, read_model
from treecore.commands.options import source_of, source_options
from treecore.losses import LOSSES
from treecore.matching import Document, match
from treecore.metrics import evaluate
from treecore.persistence import TreeDocument

HELP = """\
Measure the tree or forest in MODEL on DATA, whose targets are known.

Rows without a target are left out; a class that the model does not know is a mistake.

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
    rows = match(document, source_of(data, options), labelled=True)
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


def measure(document: Document, rows) -> dict:
    """Figures of a model on rows; a class that it does not know is always a mistake."""
    classes = bool(document.class_names)
    known = rows.y >= 0 if classes else np.ones(len(rows.y), dtype=bool)
    if not known.any():
        raise ValueError(
            "none of the classes of this table is one of the tree's: "
            + ", ".join(document.class_names[:6])
        )
    if not np.isfinite(rows.y[known]).all():
        raise ValueError("a target of this table is missing or infinite: leave out such rows")
    figures = _of_tree if isinstance(document, TreeDocument) else _of_forest
    found = figures(document, rows.X[known], rows.y[known])
    told = {"rows": len(rows.y)}
    if classes:
        found["accuracy"] *= float(known.mean())
        if not known.all():
            told["rows of unknown classes"] = int((~known).sum())
    return told | found


def _of_tree(document: TreeDocument, X, y) -> dict:
    X = X if document.feature_map is None else document.feature_map(X)
    classes = bool(document.class_names)
    used = document.training.get("settings", {}).get("loss", "log" if classes else "squared")
    loss = LOSSES[used if used in LOSSES else ("log" if classes else "squared")]
    y = y if classes else y.astype(np.float32)[:, None]
    figures = evaluate(document.tree, X, y, loss=loss)
    if classes:
        found = {"accuracy": float(figures.accuracy), "log loss": float(figures.loss)}
    else:
        found = {"r2": float(figures.r2), "loss": float(figures.loss)}
    return found | {"active leaves": int(figures.active_leaves)}


def _of_forest(document: Document, X, y) -> dict:
    said, trees = answers(document, X), {"trees": document.forest.n_trees}
    if document.class_names:
        share = said[np.arange(len(y)), y]
        # No share is none: a forest that counts votes may give a class nothing at all.
        loss = -np.log(np.maximum(share, np.finfo(np.float64).eps)).mean()
        return {
            "accuracy": float((said.argmax(axis=1) == y).mean()),
            "log loss": float(loss),
        } | trees
    if said.shape[1] != 1:
        raise ValueError("this forest predicts several numbers, and a table has one target here")
    square, spread = ((said[:, 0] - y) ** 2).sum(), ((y - y.mean()) ** 2).sum()
    r2 = 1 - square / spread if spread > 0 else float(square <= 1e-12)
    return {"r2": float(r2), "loss": float(square / len(y))} | trees
