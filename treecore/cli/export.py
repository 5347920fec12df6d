"""``treecore export``: a tree or forest in another format."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import click
from rich.console import Console

from treecore.base.state_file import write_atomically
from treecore.cli.inspect import heading, tree_of_model
from treecore.cli.models import read_model
from treecore.cli.options import check_out
from treecore.cli.paths import MODEL
from treecore.persistence import to_json
from treecore.persistence.document import MAX_DEPTH

KINDS = {".txt": "text", ".json": "json", "": "json"}
"""Formats by the endings of files."""

HELP = """\
Write the tree or forest in MODEL, a JSON file or a run folder, to OUT.

\b
  treecore export runs/iris-tao-1 tree.json          one key a line, to be read
  treecore export tree.json small.json --compact     without spaces
  treecore export tree.json tree.txt                 as `treecore inspect` shows it, whole
"""


@click.command("export", help=HELP)
@click.argument("model", type=MODEL)
@click.argument("out", type=click.Path(dir_okay=False))
@click.option(
    "--format",
    "kind",
    type=click.Choice(("json", "text")),
    help="If not given, by the ending of OUT: .txt is text, .json or none is JSON.",
)
@click.option("--compact", is_flag=True, help="JSON without spaces and line breaks.")
def command(model, out, kind, compact):  # fmt: skip
    kind = kind or KINDS.get(Path(out).suffix.lower())
    if kind is None:
        raise ValueError(
            f"{out}: no format has the ending {Path(out).suffix}: choose .json or .txt, or say "
            "--format"
        )
    check_out(out)
    document = read_model(model)
    if kind == "json":
        content = to_json(document, None if compact else 1)
    else:
        lines = StringIO()
        console = Console(file=lines, width=10_000, highlight=False, markup=False)
        for line in heading(document):
            console.print(line)
        for number in range(document.n_trees):
            if document.kind != "tree":
                console.print(f"tree {number + 1}:")
            console.print(tree_of_model(document, number, MAX_DEPTH, len(document.feature_names)))
        content = "\n".join(line.rstrip() for line in lines.getvalue().splitlines()) + "\n"
    write_atomically(out, content.encode())
