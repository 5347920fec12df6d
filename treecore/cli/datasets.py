"""``treecore datasets``: the tables that have a name."""

from __future__ import annotations

import click
from rich.console import Console
from rich.table import Table

from treecore.data.generators import GENERATORS
from treecore.data.sources import SKLEARN, Source, read_table

HELP = """\
Name the tables that are at hand without a file.

openml:NAME (or openml:NAME/VERSION) loads a table of openml.org, once.

\b
  treecore datasets
  treecore train sklearn:wine --method tao
"""


@click.command("datasets", help=HELP)
def command():
    table = Table("Name", "Rows", "Features", "Predicts", box=None)
    for name, generator in GENERATORS.items():
        what = f"{generator.n_classes} classes" if generator.n_classes else "a number"
        table.add_row(f"sample:{name}", "any", str(_features(name)), what)
    for name in SKLEARN:
        table_of_name = read_table(Source(f"sklearn:{name}"))
        what = f"{table_of_name.n_classes} classes" if table_of_name.n_classes else "a number"
        table.add_row(
            f"sklearn:{name}", str(table_of_name.n_samples), str(table_of_name.n_features), what
        )
    Console().print(table)


def _features(name: str) -> int:
    return read_table(Source(f"sample:{name}", size=10)).n_features
