"""The text of a file of separated values as columns of text under checked names.

pandas cuts the text into cells. Decided here are the encoding, the separator, the header, and
which rows and columns hold nothing; what the cells mean is left to
:mod:`treecore.data.readers.encoding`. Only numbers are told from other text here already, because a
header is recognised by them.
"""

from __future__ import annotations

import csv
import io
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd

MISSING = frozenset({"", "?", "na", "n/a", "#n/a", "<na>", "nan", "null", "none"})
"""What stands for a missing value, in any case."""

SEPARATORS = ("\t", ";", "|", ",")
"""Commas come last: they also occur in numbers and in text, between other separators."""

MAX_FEATURES = 5000


class TableError(ValueError):
    """One sentence for the user: what is wrong with a file, where, and what to do."""


@dataclass(frozen=True)
class TextTable:
    """A file's cells as text under checked names; the frame's index counts the file's records."""

    name: str
    text: str
    separator: str
    frame: pd.DataFrame
    notes: tuple[str, ...]
    has_header: bool
    width: int
    places: dict[str, int]
    """How many columns the file has, and which of them each of the frame's is, from 0."""

    def cells(self, column: str) -> np.ndarray:
        """The cells of a column, stripped str objects, shape (n_rows,)."""
        cells = [cell.strip() for cell in self.frame[column].to_numpy(object)]
        return np.array(cells, dtype=object)

    def line(self, row: int) -> int:
        """The line of the file on which a row of the frame begins."""
        # Only errors ask, and quoted line breaks and blank lines count: so the file is read again.
        records = _records(self.text, self.separator)
        return next(islice((line for line, _ in records), self.frame.index[row], None), row + 1)


def read_text_table(
    source,
    max_bytes: int,
    max_rows: int,
    *,
    separator: str | None = None,
    header: bool | None = None,
    to_learn: bool = True,
) -> TextTable:
    """The table in a file, or a :class:`TableError`.

    Parameters
    ----------
    source, max_bytes, max_rows
        As for :func:`treecore.data.readers.encoding.read_csv`.
    separator : str or None
        None finds it from the first lines.
    header : bool or None
        Whether the first row names the columns; None for whether it looks like it.
    to_learn : bool
        Rows to learn from are two at least, in two columns at least, and those without any value
        are left out. Rows that are only to be answered may be one of one column, and every one
        of them keeps its place.
    """
    name, data = _read_bytes(source, max_bytes)
    text = _decode(data)
    separator = separator or _find_separator(text)
    _, first = next(_records(text, separator), (1, []))
    if not first or not text.strip():
        raise TableError("the file is empty: choose one with a header and rows of values")
    if len(first) == 1 and to_learn:
        raise TableError(
            f"the file has a single column, {quoted(first[0])}: it needs at least one feature and "
            "a target, separated by comma, semicolon, tab or |"
        )
    if len(first) > MAX_FEATURES + 2:  # a target and an index may come on top
        raise TableError(
            f"the file has {len(first)} columns, more than {MAX_FEATURES}: remove some"
        )
    frame = _read_cells(text, separator, max_rows)
    first = [cell.strip() for cell in first]
    notes: list[str] = []
    if header is None:
        header = _has_header(first, frame, separator)
    if header:
        frame, names = frame.iloc[1:], first
    else:
        names = [f"x{j}" for j in range(1, len(first))] + ["class"]
        notes.append("The file has no header, so the columns were named x1, x2, ... and class.")
    if to_learn:
        frame = _drop_empty_rows(frame, notes)
    if len(frame) == 0:
        raise TableError("the file has a header but no rows: add rows of values below it")
    if len(frame) == 1 and to_learn:
        raise TableError("the file has a single row of values: add more, at least two")
    if len(frame) > max_rows:
        raise TableError(f"the file has more than {max_rows} rows: keep a random part of them")
    named, places = _name_columns(frame, names, notes)
    return TextTable(name, text, separator, named, tuple(notes), header, len(names), places)


def _read_bytes(source, max_bytes: int) -> tuple[str, bytes]:
    """A name for the dataset, and the bytes."""
    name = "table"
    if isinstance(source, bytes | bytearray | memoryview):
        data = bytes(source)
    elif hasattr(source, "read"):
        name = str(getattr(source, "name", name))
        if source.seekable():
            source.seek(0)
        data = source.read(max_bytes + 1)
        if not isinstance(data, bytes):
            raise TableError("the file was opened as text: open it in binary mode")
    else:
        name = os.fspath(source)
        try:
            with open(source, "rb") as file:
                data = file.read(max_bytes + 1)
        except (OSError, ValueError) as error:  # ValueError: a path with a null character
            reason = getattr(error, "strerror", None) or error
            raise TableError(f"{quoted(name)} cannot be read: {reason}") from None
    if len(data) > max_bytes:
        raise TableError(
            f"the file has more than {max_bytes / 1e6:g} MB: keep a random part of its rows"
        )
    return Path(name).stem or "table", data


