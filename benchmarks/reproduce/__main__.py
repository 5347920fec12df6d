"""``treecore reproduce``: a paper's figure, ours over the published values."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from treecore.commands.options import screen
from benchmarks.reproduce import FIGURES, Papers, Reproduction, find_figure
from treecore.runs import runs_root

HELP = """\
Measure a figure of a paper again and draw ours over the published values.

\b
  treecore reproduce figure4 --quick --data FOLDER
  treecore reproduce figure2 --only protein --libsvm protein=protein,protein.val,protein.t

The folder of the result has the figure (figure.png, and index.html with the table and how it was
made), the table (CSV, Markdown, JSON) and every finished point: the same command goes on with what
is missing after an interruption, and only draws where nothing is.

\b
Figures:
"""


@click.command(
    "reproduce", help=HELP + "".join(f"  {f.name:13} {f.title}\n" for f in FIGURES.values())
)
@click.argument("figure", type=click.Choice(list(FIGURES)), metavar="FIGURE")
@click.option("--quick", is_flag=True, help="Samples of the rows and fewer points: minutes.")
@click.option(
    "--data",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    help="Where the papers' datasets are (mnist.npz, connect4.npz, ...); if not given, the "
    "folder that the variable TREECORE_DATA names.",
)
@click.option(
    "--libsvm",
    multiple=True,
    metavar="NAME=TRAIN,...,TEST",
    help="Read a dataset (sensit, protein, ...) from files in LIBSVM's format; the last has the "
    "test rows. May be given several times.",
)
@click.option("--only", multiple=True, metavar="DATASET", help="Make it on this dataset only.")
@click.option("--depth", "depths", multiple=True, type=click.IntRange(1, 20), help="Only these.")
@click.option(
    "--out",
    "-o",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    help="Folder of the result; if not given, one in ./runs that is named after the figure.",
)
@click.option("--so-far", is_flag=True, help="Measure nothing, draw the points that are there.")
@click.option("--quiet", "-q", is_flag=True, help="No progress and no table.")
def command(figure, quick, data, libsvm, only, depths, out, so_far, quiet):
    console = screen(quiet)
    path = Path(out) if out else runs_root() / (f"{figure}-quick" if quick else figure)
    work = Reproduction(
        find_figure(figure),
        path,
        Papers(data, dict(map(_named, libsvm))),
        quick=quick,
        datasets=only,
        depths=depths,
        command=_words(figure, quick, libsvm, only, depths),
    )
    for sentence in work.absent:
        console.print(sentence, style="dim", highlight=False, markup=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
               TimeElapsedColumn())  # fmt: skip
    try:
        with Progress(*columns, console=console, transient=True) as progress:
            bar = progress.add_task("", total=None)
            for now in () if so_far else work.run():
                progress.update(bar, description=now.text, completed=now.done, total=now.total)
    except KeyboardInterrupt:
        click.echo("interrupted; the same command goes on with the next point", err=True)
        sys.exit(130)
    if so_far:
        work.draw()
    if not quiet:
        click.echo((path / "table.md").read_text(encoding="utf-8"), nl=False)
    console.print(str(path / "index.html"), highlight=False, markup=False)


def _named(given: str) -> tuple[str, list[str]]:
    name, _, paths = given.partition("=")
    if not name or not paths:
        raise click.UsageError(f"--libsvm {given}: write it as NAME=TRAIN,TEST")
    return name, paths.split(",")


def _words(figure, quick, libsvm, only, depths) -> str:
    """The command that gives the same figure elsewhere; folders are everybody's own."""
    words = ["treecore", "reproduce", figure]
    words += ["--quick"] * quick
    words += [f"--only={name}" for name in only]
    words += [f"--depth={depth}" for depth in depths]
    words += [
        f"--libsvm={name}={','.join(Path(path).name for path in paths)}"
        for name, paths in map(_named, libsvm)
    ]
    return shlex.join(words)
