"""Options that several commands share, made from the registry and from the source of a table."""

from __future__ import annotations

import atexit
import math
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Column, Table

from treecore.base.setting_docs import Uses, explanations, uses_by_setting
from treecore.data.readers.encoding import TASKS
from treecore.data.readers.settings import KINDS as COLUMN_KINDS
from treecore.data.readers.settings import ReadingSettings
from treecore.data.sources import Source
from treecore.losses import LOSSES, find_loss
from treecore.training.config import REMOVED, REMOVED_FROM
from treecore.training.registry import METHODS, TREES

KINDS = {int: click.INT, float: click.FLOAT, str: click.STRING}


def screen(quiet: bool) -> Console:
    """Where progress and summaries go, beside the output; a file has lines of any length."""
    console = Console(stderr=True, quiet=quiet)
    if not console.is_terminal:
        console.width = 10_000
    return console


def facts(title: str | None = None) -> Table:
    """A table of names and values, of which none is cut short, however long a path is."""
    return Table(Column(), Column(overflow="fold"), show_header=False, box=None, title=title)


class Number(click.FloatRange):
    """A finite number of a range: click lets "nan" through, which no comparison refuses."""

    def convert(self, value, param, ctx):
        """The number of an option; click.BadParameter where it is not in the range."""
        value = super().convert(value, param, ctx)
        if not math.isfinite(value):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return value


def out_option(help: str) -> Callable[..., Any]:
    """``--out FILE``, refused at once where its folder is not there or takes no file."""

    def check(context, parameter, value):
        return value if value is None else check_out(value)

    return click.option("--out", "-o", type=click.Path(dir_okay=False), callback=check, help=help)


def check_out(path: str) -> str:
    """The path of a file that is to be written; refused before the work rather than after it."""
    folder = Path(path).parent
    if not folder.is_dir():
        raise ValueError(f"{path} cannot be written: there is no folder {folder}, make it first")
    if not os.access(folder, os.W_OK):
        raise ValueError(f"{path} cannot be written: the folder {folder} takes no new files")
    return path


def source_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Options that say what a table is; gathered by :func:`source_of`."""
    for option in (
        click.option("--header/--no-header", default=None,
                     help="Whether the first row of a text file holds names; guessed if not "
                     "given."),
        click.option("--missing", metavar="WORD", multiple=True, callback=_missing,
                     help="This word means a missing value, in place of the usual ones; may be "
                     "given several times."),
        click.option("--column", "kinds", metavar="NAME=KIND", multiple=True, callback=_kinds,
                     help=f"What a column holds, of {', '.join(map(_written, COLUMN_KINDS))}; may "
                     "be given several times."),
        click.option("--part", type=click.Choice(("train", "test")), default="train",
                     help="Which rows of an .npz archive that has both."),
        click.option("--noise", type=Number(0, 1),
                     help="How far the points of a sample stray."),
        click.option("--size", type=click.IntRange(min=2),
                     help="Points of a sample (500), or most rows of a table."),
        click.option("--task", type=click.Choice(TASKS),
                     help="Whether the target holds classes or numbers; guessed if not given."),
        click.option("--target", "-y", metavar="COLUMN",
                     help="Column to be predicted; if not given, one called class, target, y ..., "
                     "or the last one."),
    ):  # fmt: skip
        function = option(function)
    return function


def _written(kind: str) -> str:
    return kind.replace(" ", "-")


def _kinds(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]):
    """The kinds of columns, by name; a name may have equal signs of its own."""
    kinds: dict[str, str] = {}
    for value in values:
        name, equal, kind = value.rpartition("=")
        if not equal or kind not in map(_written, COLUMN_KINDS):
            raise click.BadParameter(
                f"{value!r} must be NAME=KIND, with one of {', '.join(map(_written, COLUMN_KINDS))}"
            )
        kinds[name] = kind.replace("-", " ")
    return kinds


def _missing(context: click.Context, parameter: click.Parameter, words: tuple[str, ...]):
    return ReadingSettings(missing=words).missing if words else None


def drop_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Options that say what of a table is not learnt from; gathered by :func:`source_of`."""
    for option in (
        click.option("--drop-unusable", is_flag=True,
                     help="Leave out all columns that cannot be used or do not help, and list "
                     "them."),
        click.option("--drop", metavar="COLUMN", multiple=True,
                     help="Leave this column out; may be given several times."),
    ):  # fmt: skip
        function = option(function)
    return function


