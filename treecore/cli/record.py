"""``treecore record``: runs as one page that needs neither a server nor a network."""

from __future__ import annotations

import click

from treecore.cli.options import check_out
from treecore.runs import look_into
from treecore.runs.pages import save_page

HELP = """\
Write the run in FOLDER as one HTML file: map, curves and tree of every moment, to be played and
looked into. A second FOLDER stands beside it, and both go along.

\b
  treecore record runs/spirals-annealed-1
  treecore record runs/iris-tao-1 runs/iris-axis-1 --out iris.html

The run is learnt once more for it, tree for tree the same; its folder is left as it is.
"""


@click.command("record", help=HELP)
@click.argument("folders", type=click.Path(), nargs=-1, required=True, metavar="FOLDER...")
@click.option(
    "--out",
    "-o",
    type=click.Path(dir_okay=False),
    help="The file; if not given, the name of the first run, with .html, here.",
)
@click.option(
    "--live",
    is_flag=True,
    help="The page trains, from the same start; readers can change its settings.",
)
def command(folders, out, live):
    if len(folders) > 2:
        raise ValueError("a page shows 2 runs at most: name no more folders")
    sessions = [look_into(folder, replay=True) for folder in folders]
    out = out or f"{sessions[0].folder.path.resolve().name}.html"
    check_out(out)
    size = save_page(out, sessions, live)
    click.echo(f"{out}: {size / 1e6:.1f} MB")
