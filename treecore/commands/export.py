"""``treecore export``: a tree in another format."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import click
from rich.console import Console

from treecore.checkpoints import write_whole
from treecore.commands.inspect import as_branch, heading
from treecore.commands.models import read_model
from treecore.persistence import to_json
from treecore.tree import tree_depth

HELP = """\
Write the tree in MODEL, a JSON file or a run folder, to OUT.

\b
  treecore export runs/iris-tao-1 tree.json          one key a line, to be read
  treecore export tree.json small.json --compact     without spaces
  treecore export tree.json tree.txt                 as `treecore inspect` shows it, whole
"""


@click.command("export", help=HELP)
@click.argument("model")
@click.argument("out", type=click.Path(dir_okay=False))
@click.option(
    "--format",
    "kind",
    type=click.Choice(("json", "text")),
    help="If not given, by the ending of OUT: .txt is text, all else JSON.",
)
@click.option("--compact", is_flag=True, help="JSON without spaces and line breaks.")
def command(model, out, kind, compact):  # fmt: skip
    document = read_model(model)
    if (kind or ("text" if Path(out).suffix == ".txt" else "json")) == "json":
        content = to_json(document, indent=None if compact else 1)
    else:
        console = Console(file=StringIO(), width=10_000, highlight=False)
        for line in heading(document):
            console.print(line)
        console.print(as_branch(document, tree_depth(document.tree), document.tree.n_features))
        content = "\n".join(line.rstrip() for line in console.file.getvalue().splitlines()) + "\n"
    write_whole(out, content.encode())
