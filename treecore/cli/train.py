"""``treecore train``: a table in, a run folder and a tree or forest out."""

from __future__ import annotations

import contextlib
import dataclasses
import shlex
import signal
import sys
from collections.abc import Mapping
from typing import Any

import click
from click.core import ParameterSource
from rich.console import Console
from rich.markup import escape

from treecore.base.state_file import write_atomically
from treecore.cli.arguments import DATA
from treecore.cli.choosing import AUTO, check_left_open, choose, show_decision
from treecore.cli.described import describe_table
from treecore.cli.options import (
    GroupedCommand,
    Number,
    drop_options,
    facts,
    loss_for,
    option_of,
    out_option,
    screen,
    setting_options,
    settings_of,
    source_of,
    source_options,
)
from treecore.cli.progress import ProgressReport
from treecore.data.feature_maps import KERNELS
from treecore.data.readers.settings import Kind
from treecore.data.sources import read_parts
from treecore.losses import LOSSES, find_loss
from treecore.persistence import to_json
from treecore.runs import RunDirectory, begin, go_on, resume
from treecore.runs.driver import EVERY, RunSession
from treecore.runs.run_directory import new_run_path
from treecore.training.config import ALL_WORDS, CLASS_WEIGHTS, RunConfig, kept_settings
from treecore.training.registry import BASES, METHODS
from treecore.training.warmup import warm_up

HELP = """\
Learn a tree or forest from DATA, a file or a name such as sample:spirals.

\b
  treecore train iris.csv --target species --method tao --depth 4 --out tree.json
  treecore train sklearn:digits --method annealed --depth 8
  treecore train --resume runs/iris-tao-1
  treecore train sklearn:digits --method samme --base tao --n-trees 30 --depth 6
  treecore train iris.csv --method auto --out tree.json

Every run has a folder with its settings, events, checkpoints and model; a run that was
interrupted goes on from it and ends with the very model of one that was not. Only auto has
none: it measures several trees on parts of the training rows that they have not learnt from, and
writes the one it has chosen.

\b
Methods (treecore methods NAME explains one of them with its settings alone):
"""


def _known_loss(context: click.Context, option: click.Parameter, name: str | None) -> str | None:
    try:
        return None if name is None else find_loss(name).name
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def _gamma(context: click.Context, option: click.Parameter, value: str) -> float | str:
    try:
        return value if value == "scale" else float(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} must be a positive number, or scale") from None


def _categories(context: click.Context, option: click.Parameter, values: tuple[str, ...]):
    """Names of columns, or "auto", or None where nothing is said."""
    names = tuple(sorted({name.strip() for value in values for name in value.split(",")}))
    if "" in names or (ALL_WORDS in names and len(names) > 1):
        raise click.BadParameter(f"{','.join(values)!r} must be names of columns, or only auto")
    return ALL_WORDS if names == (ALL_WORDS,) else names or None


def _as_words(categorical: str | tuple[str, ...] | None, kinds: dict[str, Kind]) -> dict[str, Kind]:
    """Kinds of columns with those of categories as words; click.UsageError for two kinds."""
    names = () if categorical in (None, ALL_WORDS) else categorical
    for name in names:
        if kinds.get(name, "words") != "words":
            raise click.UsageError(
                f"--categorical {name} reads words, and --column {name}={kinds[name]} something "
                "else: leave one of them"
            )
    return {**kinds, **dict.fromkeys(names, "words")}


