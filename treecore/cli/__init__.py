"""The command line: ``treecore train``, ``predict``, ``evaluate`` and the others, one a file.

Exit codes, for scripts: 0 all is well; 1 it could not be done, and a sentence on standard error
says why; 2 the command was not understood; 130 and 143 interrupted or terminated, with a
checkpoint left behind.
"""

from __future__ import annotations

import importlib
import shlex
import warnings

import click

from treecore._version import __version__

COMMANDS = {
    "train": "Learn a tree from a table.",
    "predict": "Predict the rows of a table by a tree or forest.",
    "evaluate": "Measure a tree or forest on a table whose targets are known.",
    "inspect": "Show a tree or forest as text.",
    "export": "Write a tree or forest in another format.",
    "record": "Write a run, or two, as a page that shows them anywhere.",
    "methods": "Explain the methods and their settings.",
    "sweep": "Train many models by a table, choose one, test it once.",
    "datasets": "Name the tables that are at hand without a file.",
}
"""Every command, and what it does; the module of the same name has the function ``command``."""

GONE = {
    "--stream": "an estimator's partial_fit learns from rows in parts",
    "--complete-rows": "exports of other programs' models handle missing values as those do",
    "--int8": "export writes C with the numbers of the model",
    "--teacher": "a tree learns what another model answers by its estimator's distil",
}
"""Options of earlier versions, with what holds instead."""

HELP = """\
Decision trees with oblique splits, learnt as a whole.

\b
Train a first tree, measure it, and look at it:
  treecore train sample:spirals --out tree.json
  treecore evaluate tree.json sample:spirals
  treecore inspect tree.json

Tables are files (CSV, Excel, Parquet, LIBSVM, .npz) or names: sample:spirals, sklearn:digits,
openml:NAME. Each command explains itself: treecore train --help.
"""


class _Lazy(click.Group):
    """Imports a command when it is asked for: help should not wait for compilers."""

    def list_commands(self, context):
        return list(COMMANDS)

    def get_command(self, context, name):
        if name not in COMMANDS:
            return None
        return importlib.import_module(f"treecore.cli.{name}").command

    def format_commands(self, context, formatter):
        """List the commands without importing them; see click."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, context):
        try:
            with warnings.catch_warnings():
                warnings.showwarning = lambda said, *_: click.echo(f"Warning: {said}", err=True)
                return super().invoke(context)
        except click.NoSuchOption as error:
            if error.option_name not in GONE:
                raise
            raise click.UsageError(
                f"{error.option_name} is gone: {GONE[error.option_name]}", error.ctx
            ) from error
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            context.exit(130)
        except BrokenPipeError:
            context.exit(0)  # whoever reads the output has read enough
        except OSError as error:
            reason = error.strerror or str(error)
            raise click.ClickException(
                f"{error.filename}: {reason}" if error.filename else reason
            ) from error
        except (ValueError, MemoryError) as error:
            said = str(error) or "there is not enough memory"
            if (column := getattr(error, "column", None)) is not None:  # an Unusable column
                said += f"; here by --drop {shlex.quote(column)}, or --drop-unusable for all such"
            raise click.ClickException(said) from error


@click.group(cls=_Lazy, help=HELP, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(version)s")
def main() -> None:
    pass
