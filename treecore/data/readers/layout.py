"""Where the table begins in a text file, what separates its cells, and whether it has a header.

All is found from the first records, by what cells look like and what comes again below them. A
guess may be wrong, so none is final: rows that do not fit are refused with their line, and
:class:`.settings.ReadingSettings` overrules the header.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, pairwise
from typing import NamedTuple

from treecore.data.readers.table import MISSING, TableError, listed

SEPARATORS = ("\t", ";", "|", ",")
"""Commas come last: they also occur in numbers and in text, between other separators."""

BLANKS = " "
"""The separator of a table whose cells are divided by any number of blanks and tabs."""

HEAD_RECORDS, HEAD_CELLS = 200, 20_000
"""Records, and cells of them, that are looked at."""

HEAD_LINES = 5000
"""Lines of these records: a cell may have many."""

MAX_TITLES = 50
"""Lines above a header, at most."""

_COMMENT = re.compile(r"\s*(#|%(?=[\s%]|$)|//)")
"""What a line begins with that is no row; %GC is the name of a column."""

_RULE = re.compile(r"[\s|+:=-]*[-=]{3}[\s|+:=-]*")
"""A line that is drawn below a header."""

_SEVERAL = re.compile(r"[-+]?[\d.,]+(e[-+]?\d+)?(\s+[-+]?[\d.,]+(e[-+]?\d+)?)+", re.IGNORECASE)
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(\s\d{3})+([.,]\d+)?")
_NUMBER = re.compile(r"[-+\u2212]?\s*[\d.,][\d.,'\u2019 \u00a0\u202f]*(e[-+]?\d+)?", re.IGNORECASE)
_NUMBERS = "9"

Record = tuple[int, list[str]]
"""The number of a line, from 1, and the cells of the record that begins there."""


class Layout(NamedTuple):
    """What was found in the first lines.

    - separator: between cells.
    - n_skipped: lines above the first record.
    - names: of the columns, where a comment above the rows holds them.
    - notes: what was left out, a sentence each.
    """

    separator: str
    n_skipped: int
    names: list[str] | None
    notes: list[str]


def records_in(lines: Iterable[str], separator: str, n_above: int = 0) -> Iterator[Record]:
    """Yield the records that are not blank, as pandas does; n_above: lines above these.

    Raises TableError where the cells of a record cannot be told apart.
    """
    if separator == BLANKS:
        lines = (line.replace("\t", " ").rstrip() + "\n" for line in lines)
    reader, line = csv.reader(lines, delimiter=separator, skipinitialspace=True), n_above + 1
    try:
        for cells in reader:
            if len(cells) > 1 or "".join(cells).strip(" \t"):
                yield line, cells
            line = n_above + 1 + reader.line_num
    except csv.Error:
        raise TableError(
            f"line {line} holds a cell of more than {csv.field_size_limit()} characters: "
            "close its quotation mark or shorten it"
        ) from None


def find_layout(head: str, header: bool | None, named: str | None) -> Layout:
    """The layout of the file that begins with this text.

    header: whether there is one, if that is known; named: the separator, if a first line names it;
    it is skipped.
    """
    lines = list(islice(io.StringIO(head, newline=""), HEAD_LINES))
    skip = start = int(named is not None)
    while start < len(lines) and (not lines[start].strip() or _COMMENT.match(lines[start])):
        start += 1
    if start == len(lines):  # nothing but comments, so they are none
        start = skip
    separator = named or _find_separator(lines[start:]) or ","
    records = _records(lines, start, separator)
    if not records:
        return Layout(separator, skip, None, [])
    width = common_width(records)
    n_titles = _count_titles(records, width, header)
    notes, names = [], None
    if n_titles:
        titles = [" ".join(filter(None, map(str.strip, cells))) for _, cells in records[:n_titles]]
        notes.append(f"Lines above the table were left out: {listed([*filter(None, titles)], 3)}.")
        records = records[n_titles:]
    for line, cells in records[:3]:
        if len(cells) > 1 and _RULE.fullmatch("".join(cells)):
            raise TableError(f"line {line} is drawn, not a row of values: delete it")
    comments = [line for line in lines[skip:start] if _COMMENT.match(line)]
    if comments and not n_titles and header is not False:
        found = _names_in(comments[-1], separator, width)
        kinds = column_kinds([cells for _, cells in records[1:]], width)
        is_mark = found is not None and _COMMENT.fullmatch(found[0])
        if found and (is_mark or against(records[0][1], kinds)[1]):
            names = found
            comments.pop()
            notes.append("A comment above the table gives the names of the columns.")
    if comments:
        notes.insert(0, f"Comments above the table were left out: {len(comments)}.")
    return Layout(separator, records[0][0] - 1, names, notes)


def common_width(records: Sequence[Record]) -> int:
    """How many cells most records have that may be rows: the later half of those looked at."""
    widths = Counter(len(cells) for _, cells in records[len(records) // 2 :])
    return max(widths, key=lambda width: (widths[width], width))


def _records(lines: Sequence[str], start: int, separator: str) -> list[Record]:
    """The first records below a line, as far as they can be cut."""
    records: list[Record] = []
    n_cells = 0
    with suppress(TableError):
        for line, cells in records_in(lines[start:], separator, start):
            records.append((line, cells))
            n_cells += len(cells)
            if len(records) == HEAD_RECORDS or (n_cells > HEAD_CELLS and len(records) > 9):
                break
    return records


def _find_separator(lines: list[str]) -> str:
    """What cuts most of the first records into equally many cells, at least two."""
    best, best_score = "", (False, 0.0, 1)
    for separator in (*SEPARATORS, BLANKS):
        records = _records(lines[: 2 * HEAD_RECORDS], 0, separator)[:100]
        if not records:
            continue
        width = common_width(records)
        share = sum(len(cells) == width for _, cells in records) / len(records)
        if width < 2 or (separator != BLANKS and _hides_blanks(records, width)):
            continue
        if separator == BLANKS and (best_score[0] or not _is_table_of_blanks(records, width)):
            continue
        if share == 1 or (share > 0.9 and separator != BLANKS):
            return separator
        best, best_score = max(
            (best, best_score), (separator, (share > 0.5, share, width)), key=lambda one: one[1]
        )
    return best


def _hides_blanks(records: Sequence[Record], width: int) -> bool:
    """Whether most rows have a cell of several numbers with blanks between them."""
    first = records[0][1]
    if len(first) == width and not any(" " in cell.strip() for cell in first):
        return False  # names without blanks are cut as the rows are: cells are phone numbers
    found = [
        any(
            _SEVERAL.fullmatch(cell.strip()) and not _THOUSANDS.fullmatch(cell.strip())
            for cell in cells
        )
        for _, cells in records
    ]
    return 2 * sum(found) > len(found)


def _is_table_of_blanks(records: Sequence[Record], width: int) -> bool:
    """Whether blanks divide cells rather than the words of a text: some column holds numbers."""
    below = [cells for _, cells in records[1:]]
    rows = [cells for cells in below if len(cells) == width]
    if not rows or len(rows) < 0.9 * len(below):
        return False
    return _NUMBERS in column_kinds(rows, width)


def _count_titles(records: Sequence[Record], width: int, header: bool | None) -> int:
    """Count the first records that stand above the table."""
    rows = [cells for _, cells in records[len(records) // 2 :] if len(cells) >= width]
    while width > 2 and not any(row[width - 1].strip() for row in rows):  # commas behind the rows
        width -= 1
    kinds = column_kinds(rows, width)
    n = 0
    while n < min(MAX_TITLES, len(records) - 2) and _is_title(records[n:], width, kinds, header):
        n += 1
    return n


def _is_title(
    records: Sequence[Record], width: int, kinds: Sequence[str | None], header: bool | None
) -> bool:
    """Whether the first record stands above the header: it is short, or has mostly empty cells."""
    cells, below = records[0][1], [row for _, row in records[1 : MAX_TITLES + 2]]
    known = [cell for cell in cells if cell.strip()]
    full = next((row for row in below if len(row) >= width and any(map(str.strip, row))), None)
    if full is None:
        return False
    names, alike = against(full, kinds)
    is_above_header = len(names) > len(alike) or _are_numbered(full, alike, below[-1:])
    while len(cells) > width and not cells[-1].strip():
        cells = cells[:-1]
    if len(cells) > width:  # a sentence with commas
        return is_above_header
    if len(cells) < width:
        is_short = len(cells) < width - 1 or 2 * len(known) <= width
        return is_above_header or (is_short and width > 2)
    if header is False or not is_above_header or against(cells, kinds)[1]:
        return False
    is_padded = 2 * len(known) <= width and (width > 2 or bool(cells[0].strip()))
    return is_padded and len(known) < sum(bool(cell.strip()) for cell in full)


def _names_in(line: str, separator: str, width: int) -> list[str] | None:
    """The names of all columns in a comment."""
    text = _COMMENT.sub("", line.strip(), count=1).strip(" ")
    is_named_by_mark = separator != BLANKS and text.startswith(separator)  # #,Name,Type
    text = line.strip() if is_named_by_mark else text
    names = [cell.strip() for _, cells in records_in([text], separator) for cell in cells]
    are_names = all(names) and (is_named_by_mark or not any(map(_NUMBER.fullmatch, names)))
    return names if len(names) == width and are_names else None


def column_kinds(rows: Sequence[Sequence[str]], width: int) -> list[str | None]:
    """What most known cells of each column look like where that has digits, else None."""
    kinds: list[str | None] = []
    for j in range(width):
        cells = [row[j].strip() for row in rows if j < len(row)]
        known = [_kind_of_cell(cell) for cell in cells if cell.lower() not in MISSING]
        kind, count = Counter(known).most_common(1)[0] if known else ("", 0)
        kinds.append(kind if "9" in kind and 10 * count >= 7 * len(known) else None)
    return kinds


def _kind_of_cell(cell: str) -> str:
    """What a cell looks like: numbers are alike, and so are dates that are written in one way."""
    cell = cell.strip()
    return _NUMBERS if _NUMBER.fullmatch(cell) else re.sub(r"\d+", "9", cell)


def against(cells: Sequence[str], kinds: Sequence[str | None]) -> tuple[list[int], list[int]]:
    """Columns in which a row has a name above numbers, and in which it is like the others."""
    names, alike = [], []
    for j, (cell, kind) in enumerate(zip(cells, kinds, strict=False)):
        if kind is None or cell.strip().lower() in MISSING:
            continue
        if _kind_of_cell(cell) == kind:
            alike.append(j)
        elif re.search(r"[^\W\d_]|[][(){}%\u00b0$\u20ac\u00a3]", cell):
            names.append(j)
    return names, alike


NO_HEADER = "The file has no header: the columns were named x1, x2, ... and class."
ABOVE = "The first row was taken for the header, since it holds words above numbers."
COUNTING = (
    "The first row was taken for the header, since its numbers count up and those below do not."
)
NEW = "The first row was taken for the header, since most of its words are not repeated below."
LIKE = (
    "The file has no header, since its first row holds numbers as the rows below do: the columns "
    "were named x1, x2, ... and class."
)
AGAIN = (
    "The file has no header, since the words of its first row are repeated below: the columns "
    "were named x1, x2, ... and class."
)
"""What was guessed of a header, and why."""


def guess_header(
    first: Sequence[str], rows: Sequence[Sequence[str]], lost: set[int], found: set[int]
) -> tuple[bool, str]:
    """Whether the first row is a header, and a sentence on it, empty where none could doubt it.

    rows: some of the rows below it; lost, found: columns of words in the first row, which are not
    or are repeated below.
    """
    above, alike = against(first, column_kinds(rows, len(first)))
    names = [j for j in above if j not in found]
    if len(names) > len(alike):
        return True, ABOVE if alike else ""
    if alike and _are_numbered(first, alike, rows):
        return True, COUNTING
    few = {j for j in lost if _is_repetitive(rows, j)}
    if len(alike) > max(len(names), len(few) - 1):
        return False, LIKE
    if first and not first[0].strip() and not alike:  # pandas writes no name above its index
        return True, ""
    if lost and (not found or len(few) > len(found)):
        return True, NEW if found else ""
    return False, AGAIN


def _is_repetitive(rows: Sequence[Sequence[str]], j: int) -> bool:
    cells = [row[j].strip() for row in rows if j < len(row)]
    return 2 * len(set(cells)) <= len(cells)


def _are_numbered(
    first: Sequence[str], alike: Sequence[int], rows: Sequence[Sequence[str]]
) -> bool:
    """Whether numbers in a first row are names: years, wavelengths, or 0, 1, 2, not found below."""
    if not _count_up([first[j] for j in alike]):
        return False
    others = [[row[j] for j in alike if j < len(row)] for row in rows]
    if 2 * sum(map(_count_up, others)) > len(rows):  # as curves do
        return False
    below = [{row[j].strip() for row in rows if j < len(row)} for j in alike]
    again = sum(first[j].strip() in column for j, column in zip(alike, below, strict=True))
    return 2 * again < len(alike)


def _count_up(cells: Sequence[str]) -> bool:
    try:
        values = [float(cell) for cell in cells]
    except ValueError:
        return False
    steps = [b - a for a, b in pairwise(values)]
    if not steps or min(steps) <= 0:
        return False
    years = all(1800 <= value <= 2100 and value == int(value) for value in values)
    even = max(steps) - min(steps) <= 1e-6 * max(map(abs, values))
    few = values in ([0.0, 1.0, 2.0], [1.0, 2.0, 3.0])
    return years or len(values) > 7 or (even and (len(values) > 3 or few))
