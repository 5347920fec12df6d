"""``treecore methods``: what each method does, and what can be set."""

from __future__ import annotations

import json

import click

from treecore.base.setting_docs import limits
from treecore.base.settings import Setting
from treecore.cli.options import option_of
from treecore.training.method import Method
from treecore.training.registry import BASES, METHODS

HELP = """\
Explain the methods, or one of them with its settings, their ranges and defaults.

Settings are options of treecore train, and parameters of the estimators in Python.

\b
  treecore methods
  treecore methods annealed
  treecore methods boosted-tao
  treecore methods bagging --base tao
"""


@click.command("methods", help=HELP)
@click.argument("name", required=False, metavar="[METHOD]", type=click.Choice(list(METHODS)))
@click.option(
    "--base", type=click.Choice(BASES), help="The method that grows the trees of an ensemble."
)
def command(name, base):
    formatter = click.HelpFormatter(max_width=100)
    if name is not None:
        _explain(METHODS[name], base, formatter)
    elif base is not None:
        raise click.UsageError("--base is for one method: name it")
    else:
        rows = [(entry.name, f"{entry.title}. {entry.sentence}") for entry in METHODS.values()]
        formatter.write_dl(rows)
    click.echo(formatter.getvalue(), nl=False)


def _explain(method: Method, base: str | None, formatter: click.HelpFormatter) -> None:
    if base is not None and method.family != "ensemble":
        raise click.UsageError(
            f"the method {method.name} has no trees of another method: leave --base"
        )
    formatter.write_text(f"{method.title}. {method.sentence}")
    names_of_method = {setting.name for setting in method.settings.definitions()}
    definitions = method.definitions(None if base is None else METHODS[base])
    for title, is_own in (("Settings", True), ("Settings of its trees", False)):
        shown = [setting for setting in definitions if (setting.name in names_of_method) == is_own]
        if shown:
            with formatter.section(title):
                formatter.write_dl([(option_of(s.name), _explanation(s)) for s in shown])


def _explanation(setting: Setting) -> str:
    default = json.dumps(setting.default)
    return f"{setting.label}. {setting.help} {limits(setting)}; by default {default}."