def _decode(data: bytes) -> str:
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    # Pictures, workbooks and archives hold null bytes, and text in UTF-8 does not.
    if b"\0" in data and encoding == "utf-8-sig":
        raise TableError("the file is not a text table: export the table as CSV in UTF-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode(error.encoding, "ignore")
        line = before.count("\n") + 1
        raise TableError(
            f"line {line} holds bytes that are not {encoding[:6].strip('-').upper()} text: "
            'save the file with the encoding UTF-8 (in Excel "CSV UTF-8")'
        ) from None
    if "\0" in text:
        raise TableError("the file is not a text table: export the table as CSV in UTF-8")
    return text


def _records(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the first line and the cells of every record that is not blank, as pandas does."""
    lines = io.StringIO(text, newline="")
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True)
    line = 1
    try:
        for cells in reader:
            if len(cells) > 1 or "".join(cells).strip(" \t"):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error:
        raise TableError(
            f"line {line} holds a cell of more than {csv.field_size_limit()} characters: "
            "close its quotation mark or shorten it"
        ) from None


def _find_separator(text: str) -> str:
    """The first separator that cuts the first records into equally many cells, at least two."""
    widest, most = ",", 1
    for separator in SEPARATORS:
        try:
            widths = [len(cells) for _, cells in islice(_records(text[:4_000_000], separator), 20)]
        except TableError:
            continue
        if widths and widths[0] > 1 and len(set(widths)) == 1:
            return separator
        if widths and widths[0] > most:
            widest, most = separator, widths[0]
    return widest


def _read_cells(text: str, separator: str, max_rows: int) -> pd.DataFrame:
    """All cells as text, the header among them; the index counts the records from 0."""
    try:
        frame = pd.read_csv(
            io.StringIO(text, newline=""),
            sep=separator,
            header=None,
            dtype=str,
            na_filter=False,
            skipinitialspace=True,
            nrows=max_rows + 2,  # enough to know that there are too many
        )
    except ValueError as error:  # pandas' ParserError and EmptyDataError are ValueErrors
        _check_widths(text, separator, "EOF inside string" in str(error))
        raise TableError(
            f"the file cannot be read as a table: {' '.join(str(error).split())}"
        ) from None
    # pandas fills up rows that are too short with empty cells.
    if (frame.iloc[:, -1] == "").any():
        _check_widths(text, separator)
    return frame


def _check_widths(text: str, separator: str, open_quote: bool = False) -> None:
    expected = line = 0
    for line, cells in _records(text, separator):
        expected = expected or len(cells)
        if len(cells) != expected and not open_quote:
            raise TableError(
                f"line {line} has {len(cells)} {'value' if len(cells) == 1 else 'values'}, but the "
                f"first row has {expected}: add or remove separators, or quote the text around them"
            )
    if open_quote:  # it swallowed all that follows, so the last record is the one
        raise TableError(f"line {line} opens a quotation mark and nothing closes it: close it")


def _has_header(first: list[str], frame: pd.DataFrame, separator: str) -> bool:
    """Whether the first row holds names.

    It does not when all that is no number in it comes back further down its column: in
    ``5.1,3.5,setosa`` the species is one of the values.
    """
    is_number = ~np.isnan(read_numbers(np.array(first, dtype=object), separator))
    texts = [j for j, cell in enumerate(first) if not is_number[j] and cell.lower() not in MISSING]
    if first[0] == "":  # pandas writes no name above its index, and perhaps numbers beside it
        return True
    below = frame.iloc[1:]
    return not all((below[j].str.strip() == first[j]).any() for j in texts)


def _drop_empty_rows(frame: pd.DataFrame, notes: list[str]) -> pd.DataFrame:
    """Leave out rows such as ``,,,``, which spreadsheets write below the table."""
    suspects = np.flatnonzero(frame.iloc[:, 0].str.strip() == "")
    cells = frame.iloc[suspects].to_numpy(object)
    empty = [
        row
        for row, row_cells in zip(suspects, cells, strict=True)
        if not "".join(row_cells).strip()
    ]
    if not empty:
        return frame
    notes.append(f"Rows without any value were left out: {len(empty)}.")
    return frame.drop(index=frame.index[empty])


def _name_columns(frame: pd.DataFrame, names: list[str], notes: list[str]):
    """Put the names on the columns, without unnamed columns that hold an index or nothing.

    The frame, and the places that its columns had.
    """
    kept, kept_names = [], []
    for j, name in enumerate(names):
        unnamed = name == "" or name.startswith("Unnamed: ")
        cells = frame[j] if unnamed else ()
        if unnamed and j == 0 and _counts_rows(cells):
            notes.append("The first column has no name and numbers the rows, so it was left out.")
        elif unnamed and all(cell.strip() == "" for cell in cells):
            notes.append(f"Column {j + 1} has neither a name nor values, so it was left out.")
        else:
            kept.append(j)
            kept_names.append(name or f"column {j + 1}")
    if twice := repeated(kept_names):
        raise TableError(
            f"several columns have the same name, {listed(twice, 5)}: give each its own"
        )
    places = dict(zip(kept_names, kept, strict=True))
    return frame[kept].set_axis(kept_names, axis=1), places


def _counts_rows(cells: pd.Series) -> bool:
    start = cells.iloc[0].strip()
    counted = (str(i) for i in range(int(start == "1"), len(cells) + 1))
    return all(cell.strip() == count for cell, count in zip(cells, counted, strict=False))


def read_numbers(cells: np.ndarray, separator: str) -> np.ndarray:
    """The cells as numbers, nan for those that are none, with the decimal mark that fits more."""
    readings = [[_number(cell) for cell in cells]]
    if separator != ",":
        readings.append(
            [np.nan if "." in cell else _number(cell.replace(",", ".")) for cell in cells]
        )
    return min((np.array(reading) for reading in readings), key=lambda r: np.isnan(r).sum())


def _number(cell: str) -> float:
    try:
        return np.nan if "_" in cell else float(cell)
    except ValueError:
        return np.nan


def repeated(names: list[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]


def quoted(text: str, longest: int = 40) -> str:
    """A name or cell for a sentence: in quotes, on one line, and short."""
    return repr(text if len(text) <= longest else text[: longest - 3] + "...")


def listed(names: list[str], most: int) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(quoted(name) for name in names[:most]) + more