@click.command(
    "train",
    cls=GroupedCommand,
    help=HELP
    + f"  {AUTO:17}The best of several, by validation rows\n"
    + "".join(f"  {m.name:17}{m.title}\n" for m in METHODS.values()),
)
@click.argument("data", required=False, type=DATA)
@click.option(
    "--method",
    "-m",
    type=click.Choice([AUTO, *METHODS]),
    default="annealed",
    show_default=True,
    help="How the model is learnt.",
)
@click.option(
    "--base",
    type=click.Choice(BASES),
    help="The method that grows the trees of an ensemble; their settings follow its own.",
)
@out_option("Write the tree or forest here as well, as JSON.")
@click.option(
    "--run",
    "run_path",
    type=click.Path(),
    metavar="FOLDER",
    help="The run's folder; if not given, a new one in ./runs.",
)
@click.option(
    "--resume",
    "resumed",
    type=click.Path(),
    metavar="FOLDER",
    help="Continue the run in this folder; give DATA only if its table has moved.",
)
@click.option(
    "--every",
    type=Number(min=0),
    default=EVERY,
    show_default=True,
    help="Seconds between checkpoints.",
)
@click.option(
    "--validation",
    type=Number(0, 0.9),
    default=0.25,
    show_default=True,
    help="Share of the rows that is kept for the test.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**32 - 1),
    default=0,
    show_default=True,
    help="Of everything that is drawn.",
)
@click.option(
    "--loss",
    metavar="|".join([*LOSSES, "quantile:LEVEL"]),
    callback=_known_loss,
    help="If not given, log for classes and squared for numbers. quantile:0.9 is exceeded by a "
    "tenth of the rows.",
)
@click.option(
    "--class-weight",
    type=click.Choice(CLASS_WEIGHTS),
    default="none",
    show_default=True,
    help="balanced: all classes together weigh the same.",
)
@click.option(
    "--categorical",
    metavar="NAME[,NAME]|auto",
    multiple=True,
    callback=_categories,
    help="Columns of categories, of which an axis-aligned tree, or an ensemble of them, may send "
    "any set of categories to a side; auto: all columns of words. Numbers that are named count as "
    "words. If not given, each category is a feature of its own.",
)
@click.option(
    "--kernel",
    type=click.Choice(KERNELS),
    default="none",
    show_default=True,
    help="A single tree reads features of this kernel, which makes its splits curved.",
)
@click.option(
    "--components",
    type=click.IntRange(1, 10_000),
    default=100,
    show_default=True,
    help="The number of features that the kernel makes.",
)
@click.option(
    "--gamma",
    metavar="FLOAT|scale",
    default="scale",
    show_default=True,
    callback=_gamma,
    help="How fast the kernel falls with the distance of two rows; scale: one by the number of "
    "columns.",
)
@click.option("--quiet", "-q", is_flag=True, help="No progress and no summary.")
@source_options
@drop_options
@setting_options
@click.pass_context
def command(context, data, method, base, out, run_path, resumed, every, validation, seed, loss,
            class_weight, categorical, kernel, components, gamma, quiet, **options):  # fmt: skip
    console = screen(quiet)
    if resumed is not None:
        _check_own_settings(context, resumed)
    if data == "-":
        raise click.UsageError(
            "a run keeps where its rows come from, and standard input cannot be read again: "
            "write it to a file first"
        )
    options["kinds"] = _as_words(categorical, options["kinds"])
    shape = map(context.get_parameter_source, ("components", "gamma"))
    if kernel == "none" and ParameterSource.COMMANDLINE in shape:
        raise click.UsageError("--components and --gamma shape a --kernel: name one, or leave them")
    source = None if data is None else source_of(data, options, validation, seed)
    if source is None and resumed is None:
        raise click.UsageError("name a table, for instance sample:spirals, or a run to --resume")
    if method == AUTO and resumed is None:
        said = {"base": base, "run": run_path, "kernel": kernel != "none"}
        check_left_open(out, settings_of(options), categorical=categorical, **said)
        _train_chosen(source, out, loss, class_weight, seed, console)
        return
    if resumed is not None:
        session = resume(resumed, source and _moved(resumed, source))
        if session.n_lost:
            console.print(
                f"The log lacks its last {session.n_lost} events; the run itself is complete.",
                style="dim",
            )
    elif source is not None:
        settings = kept_settings(settings_of(options), method, base)
        _check_known(method, base, settings)
        parts = read_parts(source)
        task = parts[0].task
        config = RunConfig(
            method,
            base=base,
            seed=seed,
            loss=loss_for(loss, task),
            class_weight=class_weight,
            categorical=categorical,
            kernel=kernel,
            components=components,
            gamma=gamma,
            **settings,
        )
        describe_table(parts, console)
        path = run_path or new_run_path(parts[0].name, method)
        session = begin(path, config, source, parts)
    with ends_on_signals(_how_to_go_on(session)):
        _drive(session, every, console)
    if out is not None:
        write_atomically(out, to_json(session.folder.read_model(), indent=1).encode())
    places = {"Run folder": str(session.folder.path)} | ({} if out is None else {"Written to": out})
    _print_figures(session.folder.metrics(), places, console)


