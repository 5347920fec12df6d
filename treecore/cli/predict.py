"""``treecore predict``: a tree or forest and a table in, predictions out."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click
import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow.parquet import ParquetWriter

from treecore.base.limits import STREAMS
from treecore.base.state_file import writing_atomically
from treecore.cli.arguments import DATA, MODEL, read_model
from treecore.cli.options import check_out, source_of, source_options
from treecore.core.routing import predict_values
from treecore.data.readers.table import Table, listed, quoted
from treecore.persistence import Document
from treecore.persistence.column_alignment import AlignedTable, match, open_rows
from treecore.persistence.evaluation import mapped_rows, scores

HELP = """\
Predict the rows of DATA by the tree or forest in MODEL, a JSON file or a run folder.

Columns are found by their names; the table may have others, and needs no target. There is one
prediction for every row, in the order of the table. Rows are read and answered in pieces, so that
DATA may be larger than memory; - stands for standard input.

\b
  treecore predict tree.json new.csv > predictions.csv
  treecore predict runs/iris-tao-1 new.parquet --proba --out predictions.parquet
  treecore predict tree.json new.csv --keep id --keep date
  zcat new.csv.gz | treecore predict tree.json - > predictions.csv
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
@click.argument("data", type=DATA)
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
    table = open_rows(document, source, STREAMS)
    if table is None:
        if keep:
            raise ValueError(f"{source.name} has no columns to keep: leave --keep")
        rows = match(document, source)
        answers = predictions(document, rows.X, proba)
        _write([pa.Table.from_pandas(answers, preserve_index=False)], out)
        for note in rows.notes:
            click.echo(note, err=True)
        return
    aligned = AlignedTable(document, source, table)
    keep = _kept(table, keep, document, proba)
    _write(_answers(document, aligned, table, keep, proba), out)
    for note in aligned.notes:
        click.echo(note, err=True)


def _kept(table: Table, names: Sequence[str], document: Document, proba: bool) -> list[str]:
    """The columns that stand beside the predictions, each once; refused where they cannot."""
    for name in names:
        if name not in table.columns:
            raise ValueError(
                f"there is no column {quoted(name)} to keep: choose one of "
                f"{listed(table.columns, 20)}"
            )
    answers = ("prediction",) if document.class_names else document.output_names
    for name in document.class_names if proba else answers:
        if name in names:
            raise ValueError(f"the predictions have a column {quoted(name)} too: do not keep it")
    return list(dict.fromkeys(names))


def _answers(
    document: Document, aligned: AlignedTable, table: Table, keep: list[str], proba: bool
) -> Iterator[pa.Table]:
    """Blocks of predictions, beside columns as they are in the table: of text, the very text."""
    pending = pa.table({})
    batches = table.batches(keep, set(keep)) if keep else iter(())
    for X, _, _ in aligned.blocks():
        answers = pa.Table.from_pandas(predictions(document, X, proba), preserve_index=False)
        while keep and pending.num_rows < len(X):  # blocks of few columns have more rows
            more = pa.Table.from_batches([next(batches)])
            pending = pa.concat_tables([pending, more]) if pending.num_rows else more
        for place, name in enumerate(keep):
            answers = answers.add_column(place, name, pending.column(name).slice(0, len(X)))
        pending = pending.slice(len(X))
        yield answers


def _write(blocks: Iterable[pa.Table], out: str | None) -> None:
    """Write blocks as they come: to the screen, or to a file that is whole or is not there."""
    if out is None:
        for number, block in enumerate(blocks):
            click.echo(_as_csv(block, number == 0), nl=False)
        return
    with writing_atomically(out) as file:
        if FORMATS[Path(out).suffix.lower()] == "csv":
            for number, block in enumerate(blocks):
                file.write(_as_csv(block, number == 0).encode())
            return
        with contextlib.ExitStack() as stack:
            writer = None
            for block in blocks:
                block = block.replace_schema_metadata(None)
                if writer is None:
                    writer = stack.enter_context(ParquetWriter(file, block.schema))
                writer.write_table(block)


def _as_csv(block: pa.Table, header: bool) -> str:
    return block.to_pandas(integer_object_nulls=True).to_csv(index=False, header=header)


def predictions(document: Document, X, proba: bool) -> pd.DataFrame:
    """One row of predictions, or shares of the classes, for every row of X (n_samples, p)."""
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