def source_of(name: str, options: dict[str, Any], held_out: float = 0.0, seed: int = 0) -> Source:
    """The table that an argument and options mean; takes its own ones out of ``options``."""
    if name == "-":
        name = _standard_input()
    names = ("target", "task", "size", "noise", "part", "kinds", "missing", "header")
    table_options = {key: options.pop(key) for key in names}
    drop, forgiving = options.pop("drop", ()), options.pop("drop_unusable", False)
    table_options |= {"drop": drop, "unusable": "drop" if forgiving else "refuse"}
    return Source(name, **table_options, held_out=held_out, seed=seed)


def _standard_input() -> str:
    """The path of a file of what standard input brings: a table is read more than once."""
    folder = tempfile.TemporaryDirectory(prefix="treecore-")
    atexit.register(folder.cleanup)
    path = Path(folder.name) / "standard-input"
    with open(path, "wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    return str(path)


OPTIONS = {"noise": "row_noise"}
"""Settings whose option is called otherwise, since a table has one of their name."""


def option_of(setting: str) -> str:
    return "--" + OPTIONS.get(setting, setting).replace("_", "-").lower()


class SettingOption(click.Option):
    """An option of a setting; ``users`` says which methods have it."""

    def __init__(self, *names, users: str, **more):
        super().__init__(*names, **more)
        self.users = users


class GroupedCommand(click.Command):
    """A command whose help shows the options of settings under the methods that have them."""

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write all options, those of settings after the others; see click."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for option in self.get_params(context):
            title = (
                f"Settings of {option.users}" if isinstance(option, SettingOption) else "Options"
            )
            if isinstance(option, click.Option) and (record := option.get_help_record(context)):
                sections.setdefault(title, []).append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)


def setting_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """One option for every setting of any method; what is not given stays at its default."""
    methods = {
        method.name: method.settings.definitions()
        for method in METHODS.values()
        if not method.is_preset  # which has the settings of its ensemble
    }
    for name, uses in reversed(uses_by_setting(methods).items()):
        users = [user for user, _ in uses]
        if set(TREES) <= set(users):
            users = ["all trees", *(user for user in users if user not in TREES)]
        choices = dict.fromkeys(choice for _, definition in uses for choice in definition.choices)
        shape = click.Choice(list(choices)) if choices else KINDS[type(uses[0][1].default)]
        function = click.option(
            option_of(name),
            OPTIONS.get(name, name),
            cls=SettingOption,
            users=", ".join(users),
            type=shape,
            help=setting_help(uses),
        )(function)
    for name in _gone():  # scripts of earlier versions go on, with a warning
        function = click.option(option_of(name), name, hidden=True)(function)
    return function


def _gone() -> set[str]:
    """The settings of earlier versions that no method has any more."""
    return {*REMOVED, *(name for gone in REMOVED_FROM.values() for name in gone)} - _setting_names()


def _setting_names() -> set[str]:
    return {known.name for method in METHODS.values() for known in method.settings.definitions()}


def setting_help(uses: Uses) -> str:
    """A setting's label, values and defaults, by method where they differ."""
    found = explanations(uses)
    sentences = []
    for text, defaults in found.items():
        agree = len(found) == len(defaults) == 1
        default_texts = (
            default if agree else f"{default} ({', '.join(names)})"
            for default, names in defaults.items()
        )
        sentences.append(f"{text}; by default {', '.join(default_texts)}.")
    return " ".join(sentences)


def settings_of(options: dict[str, Any]) -> dict[str, Any]:
    """The settings that were set on the command line, taken out of a command's options."""
    names = _setting_names() | _gone()
    values = {name: options.pop(OPTIONS.get(name, name), None) for name in names}
    return {name: value for name, value in values.items() if value is not None}


def loss_for(loss: str | None, task: str) -> str:
    """The loss that was asked for, or the usual one; ValueError where it is for other targets."""
    if loss is None:
        return "log" if task == "classification" else "squared"
    if find_loss(loss).task != task:
        able = ", ".join(name for name, other in LOSSES.items() if other.task == task)
        kind = "classes" if task == "classification" else "numbers"
        raise ValueError(f"the targets are {kind}, and the loss {loss!r} is not for them: {able}")
    return loss