def _train_chosen(source, out, loss, class_weight, seed, console) -> None:
    with ends_on_signals("interrupted; no file was written"):
        parts = read_parts(source)
        describe_table(parts, console)
        with ProgressReport(console) as progress:
            progress.update("Choosing by validation rows")
            document, decision = choose(source, parts, loss, class_weight, seed)
        write_atomically(out, to_json(document, indent=1).encode())
    show_decision(decision, console)
    _print_figures(document.training["metrics"], {"Written to": out}, console)


def _check_own_settings(context: click.Context, resumed: str) -> None:
    """Refuse what was said besides ``--resume`` and would be passed over in silence."""
    said = [
        "/".join([option.opts[0], *option.secondary_opts])
        for option in context.command.params
        if option.name not in ("data", "out", "resumed", "every", "quiet")
        and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
    ]
    if said:
        raise click.UsageError(
            f"the run in {resumed} continues as it started: leave out {', '.join(said)}, or start "
            "a new run"
        )


def _how_to_go_on(session) -> str:
    path = shlex.quote(str(session.folder.path))
    return f"interrupted; the run is saved: treecore train --resume {path} continues it"


def _check_known(method: str, base: str | None, settings: dict[str, Any]) -> None:
    entry = METHODS[method]
    if base is not None and entry.family != "ensemble":
        raise click.UsageError(f"the method {method} has no trees of another method: leave --base")
    names = [setting.name for setting in entry.definitions(None if base is None else METHODS[base])]
    for name in settings:
        if name not in names:
            raise click.UsageError(
                f"the method {method} has no {option_of(name)}; it has "
                + ", ".join(map(option_of, names))
            )


def _moved(resumed, source):
    """The table of a run under another name; all else about it is the run's own."""
    old = RunDirectory.open(resumed).source
    return source if old is None else dataclasses.replace(old, name=source.name)


def _drive(session: RunSession, every: float, console: Console) -> None:
    with ProgressReport(console) as progress:
        progress.update("Preparing")
        warm_up(
            lambda text: progress.update("Preparing", figures=text.removeprefix("Preparing ")),
            session.trainer.config,
        )
        run = go_on(session, every)
        with contextlib.closing(run):
            for event in run:
                title = METHODS[event.stage].title
                progress.update(title, event.progress, figures=_figures(event))


def _figures(event) -> str:
    parts = []
    if event.bound is not None:
        parts.append(f"bound {event.bound:.3f}")
    for name, share in (("accuracy", event.accuracy), ("test", event.validation_accuracy)):
        if share is not None:
            parts.append(f"{name} {100 * share:.1f} %")
    for name, share in (("R²", event.r2), ("test", event.validation_r2)):
        if share is not None:
            parts.append(f"{name} {share:.3f}")
    if event.oob_accuracy is not None:
        parts.append(f"out of bag {100 * event.oob_accuracy:.1f} %")
    if event.active_leaves is not None:
        parts.append(f"leaves {event.active_leaves}")
    if event.unit in ("tree", "batch"):
        parts.append(f"{event.done:g} of {event.total}")
    return "  ".join(parts)


@contextlib.contextmanager
def ends_on_signals(message: str):
    """SIGTERM unwinds like Ctrl-C, so that what was learnt is kept; both have their exit codes."""

    def end(number, frame):
        raise KeyboardInterrupt(number)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    except KeyboardInterrupt as error:
        click.echo(message, err=True)
        sys.exit(128 + (error.args[0] if error.args else signal.SIGINT))
    finally:
        signal.signal(signal.SIGTERM, before)


def _print_figures(metrics: Mapping[str, Any], places: dict[str, str], console: Console) -> None:
    table = facts()
    rows = [
        ("accuracy", "Accuracy, training rows", "{:.2%}"),
        ("validation_accuracy", "Test accuracy", "{:.2%}"),
        ("r2", "R², training rows", "{:.4f}"),
        ("validation_r2", "Test R²", "{:.4f}"),
        ("oob_accuracy", "Accuracy, out of bag", "{:.2%}"),
        ("oob_r2", "R², out of bag", "{:.4f}"),
        ("loss", "Loss, training rows", "{:.4f}"),
        ("validation_loss", "Test loss", "{:.4f}"),
        ("bound", "Surrogate bound", "{:.4f}"),
        ("active_leaves", "Active leaves", "{}"),
        ("n_leaves", "Leaves", "{}"),
        ("seconds", "Seconds of learning", "{:.1f}"),
    ]
    for name, title, shape in rows:
        if name in metrics:
            table.add_row(title, shape.format(metrics[name]))
    for title, path in places.items():
        table.add_row(title, escape(path))
    console.print(table)
