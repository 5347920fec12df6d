"""``treecore export``: a tree or forest in another format."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from treecore.base.state_file import write_atomically
from treecore.cli.models import read_model
from treecore.cli.options import check_out
from treecore.cli.paths import MODEL
from treecore.export.formats import FORMATS, ExportFormat
from treecore.persistence import to_json

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
    "--complete-rows",
    is_flag=True,
    help="Of a model of others: rows have no missing values, wherever it sends them.",
)
def command(model, out, name, compact, complete_rows):
    form = _chosen(out, name)
    if out is not None:
        check_out(out)
    elif form.binary and sys.stdout.isatty():
        raise ValueError(f"{form.title} is no text for a screen: name a file that is to be written")
    document = read_model(model, complete_rows)
    if compact and form.name != "json":
        raise ValueError(f"--compact is for JSON, not for {form.title}: leave it")
    content = to_json(document).encode() if compact else form.write(document)
    if out is not None:
        write_atomically(out, content)
    else:
        click.echo(content, nl=False)


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
