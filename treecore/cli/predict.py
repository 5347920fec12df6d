"""``treecore predict``: a tree or forest and a table in, predictions out."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import click
import numpy as np
import pandas as pd
import pyarrow as pa

from treecore.base.state_file import write_atomically
from treecore.cli.models import read_model
from treecore.cli.options import check_out, source_of, source_options
from treecore.cli.paths import MODEL, complete_table
from treecore.core.routing import predict_values
from treecore.data.readers.table import listed, quoted
from treecore.data.sources import Source, open_table
from treecore.persistence import Document
from treecore.persistence.column_alignment import match
from treecore.persistence.evaluation import mapped_rows, scores

HELP = """\
Predict the rows of DATA by the tree or forest in MODEL, a JSON file or a run folder.

Columns are found by their names; the table may have others, and needs no target. There is one
prediction for every row, in the order of the table.

\b
  treecore predict tree.json new.csv > predictions.csv
  treecore predict runs/iris-tao-1 new.parquet --proba --out predictions.parquet
  treecore predict tree.json new.csv --keep id --keep date
"""

FORMATS = {".parquet": "parquet", ".csv": "csv", ".txt": "csv", "": "csv"}
"""What is written, by the ending of the file."""


def _check_format(context: click.Context, parameter: click.Parameter, path: str | None):
    if path is None:
        return None
    if (ending := Path(path).suffix.lower()) not in FORMATS:
        raise ValueError(
            f"predictions are not written as {ending}: let {path} end in .csv or .parquet"
        )
    return check_out(path)


@click.command("predict", help=HELP)
@click.argument("model", type=MODEL)
@click.argument("data", shell_complete=complete_table)
@click.option(
    "--out",
    "-o",
    type=click.Path(dir_okay=False),
    callback=_check_format,
    help="Write here, not to the screen; Parquet where it ends in .parquet, else CSV.",
)
@click.option("--proba", is_flag=True, help="The share of each class instead of the class.")
@click.option(
    "--keep",
    metavar="COLUMN",
    multiple=True,
    help="Write this column of DATA beside the predictions; may be given several times.",
)
@source_options
def command(model, data, out, proba, keep, **options):
    document, source = read_model(model), source_of(data, options)
    kept = columns_of(source, keep) if keep else {}
    rows = match(document, source)
    for note in rows.notes:
        click.echo(note, err=True)
    answers = predictions(document, rows.X, proba)
    if twice := [name for name in kept if name in answers]:
        raise ValueError(f"the predictions have a column {quoted(twice[0])} too: do not keep it")
    table = pd.concat([pd.DataFrame(kept, index=answers.index), answers], axis=1)
    if out is None:
        click.echo(table.to_csv(index=False), nl=False)
    elif FORMATS[Path(out).suffix.lower()] == "csv":
        write_atomically(out, table.to_csv(index=False).encode())
    else:
        buffer = BytesIO()
        table.to_parquet(buffer, index=False)
        write_atomically(out, buffer.getvalue())


def columns_of(source: Source, names: Sequence[str]) -> dict[str, pd.Series]:
    """Columns of a table as they are in it: of a text file, the very text.

    Parameters
    ----------
    source : Source
    names : sequence of str

    Raises
    ------
    ValueError
        In one sentence, where there is no such column.
    """
    table = open_table(source, to_learn=False)
    if table is None:
        raise ValueError(f"{source.name} has no columns to keep: leave --keep")
    for name in names:
        if name not in table.columns:
            raise ValueError(
                f"there is no column {quoted(name)} to keep: choose one of "
                f"{listed(table.columns, 20)}"
            )
    wanted = list(dict.fromkeys(names))
    whole = pa.Table.from_batches(table.batches(wanted, set(wanted)))
    return {name: whole.column(name).to_pandas(integer_object_nulls=True) for name in wanted}


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
