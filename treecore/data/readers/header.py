"""Which rows of a text file are names: by what cells look like, and what comes again below them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from treecore.data.readers.table import MISSING

NUMBER = re.compile(r"[-+\u2212]?\s*[\d.,][\d.,'\u2019 \u00a0\u202f]*(e[-+]?\d+)?", re.IGNORECASE)

NUMBERS = "9"


def kind_of_cell(cell: str) -> str:
    """What a cell looks like: numbers are alike, and so are dates that are written in one way."""
    cell = cell.strip()
    return NUMBERS if NUMBER.fullmatch(cell) else re.sub(r"\d+", "9", cell)


def column_kinds(rows: Sequence[Sequence[str]], width: int) -> list[str | None]:
    """What most known cells of each column look like where that has digits, else None."""
    kinds: list[str | None] = []
    for j in range(width):
        cells = [row[j].strip() for row in rows if j < len(row)]
        known = [kind_of_cell(cell) for cell in cells if cell.lower() not in MISSING]
        kind, count = Counter(known).most_common(1)[0] if known else ("", 0)
        kinds.append(kind if "9" in kind and 10 * count >= 7 * len(known) else None)
    return kinds


def against(cells: Sequence[str], kinds: Sequence[str | None]) -> tuple[list[int], list[int]]:
    """Columns in which a row has a name above numbers, and in which it is like the others."""
    names, alike = [], []
    for j, (cell, kind) in enumerate(zip(cells, kinds, strict=False)):
        if kind is None or cell.strip().lower() in MISSING:
            continue
        if kind_of_cell(cell) == kind:
            alike.append(j)
        elif re.search(r"[^\W\d_]|[][(){}%\u00b0$\u20ac\u00a3]", cell):
            names.append(j)
    return names, alike


def count_second_headers(rows: Sequence[Sequence[str]], kinds: Sequence[str | None]) -> int:
    """How many of the first rows below a header are no example, but name units or columns."""
    numeric = [j for j, kind in enumerate(kinds) if kind is not None]
    n = 0
    for row in rows[:3]:
        names, alike = against(row, kinds)
        known = [j for j in numeric if j < len(row) and row[j].strip().lower() not in MISSING]
        others = [other for other in rows if other is not row]
        if alike or len(names) < 2 or len(names) < len(known) or 2 * len(names) < len(numeric):
            break
        again = (
            cell.strip() and j < len(other) and other[j].strip() == cell.strip()
            for other in others
            for j, cell in enumerate(row)
        )
        if any(again):
            break
        n += 1
    return n if n < len(rows) - 1 else 0


NO_HEADER = "The file has no header: the columns were named x1, x2, ... and class."

ABOVE = "The first row was taken for the header, since it holds words above numbers."
COUNTING = (
    "The first row was taken for the header, since its numbers count up and those below do not."
)
GROWING = (
    "The first row was taken for the header, since its first cell is empty and its numbers grow."
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


class HeaderGuess(NamedTuple):
    """Whether the first row is a header, and a sentence on it, empty where none could doubt it."""

    has_header: bool
    note: str = ""


def guess_header(
    first: Sequence[str],
    rows: Sequence[Sequence[str]],
    lost: set[int],
    found: set[int],
) -> HeaderGuess:
    """Whether the first row holds names. rows: some of the rows below it."""
    kinds = column_kinds(rows, len(first))
    above, alike = against(first, kinds)
    names = [j for j in above if j not in found]
    if len(names) > len(alike):
        return HeaderGuess(True, ABOVE if alike else "")
    if alike and are_numbered(first, alike, rows):
        return HeaderGuess(True, COUNTING)
    if alike and _is_index_above(first, alike, rows):
        return HeaderGuess(True, GROWING)
    few = {j for j in lost if _is_repetitive(rows, j)}
    if len(alike) > max(len(names), len(few) - 1):
        return HeaderGuess(False, LIKE)
    if first and not first[0].strip() and not alike:  # pandas writes no name above its index
        return HeaderGuess(True)
    if lost and (not found or len(few) > len(found)):
        return HeaderGuess(True, NEW if found else "")
    return HeaderGuess(False, AGAIN)


def _is_repetitive(rows: Sequence[Sequence[str]], j: int) -> bool:
    cells = [row[j].strip() for row in rows if j < len(row)]
    return 2 * len(set(cells)) <= len(cells)


def _is_index_above(
    first: Sequence[str], alike: Sequence[int], rows: Sequence[Sequence[str]]
) -> bool:
    """Whether a row is one of numbers that are names, as pandas writes them above an index."""
    if first[0].strip() or len(alike) < max(3, len(first) - 1):
        return False
    if not all(row[0].strip() for row in rows):
        return False
    return _grow(first, alike)


def are_numbered(first: Sequence[str], alike: Sequence[int], rows: Sequence[Sequence[str]]) -> bool:
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
    return years or len(values) > 7 or (even and (len(values) > 3 or values in _COUNTS))


_COUNTS = ([0.0, 1.0, 2.0], [1.0, 2.0, 3.0])


def _grow(row: Sequence[str], places: Sequence[int]) -> bool:
    try:
        values = [float(row[j]) for j in places]
    except (ValueError, IndexError):
        return False
    return all(a < b for a, b in pairwise(values))
