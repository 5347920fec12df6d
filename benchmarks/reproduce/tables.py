"""The table beside a figure: CSV for programs, Markdown for the documents, JSON for both."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Table:
    """Rows of a table with the names and units of its columns.

    Attributes
    ----------
    columns : tuple of str
        Keys of the rows.
    titles : tuple of str
        What stands over the columns, units included.
    rows : tuple of dict
        A missing value is None or is not there.
    digits : dict of str to int
        Digits after the point where numbers are shown; 0 where a column is not named.
    """

    columns: tuple[str, ...]
    titles: tuple[str, ...]
    rows: tuple[dict, ...]
    digits: dict[str, int]

    def csv(self) -> str:
        """All digits; a row of the columns' keys first."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        for row in self.rows:
            writer.writerow(["" if (v := row.get(c)) is None else v for c in self.columns])
        return text.getvalue()

    def json(self) -> str:
        """All digits, and the titles."""
        titles = dict(zip(self.columns, self.titles, strict=True))
        return json.dumps({"columns": titles, "rows": list(self.rows)}, indent=1) + "\n"

    def shown(self) -> list[list[str]]:
        """The cells as they are to be read."""
        return [[self._text(row.get(c), c) for c in self.columns] for row in self.rows]

    def markdown(self) -> str:
        """For documents."""
        lines = [self.titles, ["---"] * len(self.titles), *self.shown()]
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)

    def _text(self, value: Any, column: str) -> str:
        if value is None:
            return "–"
        if isinstance(value, bool) or not isinstance(value, int | float):
            return str(value).replace("|", "/")
        return f"{value:.{self.digits.get(column, 0)}f}"


def make_table(rows: Sequence[dict], columns: dict[str, str], digits: dict[str, int]) -> Table:
    """A table of these columns (key to title), without those in which nothing stands."""
    used = {c: t for c, t in columns.items() if any(row.get(c) is not None for row in rows)}
    kept = tuple({c: row.get(c) for c in used} for row in rows)
    return Table(tuple(used), tuple(used.values()), kept, digits)
