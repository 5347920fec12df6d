"""What all readers of tables have in common: blocks of columns, refusals, and limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

import pyarrow as pa

from treecore.base.limits import LIBRARY, Limits

if TYPE_CHECKING:
    from treecore.data.readers.settings import ReadingSettings

MISSING = frozenset({"", "?", "na", "n/a", "#n/a", "<na>", "nan", "null", "none"})
"""What stands for a missing value, in any case."""

BATCH_CELLS, BATCH_ROWS = 500_000, 16_384
"""Cells and rows of a block at most: 4 MB of numbers."""


class TableError(ValueError):
    """One sentence for the user: what is wrong with a file, where, and what to do."""


class Unusable(TableError):
    """Why a column cannot be learnt from: a sentence, and a few words for a list of columns."""

    def __init__(self, column: str, why: str, sentence: str):
        super().__init__(sentence)
        self.column, self.why = column, why


class Table:
    """Rows under names that come in blocks of columns, as often as they are asked for.

    - columns: without repetitions.
    - texts: the columns that hold text, which may be numbers nevertheless; all others hold numbers.
    - dates: how those of the others are written, in the words of ``strptime``, whose numbers are
      days since the beginning of 1970.
    - unreadable: what the columns hold that are none of these, by name.
    - n_rows: where that is known before anything is read, else 0.
    - usual_target: what is predicted where nobody says what, and the names do not either.
    - decimal_comma: whether numbers that are written as text may have a comma for their point.
    - comma_in_numbers: whether the columns that hold numbers were written so.
    - has_header: whether the names are the file's own.
    - reading: what was said of how to read it.
    - notes: what was left out or named, a sentence each.
    """

    name: str
    columns: tuple[str, ...]
    texts: set[str]
    dates: Mapping[str, str] = MappingProxyType({})
    unreadable: Mapping[str, str] = MappingProxyType({})
    limits: Limits = LIBRARY
    n_rows = 0
    usual_target: str | None = None
    decimal_comma = False
    comma_in_numbers = False
    has_header = True
    reading: ReadingSettings
    notes: list[str]

    def batches(
        self, columns: Sequence[str], as_text: Collection[str] = ()
    ) -> Iterator[pa.RecordBatch]:
        """All rows of some columns: text is of Arrow's type string, all else of numbers.

        as_text: columns whose numbers come as they are written, where the file is text. Raises
        TableError where the file cannot be read to its end.
        """
        raise NotImplementedError

    def _name_columns(
        self, names: Sequence[str], cells: Callable[[int], Iterable[str | None]]
    ) -> dict[str, int]:
        """Names and places of the columns, without unnamed ones that hold an index or nothing.

        ``cells`` gives the text of the column at a place.
        """
        kept_columns = []
        for place, name in enumerate(names):
            unnamed = name == "" or name.startswith("Unnamed: ")  # as pandas calls such columns
            if unnamed and (note := _why_left_out(place, cells(place))):
                self.notes.append(note)
            else:
                kept_columns.append((name or f"column {place + 1}", place))
        check_names(name for name, _ in kept_columns)
        if too_long := [name for name, _ in kept_columns if len(name) > self.limits.n_text]:
            raise TableError(
                f"the name of a column, {quoted(too_long[0])}, has more than "
                f"{self.limits.n_text} characters: shorten it"
            )
        self.columns = tuple(name for name, _ in kept_columns)
        return dict(kept_columns)

    def locate(self, column: str, row: int, value: object) -> tuple[str, str]:
        """A cell as the file has it, and where: ``"line 7"``. Only refusals ask for it.

        row: from 0, of the rows with values; value: the cell as it was read, for tables that do not
        keep its text.
        """
        return str(value), f"row {row + 1}"


def batch_rows(n_columns: int) -> int:
    """Rows of a block of so many columns."""
    return max(256, min(BATCH_ROWS, BATCH_CELLS // max(1, n_columns)))


def check_names(names: Iterable[str]) -> None:
    """Refuse columns of the same name."""
    if twice := repeated(names):
        raise TableError(
            f"several columns have the same name, {listed(twice, 5)}: give each its own"
        )


def check_width(n_columns: int, limits: Limits) -> None:
    """Refuse a table of too many columns."""
    if n_columns > limits.n_columns + 2:  # a target and an index may come on top
        raise TableError(
            f"the file has {n_columns} columns, more than {limits.n_columns}: remove some"
        )


def check_height(n_rows: int, limits: Limits, to_learn: bool) -> None:
    """Refuse a table of too few rows, two at least to learn from, or too many."""
    if n_rows == 0:
        raise TableError("the file has a header but no rows: add rows of values below it")
    if n_rows == 1 and to_learn:
        raise TableError("the file has a single row of values: add more, at least two")
    if n_rows > limits.n_rows:
        raise TableError(f"the file has more than {limits.n_rows} rows: keep a random part of them")


def check_unpacked(name: str, n_bytes: int, limits: Limits) -> None:
    """Refuse a packed file of so many bytes before it is unpacked."""
    if n_bytes > limits.n_unpacked:
        raise TableError(
            f"{name} unpacks to {n_bytes / 1e6:.0f} MB, more than {limits.n_unpacked / 1e6:g}: "
            "keep a random part of its rows"
        )


def _why_left_out(place: int, cells: Iterable[str | None]) -> str | None:
    """Explain why an unnamed column is left out: it numbers the rows or is empty; else None."""
    counts, blank, start = place == 0, True, 0
    for row, cell in enumerate(cells):
        cell = (cell or "").strip()
        if row == 0:
            start = int(cell == "1")
        counts, blank = counts and cell == str(row + start), blank and cell == ""
        if not (counts or blank):
            return None
    if counts:
        return "The first column has no name and numbers the rows, so it was left out."
    return f"Column {place + 1} has neither a name nor values, so it was left out."


def numbered(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """All names, those that come again with a number behind them; and the ones that do."""
    taken, counts, result = set(names), Counter[str](), []
    for name in names:
        counts[name] += 1
        new = name
        if name and counts[name] > 1:
            while (new := f"{name} ({counts[name]})") in taken:
                counts[name] += 1
            taken.add(new)
        result.append(new)
    return result, [name for name in repeated(names) if name]


def repeated(names: Iterable[str]) -> list[str]:
    """The names that occur more than once."""
    return [name for name, count in Counter(names).items() if count > 1]


def quoted(text: str, longest: int = 40) -> str:
    """A name or cell for a sentence: in quotes, on one line, and of so many characters at most."""
    return repr(text if len(text) <= longest else text[: longest - 3] + "...")


def shortened(error: BaseException) -> str:
    """What a library says went wrong, for a sentence: on one line, and short."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 200 else text[:197] + "..."


def listed(names: Sequence[str], most: int) -> str:
    """The first names for a sentence, and how many more there are. most: names that are told."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(quoted(name) for name in names[:most]) + more


def few(remarks: Sequence[str]) -> str:
    """The first five remarks for a sentence, and how many more there are."""
    most = 5
    more = [f"and {len(remarks) - most} more"] if len(remarks) > most else []
    return "; ".join([*remarks[:most], *more])
