"""Pages of results: Markdown tables in ``benchmarks/results``, of which commands renew some rows.

A long measurement is done in pieces; rows that a piece does not measure stay as they are. The last
column is the day on which a row was measured (:mod:`benchmarks.marks`).
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from benchmarks.marks import COLUMN, MARK, cells_of, marked
from treecore.base.state_file import write_atomically


def today() -> str:
    """Return the day on which what is measured now was measured."""
    return time.strftime("%Y-%m-%d")


class Page(NamedTuple):
    """One table in a file of its own."""

    path: Path
    title: str
    about: str  # what is measured and how, with the command that writes the page
    columns: tuple[str, ...]  # all but the day
    n_keys: int  # so many of them, the first ones, say what is measured: two rows differ in them

    def rows(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        """Return the cells of every row of the file, the day last, by its keys."""
        if not self.path.exists():
            return {}
        lines = self.path.read_text(encoding="utf-8").replace(MARK, "").splitlines()
        cells = [tuple(cells_of(line)) for line in lines if line.startswith("|")][2:]
        return {row[: self.n_keys]: row for row in cells if len(row) == len(self.columns) + 1}

    def text(self, rows: dict[tuple[str, ...], tuple[str, ...]]) -> str:
        """The page with these rows, in their order."""
        header = (*self.columns, COLUMN)
        table = markdown(header, rows.values())
        return marked(f"# {self.title}\n\n{self.about}\n\n{table}\n")

    def keep(self, *cells: object) -> None:
        """Print a row and write it into the file, in the place of the one of its keys."""
        row = (*map(str, cells), today())
        print(f"| {' | '.join(row)} |", flush=True)
        rows = self.rows() | {row[: self.n_keys]: row}  # others may have come meanwhile
        write_atomically(self.path, self.text(rows).encode())


def markdown(head: Iterable[str], lines: Iterable[Iterable[object]]) -> str:
    """A table in Markdown."""
    cells = [list(head)]
    cells += [["---"] * len(cells[0]), *(list(map(str, line)) for line in lines)]
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def write_parts(path: Path, title: str, command: str, parts: dict[str, str]) -> None:
    """Write a page of several tables, each under its heading, with the command that makes it."""
    sections = (f"## {name}\n\nWritten by `{command}`.\n\n{text}\n" for name, text in parts.items())
    text = marked(f"# {title}\n\n" + "\n".join(sections))
    write_atomically(path, text.encode())
