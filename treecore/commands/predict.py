"""``treecore predict``: a tree and a table in, predictions out."""

from __future__ import annotations

import sys

import click
import numpy as np
import pandas as pd

from treecore.commands.models import read_model
from treecore.commands.options import source_of, source_options
from treecore.matching import match
from treecore.persistence import TreeDocument
from treecore.routing import predict_proba, predict_values

HELP = """\
Predict the rows of DATA by the tree in MODEL, a JSON file or a run folder.

Columns are found by their names; the table may have others, and needs no target.

\b
  treecore predict tree.json new.csv > predictions.csv
  treecore predict runs/iris-tao-1 new.parquet --proba --out predictions.csv
"""


@click.command("predict", help=HELP)
@click.argument("model")
@click.argument("data")
@click.option("--out", "-o", type=click.Path(dir_okay=False), help="Write here, not to the screen.")
@click.option("--proba", is_flag=True, help="The share of each class instead of the class.")
@source_options
def command(model, data, out, proba, **options):
    document = read_model(model)
    rows = match(document, source_of(data, options)).X
    predictions(document, rows, proba).to_csv(out or sys.stdout, index=False)


def predictions(document: TreeDocument, X, proba: bool) -> pd.DataFrame:
    """One row of predictions for every row of X."""
    if document.feature_map is not None:
        X = document.feature_map(X)
    tree = document.tree
    if not document.class_names:
        if proba:
            raise ValueError(
                "this tree predicts numbers, which have no class shares: leave --proba"
            )
        return pd.DataFrame(predict_values(tree, X), columns=list(document.output_names))
    shares = predict_proba(tree, X)
    if proba:
        return pd.DataFrame(shares, columns=list(document.class_names))
    names = np.array(document.class_names, dtype=object)
    return pd.DataFrame({"prediction": names[predict_values(tree, X).argmax(axis=1)]})
