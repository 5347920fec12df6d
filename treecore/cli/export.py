"""``treecore export``: a tree or forest in another format."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import numpy as np

from treecore.base.state_file import write_atomically
from treecore.cli.arguments import DATA, MODEL, read_model
from treecore.cli.options import check_out, source_of, source_options
from treecore.cli.predict import predictions
from treecore.data.sources import Source
from treecore.export.check import ask_sqlite, run_program
from treecore.export.formats import FORMATS, ExportFormat
from treecore.export.scores import close_rows
from treecore.learners.hinge.model import HingeForest
from treecore.persistence import Document, to_json
from treecore.persistence.column_alignment import match, open_rows
from treecore.persistence.evaluation import mapped_rows

NAMED = 20
"""Rows that are named at most."""

HELP = """\
Write the tree or forest in MODEL, a file or a run folder, to OUT, or to the screen.

MODEL may be of others too: XGBoost's JSON, LightGBM's text, or a tree ensemble in ONNX.

\b
  treecore export runs/iris-tao-1 tree.json          one key a line, to be read
  treecore export tree.json small.json --compact     without spaces
  treecore export tree.json tree.txt                 as `treecore inspect` shows it, whole
  treecore export tree.json tree.c                   a program; also .py and .js
  treecore export tree.json --to sql                 a query, to the screen
  treecore export xgboost.json tree.json             a model of others as treecore's own
\b
Formats:
"""


def _listed() -> str:
    width = max(map(len, FORMATS))
    return "".join(f"  {f.name:{width}}  {f.sentence} ({f.suffix})\n" for f in FORMATS.values())


@click.command("export", help=HELP + _listed())
@click.argument("model", type=MODEL)
@click.argument("out", type=click.Path(dir_okay=False), required=False)
@click.option(
    "--to",
    "--format",
    "name",
    type=click.Choice(tuple(FORMATS)),
    help="If not given, by the ending of OUT; JSON where there is none.",
)
@click.option("--compact", is_flag=True, help="JSON without spaces and line breaks.")
@click.option(
    "--check",
    "checked",
    metavar="DATA",
    type=DATA,
    help="Run the program or query on this table, and fail where it differs from `treecore "
    "predict`. SQL runs in SQLite, on the table as it is.",
)
@source_options
def command(model, out, name, compact, checked, **options):
    form = _chosen(out, name)
    if out is not None:
        check_out(out)
    elif form.binary and sys.stdout.isatty():
        raise ValueError(f"{form.title} is not text for a screen: name a file to write to")
    document = read_model(model)
    if compact and form.name != "json":
        raise ValueError(f"--compact is for JSON, not for {form.title}: leave it")
    content = to_json(document).encode() if compact else form.write(document)
    if checked is not None:
        _check(document, form, content, source_of(checked, options))
    if out is not None:
        write_atomically(out, content)
    else:
        click.echo(content, nl=False)


def _check(document: Document, form: ExportFormat, content: bytes, source: Source) -> None:
    """Run what was written on a table; ValueError where it answers rows otherwise.

    Rows within rounding of an oblique split are only told on standard error.
    """
    if not form.is_program:
        raise ValueError(f"{form.title} cannot be run: leave out --check")
    rows = match(document, source)
    for note in rows.notes:
        click.echo(note, err=True)
    X = rows.X
    if form.name == "sql":
        said = ask_sqlite(document, content, open_rows(document, source), X)
    else:
        said = run_program(form, document, content, X)
    wanted, off = predictions(document, X, proba=False).iloc[:, 0].to_numpy(), np.zeros(len(X))
    if document.class_names:
        differ = np.array([str(a) != str(b) for a, b in zip(said, wanted, strict=True)])
    else:
        wanted = wanted.astype(np.float64)
        spread = np.ptp(wanted) or np.abs(wanted).max()
        off = np.abs(np.array(said, dtype=np.float64) - wanted)
        differ = ~(off <= 1e-4 * spread + 1e-12 * np.abs(wanted))
    close = np.zeros(len(X), dtype=bool)
    if not form.exact and not isinstance(document.model, HingeForest):
        close = close_rows(document.model, mapped_rows(document, X))
    wrong = differ & ~close
    if wrong.any():
        raise ValueError(
            f"check: {form.title} answers {wrong.sum()} of {len(X)} rows differently from "
            f"treecore predict: {_named_rows(wrong)}"
        )
    text = f"check: {form.title} was run on {len(X)} rows, and predicts like treecore predict"
    if (largest := off[~close].max(initial=0.0)) > 0:
        text += f", to within {largest:.1g}"
    if close.any():
        text += (
            f"; {close.sum()} of {len(X)} rows lie within rounding of an oblique split, where it "
            f"may decide otherwise: {_named_rows(close)}"
        )
    click.echo(text, err=True)


def _named_rows(chosen: np.ndarray) -> str:
    """The numbers of the first rows, and how many more there are."""
    numbers = (np.flatnonzero(chosen) + 1).tolist()
    more = f" and {len(numbers) - NAMED} more" if len(numbers) > NAMED else ""
    return f"rows {', '.join(map(str, numbers[:NAMED]))}{more}"


def _chosen(out: str | None, name: str | None) -> ExportFormat:
    """The format of a name, or of the ending of a file."""
    if name is not None:
        return FORMATS[name]
    ending = Path(out).suffix.lower() if out is not None else ""
    for form in FORMATS.values():
        if form.suffix == (ending or ".json"):
            return form
    endings = ", ".join(form.suffix for form in FORMATS.values())
    raise ValueError(f"{out}: no format has the ending {ending}: choose {endings}, or say --to")
