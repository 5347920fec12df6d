"""``treecore sweep``: many runs by one file, on one machine or many."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from treecore.cli.options import facts, screen
from treecore.cli.progress import ProgressReport, elapsed
from treecore.cli.train import ends_on_signals
from treecore.sweeps import Sweep, make_pool, read_spec

SWEEPS = "sweeps"
"""Where sweeps go, unless --out or the variable TREECORE_SWEEPS names another folder."""

HELP = """\
Train many trees as SPEC says, choose one on validation rows, test it once.

\b
A sweep over two methods, in a file sweep.toml:
  [data]
  name = "sklearn:digits"     # a file, or a name as for treecore train
  test = 0.25                 # share of the rows, or another table
  validation = 0.2            # share of the others
  [search]
  kind = "halving"            # or "grid"; "random" or "tpe" with count = 20
  [final]
  seeds = [0, 1, 2, 3, 4]     # runs that see the test rows
  [[methods]]
  method = ["sgd", "stable-sgd"]
  depth = [6, 8]
  nu = [1, 10, 100]

\b
  treecore sweep sweep.toml --workers 2
  treecore sweep sweep.toml --dask tcp://10.0.0.1:8786

The folder holds all runs in study.db, which optuna-dashboard opens, their trees, and the choice.
A sweep that is started again skips what is done; Ctrl-C keeps it.
"""


@click.command("sweep", help=HELP)
@click.argument("spec", type=click.Path(dir_okay=False))
@click.option(
    "--workers",
    "-w",
    type=click.IntRange(1, 4096),
    default=1,
    show_default=True,
    help="Processes on this machine, of one thread each.",
)
@click.option(
    "--dask",
    metavar="ADDRESS",
    help="Run on the Dask cluster of this scheduler.",
)
@click.option(
    "--out",
    "-o",
    type=click.Path(file_okay=False),
    help="The sweep's folder; if not given, ./sweeps/NAME by the name of SPEC.",
)
@click.option("--quiet", "-q", is_flag=True, help="No progress and no summary.")
@click.option("--json", "as_json", is_flag=True, help="The choice as JSON, for scripts.")
def command(spec, workers, dask, out, quiet, as_json):
    console = screen(quiet)
    folder = Path(out) if out else Path(os.environ.get("TREECORE_SWEEPS", SWEEPS)) / Path(spec).stem
    wanted = read_spec(spec)
    with (
        ends_on_signals("interrupted; finished runs are saved: start it again to continue"),
        contextlib.closing(make_pool(workers, dask)) as pool,
        Sweep(wanted, folder, pool) as sweep,
    ):
        _drive(sweep, console)
    _summary(sweep, console)
    if as_json:
        click.echo(json.dumps(vars(sweep.choice)))


def _drive(sweep: Sweep, console: Console) -> None:
    best = None
    with ProgressReport(console) as progress:
        progress.update("Runs")  # how many are done already, nobody knows before
        for step in sweep.run():
            row = step.row
            if row["error"]:
                console.print(f"{row['method']} failed: {row['error']}", style="dim", markup=False)
            score = row.get("validation_accuracy", row.get("validation_r2"))
            if score is not None:
                best = score if best is None else max(best, score)
            figures = f"{elapsed(step.seconds_left)} left"
            if best is not None:
                figures += f"  best {best:.4f} on validation rows"
            stage = "Final runs" if row["stage"] == "final" else "Runs"
            progress.update(stage, step.done, step.total, figures)


def _summary(sweep: Sweep, console: Console) -> None:
    choice = sweep.choice
    assert choice is not None, "the sweep has ended"
    ranking = sweep.ranking()
    varying = _varying([candidate.as_dict() for candidate in sweep.candidates])
    table = Table(*varying, "validation", box=None, title="The best candidates")
    for score, settings in ranking[:8]:
        table.add_row(*(escape(str(settings.get(name, ""))) for name in varying), f"{score:.4f}")
    console.print(table)
    tested = facts("The first of them, tested")
    for name, (mean, deviation) in choice.test.items():
        tested.add_row(name.replace("_", " "), f"{mean:.4f} ± {deviation:.4f}")
    for method, test in choice.others.items():
        for name in ("test_accuracy", "test_r2"):
            if name in test:
                mean, deviation = test[name]
                tested.add_row(f"best of {method}", f"{mean:.4f} ± {deviation:.4f}")
    tested.add_row("runs", str(len(choice.keys)))
    tested.add_row("folder", escape(str(sweep.folder)))
    console.print(tested)
    if choice.n_tested > 1:
        console.print(
            f"[bold]{choice.n_tested} candidates of this method have seen the test rows, more "
            "than the protocol's one: the figures above are a little too good.[/bold]"
        )


def _varying(settings: list[dict[str, Any]]) -> list[str]:
    """Names in which candidates that have them differ, the method first."""
    names = dict.fromkeys(name for candidate in settings for name in candidate)
    differing = [n for n in names if len({json.dumps(one[n]) for one in settings if n in one}) > 1]
    return ["method", *(name for name in differing if name != "method")]
