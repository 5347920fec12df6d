"""Columns as pandas cuts them out of a text file, and which of their rows are no examples."""

from __future__ import annotations

import functools
from collections.abc import Mapping

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

TOTALS = frozenset(
    {"total", "totals", "sum", "average", "mean"}
    | {"summe", "gesamt", "gesamtsumme", "insgesamt", "mittelwert", "durchschnitt"}
)
"""Words with which cells of a row below a table end, in any case."""


def in_arrow(cells: np.ndarray | pa.Array | pd.Series, text: bool) -> pa.Array:
    """Cells as a column of text, or of numbers."""
    if isinstance(cells, pa.Array):
        return cells
    return pa.array(cells, pa.string() if text else pa.float64(), from_pandas=True)


def as_cut(cells: pd.Series) -> np.ndarray | pa.Array:
    """A column as pandas has found it: numbers, or else text.

    Infinite numbers are slips there, and whole ones beyond 2^53 keep their digits.
    """
    if cells.dtype.kind in "iuf":
        numbers = cells.to_numpy(np.float64)
        largest = np.abs(numbers).max(initial=0)
        if not np.isinf(numbers).any() if cells.dtype.kind == "f" else largest < 2**53:
            return numbers
    if not is_written(cells):
        cells = cells.astype(object).where(cells.notna(), None).map(str, na_action="ignore")
    return in_arrow(cells, True)


def is_written(cells: pd.Series) -> bool:
    """Whether a column of text holds its cells as the file does, and not what they stand for."""
    return pd.api.types.infer_dtype(cells, skipna=True) in ("string", "empty")


def is_int(cells: pd.Series) -> bool:
    """Whether a column of text has each cell as the file has it; None may be no missing value."""
    return is_written(cells) and not cells.hasnans


@functools.cache
def in_all_cases(words: frozenset[str]) -> list[str]:
    """Words for a missing value as they may be written."""
    return sorted({w for word in words for w in (word, word.upper(), word.capitalize())})


def has(cells: pa.Array, cell: str) -> bool:
    """Whether a column of text has a cell, whatever blanks are around it."""
    return bool(pc.any(pc.equal(pc.utf8_trim_whitespace(cells), cell)).as_py())


def are_blank(cells: np.ndarray | pa.Array) -> np.ndarray:
    """Which cells hold nothing, shape (n_rows,), bool."""
    if isinstance(cells, np.ndarray):
        return np.isnan(cells)
    blank = pc.equal(pc.utf8_trim_whitespace(cells), "").fill_null(True)
    return blank.to_numpy(zero_copy_only=False)


def rows_equal(cells: Mapping[int, np.ndarray | pa.Array], wanted: Mapping[int, str]) -> np.ndarray:
    """Rows that have the wanted cells of text."""
    equal = [pc.equal(pc.utf8_trim_whitespace(cells[j]), cell) for j, cell in wanted.items()]
    return np.flatnonzero(functools.reduce(pc.and_, equal).fill_null(False))


def rows_of_totals(
    cells: Mapping[int, np.ndarray | pa.Array], empty: np.ndarray, n_rows: int
) -> list[tuple[int, str]]:
    """Rows at the end that say that they sum up the others, each with the word for it."""
    found: list[tuple[int, str]] = []
    texts = [column for column in cells.values() if isinstance(column, pa.Array)]
    for row in range(n_rows - 1, -1, -1):
        if row in empty:
            continue
        words = [(column, (column[row].as_py() or "").strip()) for column in texts]
        word = next((w for _, w in words if w.rstrip(":").lower().rpartition(" ")[2] in TOTALS), "")
        if not word or any(w == word and has(column.slice(0, row), w) for column, w in words):
            break
        found.append((row, word))
    return found


def empty_rows(cells: Mapping[int, np.ndarray | pa.Array], n_rows: int) -> np.ndarray:
    """Rows such as ``,,,``, which spreadsheets write below the table."""
    empty = np.ones(n_rows, dtype=bool)
    for column in cells.values():
        empty &= are_blank(column)
        if not empty.any():
            break
    return np.flatnonzero(empty)
