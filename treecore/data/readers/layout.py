"""Where the table begins in a text file, what separates its cells, and whether it has a header.

All is found from the first records. A guess may be wrong, so none is final: rows that do not fit
it are refused with their line, and :class:`.settings.ReadingSettings` overrules the header.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from treecore.data.readers.header import NUMBER, NUMBERS, against, are_numbered, column_kinds
from treecore.data.readers.table import TableError, listed

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

Record = tuple[int, list[str]]
"""The number of a line, from 1, and the cells of the record that begins there."""


class Layout(NamedTuple):
    """What was found in the first lines.

    - separator, quote: between cells, and around those that hold separators.
    - n_skipped: lines above the first record.
    - dropped: lines that are drawn below the header.
    - fields: where the columns stand of a table that aligns them by blanks.
    - names: of the columns, where a comment above the rows holds them.
    - notes: what was left out, a sentence each.
    """

    separator: str
    quote: str
    n_skipped: int
    dropped: frozenset[int]
    fields: Fields | None
    names: list[str] | None
    notes: list[str]


class Fields:
    """Columns that stand one below the other, with blanks between them."""

    def __init__(self, starts: Sequence[int]):
        self._starts = starts

    def separated(self, line: str, number: int) -> str:
        """A line with tabs between its cells; refused where text stands across two columns."""
        text = line.expandtabs().rstrip()
        stops = [*self._starts[1:], max(len(text), self._starts[-1])]
        cells = [text[a:b] for a, b in zip(self._starts, stops, strict=True)]
        if any(len(text) > stop and text[stop - 1] != " " for stop in stops[:-1]):
            raise TableError(
                f"line {number} has text between the columns of the other lines: separate the "
                "cells by commas or tabs"
            )
        return "\t".join(map(str.strip, cells)) + "\n" if text else "\n"


def find_fields(lines: Sequence[str]) -> Fields | None:
    """The columns of lines in which the same places are blank; None where there are not two."""
    texts = [line.expandtabs().rstrip() for line in lines if line.strip()][:HEAD_RECORDS]
    if len(texts) < 3:
        return None
    width = max(map(len, texts))
    is_blank = [all(text[i : i + 1] in ("", " ") for text in texts) for i in range(width)]
    for smallest in (1, 2):
        starts: list[int] = []
        gap = smallest
        for place, blank in enumerate(is_blank):
            if not blank and (gap >= smallest or not starts):
                starts.append(place)
            gap = gap + 1 if blank else 0
        if len(starts) < 2:
            return None
        fields = Fields([0, *starts[1:]])
        names, *rows = [fields.separated(text, 0).strip("\n").split("\t") for text in texts]
        # One blank in all of a few lines may be one between words, above which there is no name.
        if smallest == 2 or not any(" " in name or not name for name in names):
            return fields if NUMBERS in column_kinds(rows, len(starts)) else None
    return None


def cut(lines: Iterator[str], separator: str, quote: str = '"') -> Iterator[list[str]]:
    """The cells of every record, those of blank ones as well."""
    if separator == BLANKS:
        lines = (line.replace("\t", " ").rstrip() + "\n" for line in lines)
    return csv.reader(lines, delimiter=separator, quotechar=quote, skipinitialspace=True)


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
    rules = frozenset(
        n for n, line in enumerate(lines[:MAX_TITLES], 1) if _RULE.fullmatch(line.strip())
    )
    body = [line for n, line in enumerate(lines[start:], start + 1) if n not in rules]
    separator, quote = _find_separator(body) if named is None else (named, '"')
    fields = None
    if not separator or (separator == BLANKS and not _agree(body, quote)):
        fields = find_fields(body)
    if fields is not None:
        kept = range(start + 1, HEAD_RECORDS + start)
        lines = [
            fields.separated(line, n) if n in kept and n not in rules else line
            for n, line in enumerate(lines, 1)
        ]
    separator = (separator or ",") if fields is None else "\t"
    records = _records(lines, start, rules, separator, quote)
    if not records:
        return Layout(separator, quote, skip, frozenset(), None, None, [])
    width = common_width(records)
    n_titles = _count_titles(records, width, header)
    notes, names = [], None
    if n_titles:
        titles = [" ".join(filter(None, map(str.strip, cells))) for _, cells in records[:n_titles]]
        notes.append(f"Lines above the table were left out: {listed([*filter(None, titles)], 3)}.")
        records = records[n_titles:]
    comments = [n for n in range(skip, start) if _COMMENT.match(lines[n])]
    if comments and not n_titles:
        last = lines[comments[-1]]
        found = _names_in(last, separator, quote, width)
        kinds = column_kinds([cells for _, cells in records[1:]], width)
        is_mark = found is not None and _COMMENT.fullmatch(found[0])
        if found and header is not False and (is_mark or against(records[0][1], kinds)[1]):
            names = found
            comments.pop()
            notes.append("A comment above the table gives the names of the columns.")
    if comments:
        notes.insert(0, f"Comments above the table were left out: {len(comments)}.")
    return Layout(separator, quote, records[0][0] - 1, rules, fields, names, notes)


def common_width(records: Sequence[Record]) -> int:
    """How many cells most records have that may be rows: the later half of those looked at."""
    widths = Counter(len(cells) for _, cells in records[len(records) // 2 :])
    return max(widths, key=lambda width: (widths[width], width))


def _records(
    lines: Sequence[str], start: int, rules: frozenset[int], separator: str, quote: str
) -> list[Record]:
    numbers: list[int] = []

    def numbered() -> Iterator[str]:
        for number, line in enumerate(lines[start:], start + 1):
            if number not in rules:
                numbers.append(number)
                yield line

    records: list[Record] = []
    n_cells = 0
    try:
        for cells in cut(numbered(), separator, quote):
            if len(cells) > 1 or "".join(cells).strip(" \t"):
                records.append((numbers[0], cells))
                n_cells += len(cells)
            numbers.clear()
            if len(records) == HEAD_RECORDS or (n_cells > HEAD_CELLS and len(records) > 9):
                break
    except csv.Error:
        pass
    return records


def _find_separator(lines: list[str]) -> tuple[str, str]:
    """What cuts most of the first records into equally many cells, at least two."""
    few = lines[: 2 * HEAD_RECORDS]
    quote = "'" if _has_single_quotes(few) else '"'
    best, best_score = "", (False, 0.0, 1)
    for separator in (*SEPARATORS, BLANKS):
        records = _records(few, 0, frozenset(), separator, quote)[:100]
        if not records:
            continue
        width = common_width(records)
        share = sum(len(cells) == width for _, cells in records) / len(records)
        if width < 2 or (separator != BLANKS and _hides_blanks(records, width)):
            continue
        if separator == BLANKS and (best_score[0] or not _is_table_of_blanks(records, width)):
            continue
        if share == 1 or (share > 0.9 and separator != BLANKS):
            return separator, quote
        score = (share > 0.5, share, width)
        if score > best_score:
            best, best_score = separator, score
    return best, quote


def _agree(lines: Sequence[str], quote: str) -> bool:
    """Whether blanks cut all records into as many cells, a header perhaps into one less."""
    first, *others = [cells for _, cells in _records(lines, 0, frozenset(), BLANKS, quote)]
    widths = set(map(len, others))
    return len(widths) == 1 and len(first) - min(widths) in (0, -1)


def _has_single_quotes(lines: Sequence[str]) -> bool:
    """Whether cells stand between single quotation marks: 'a','b, c'."""
    if any('"' in line for line in lines):
        return False
    quoted = re.compile(r"(^|[,;|\t ])\s*'[^']*'\s*($|[,;|\t ])")
    return 2 * sum(bool(quoted.search(line.strip())) for line in lines) > len(lines)


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
    return NUMBERS in column_kinds(rows, width)


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
    """Whether the first record stands above the header: it is short, or a group of columns."""
    cells, below = records[0][1], [row for _, row in records[1 : MAX_TITLES + 2]]
    known = [cell.strip() for cell in cells if cell.strip()]
    full = next((row for row in below if len(row) >= width and any(map(str.strip, row))), None)
    if full is None:
        return False
    names, alike = against(full, kinds)
    is_above_header = len(names) > len(alike) or are_numbered(full, alike, below[-1:])
    while len(cells) > width and not cells[-1].strip():
        cells = cells[:-1]
    if len(cells) > width:  # a sentence with commas
        return is_above_header
    if len(cells) < width:
        is_short = len(cells) < width - 1 or 2 * len(known) <= width
        return is_above_header or (is_short and width > 2)
    if header is False or not is_above_header or against(cells, kinds)[1]:
        return False
    full = [cell.strip() for cell in full if cell.strip()]
    in_groups = not alike and len(set(known)) < len(known) and len(set(full)) == len(full)
    is_padded = 2 * len(known) <= width and (width > 2 or bool(cells[0].strip()))
    return (is_padded and len(known) < len(full)) or in_groups


def _names_in(line: str, separator: str, quote: str, width: int) -> list[str] | None:
    """The names of all columns in a comment."""
    text = _COMMENT.sub("", line.strip(), count=1).strip(" ")
    is_named_by_mark = separator != BLANKS and text.startswith(separator)  # #,Name,Type
    text = line.strip() if is_named_by_mark else text
    names = [cell.strip() for cell in next(cut(iter([text]), separator, quote), [])]
    are_names = all(names) and (is_named_by_mark or not any(map(NUMBER.fullmatch, names)))
    return names if len(names) == width and are_names else None
