"""``treecore predict``: a tree or forest and a table in, predictions out."""

from __future__ import annotations

import click
import numpy as np
import pandas as pd

from treecore.base.state_file import write_atomically
from treecore.cli.models import read_model
from treecore.cli.options import out_option, source_of, source_options
from treecore.core.routing import predict_values
from treecore.persistence import Document
from treecore.persistence.column_alignment import match
from treecore.persistence.evaluation import mapped_rows, scores

HELP = """\
Predict the rows of DATA by the tree or forest in MODEL, a JSON file or a run folder.

Columns are found by their names; the table may have others, and needs no target. There is one
prediction for every row, in the order of the table.

\b
  treecore predict tree.json new.csv > predictions.csv
  treecore predict runs/iris-tao-1 new.parquet --proba --out predictions.csv
"""


@click.command("predict", help=HELP)
@click.argument("model")
@click.argument("data")
@out_option("Write here, not to the screen.")
@click.option("--proba", is_flag=True, help="The share of each class instead of the class.")
@source_options
def command(model, data, out, proba, **options):
    document = read_model(model)
    rows = match(document, source_of(data, options)).X
    text = predictions(document, rows, proba).to_csv(index=False)
    if out is None:
        click.echo(text, nl=False)
    else:
        write_atomically(out, text.encode())


def predictions(document: Document, X, proba: bool) -> pd.DataFrame:
    """One row of predictions for every row of X.

    Parameters
    ----------
    document : Document
    X : array or sparse table, shape (n_samples, n_features)
        Columns in the order of the model.
    proba : bool
        Shares of the classes in place of the class.

    Raises
    ------
    ValueError
        Where shares are asked of a model that predicts numbers.
    """
    if not document.class_names:
        if proba:
            raise ValueError(
                "this tree predicts numbers, which have no class shares: leave --proba"
            )
        return pd.DataFrame(scores(document, X), columns=list(document.output_names))
    shares = scores(document, X)
    if proba:
        return pd.DataFrame(shares, columns=list(document.class_names))
    if document.kind == "tree":  # by the numbers of the leaf, as the tree decides
        shares = predict_values(document.tree, mapped_rows(document, X))
    names = np.array(document.class_names, dtype=object)
    return pd.DataFrame({"prediction": names[shares.argmax(axis=1)]})
