"""``treecore results``: the page of all reproduced figures."""

from __future__ import annotations

import click

from treecore.figures.results import write_results
from treecore.runs import runs_root

HELP = """\
Write one page, with pictures, of all figures that have been reproduced.

\b
  treecore reproduce figure3
  treecore reproduce figure4
  treecore results runs --out docs/results.md

FOLDER is where treecore reproduce has left its folders, ./runs if not given. Where it holds a
figure both quick and full, the full one is taken.
"""


@click.command("results", help=HELP)
@click.argument("folder", required=False, type=click.Path(file_okay=False))
@click.option(
    "--out",
    "-o",
    type=click.Path(dir_okay=False),
    default="docs/results.md",
    show_default=True,
    help="The page; pictures go beside it.",
)
def command(folder, out):
    for path in write_results(folder or runs_root(), out):
        click.echo(path)
