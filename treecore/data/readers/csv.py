"""Where a CSV becomes numbers: a file of separated values as blocks of columns.

pandas cuts the text into cells and reads those that are numbers, in as many rows at once as fit.
One pass over the file finds the header, the columns that are numbers throughout, and the rows that
hold nothing; what text means is left to :mod:`treecore.data.readers.encoding`.
"""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from treecore.base.limits import LIBRARY, Limits
from treecore.data.dataset import Dataset
from treecore.data.readers.cells import are_numbers
from treecore.data.readers.layout import (
    BLANKS,
    NO_HEADER,
    against,
    column_kinds,
    common_width,
    guess_header,
)
from treecore.data.readers.settings import ReadingSettings
from treecore.data.readers.table import (
    MISSING,
    Table,
    TableError,
    batch_rows,
    check_height,
    check_width,
    listed,
    numbered,
    quoted,
)
from treecore.data.readers.text import TextFile
from treecore.data.readers.whole_table import read_dataset

PADDED_CELLS = 100_000
"""Cells at the beginning of a file that are looked at for zeros before a number."""

_PADDED = re.compile(r"\s*0\d\d+\s*$")
_TRUTH = r"(?i)true|false|[-+\d.,e]+"

EXACT = tuple(map(int, pd.__version__.split(".")[:2])) >= (3, 1)
"""Whether pandas reads numbers to the last bit without being asked to."""


def read_csv(
    source,
    target=None,
    task=None,
    *,
    drop: Sequence[str] = (),
    unusable: str = "refuse",
    reading: ReadingSettings | None = None,
    limits: Limits = LIBRARY,
) -> Dataset:
    """The dataset in a text file of separated values.

    The separator (comma, semicolon, tab, ``|`` or blanks) is found from the first lines. A file
    whose first row reads like data has no header: its columns are x1, x2, ... and the last is
    "class". Titles and comments above the rows are left out; notes tell all that was guessed or
    left out.

    source: packed or not, in UTF-8, UTF-16 or Windows-1252, which a note tells; drop: columns
    that are left out; limits: greater files are refused. Raises TableError for every file that is
    not such a table, and whatever its bytes.
    """
    reading = (reading or ReadingSettings()).leaving_out(drop)
    return read_dataset(CsvTable(source, limits, reading), target, task, unusable)


class CsvTable(Table):
    """The rows of a file of separated values.

    source, limits, reading: as for :func:`read_csv`; to_learn: rows to learn from are two at least,
    in two columns at least, and those without any value are left out. Raises TableError where it is
    no such table.
    """

    def __init__(
        self,
        source,
        limits: Limits = LIBRARY,
        reading: ReadingSettings | None = None,
        *,
        to_learn: bool = True,
    ):
        self.reading = reading or ReadingSettings()
        self.limits, self._file = limits, TextFile(source, limits, self.reading.header)
        self.name = self._file.name
        self.decimal_comma = self._file.separator != ","
        head = self._file.head()
        if not head or self._file.is_blank:
            raise TableError("the file is empty: choose one with a header and rows of values")
        self._head, first = self._find_columns(head)
        if self._width == 1 and to_learn:
            raise TableError(
                f"the file has a single column, {quoted(first[0])}: it needs at least one feature "
                "and a target, separated by comma, semicolon, tab, | or blanks"
            )
        check_width(self._width, limits)
        self._decimal = self._file.decimal_mark()
        self.comma_in_numbers = self._decimal == ","
        self.notes = list(self._file.notes)
        self._empty = np.empty(0, dtype=int)
        (n_rows, repeated), names = self._scan(first), first
        if not to_learn:
            self._empty = repeated = self._empty[:0]
        if not self.has_header:
            names = [*(f"x{j}" for j in range(1, len(first))), "class"]
        if self._empty.size:
            self.notes.append(f"Rows without any value were left out: {self._empty.size}.")
        if repeated.size:
            self.notes.append(f"Repeated headers were left out: {repeated.size}.")
            self._empty = np.union1d(self._empty, repeated)
        check_height(n_rows - self._empty.size, limits, to_learn)
        names, twice = numbered(names)
        if twice:
            note = f"Columns of the same name were numbered: {listed(twice, 5)}."
            self.notes.append(note)
        self._places = self._name_columns(names, self._cells)
        if self._has_row_names and self._places[self.columns[0]] == 0:
            self._places.pop(self.columns[0])
            self.columns = self.columns[1:]
            self.notes.append(
                "The header has one name too few. The first column holds names of rows and was "
                "left out."
            )
        self.texts = {name for name, place in self._places.items() if place in self._text_places}

    def _find_columns(self, head: list[list[str]]) -> tuple[list[list[str]], list[str]]:
        """Rows to look at, and the first record as wide as they are; say how wide that is."""
        self._has_row_names, self._n_other = False, 0
        if self._file.names is not None:
            self._width = len(self._file.names)
            return head, self._file.names
        first, rows, self._first_width = head[0], head[1:], len(head[0])
        self._width = common_width([(0, cells) for cells in rows or [first]])
        if len(first) > self._width and not any(cell.strip() for cell in first[self._width :]):
            first = first[: self._width]  # commas behind the names
        elif rows and len(first) < self._width and all(len(row) == self._width for row in rows):
            if not any(cell.strip() for row in rows for cell in row[len(first) :]):
                first = [*first, *[""] * (self._width - len(first))]  # commas behind the rows
            elif len(first) == self._width - 1:
                self._has_row_names, first = True, ["", *first]  # as R writes tables
        self._n_other = int(len(first) == self._width != len(head[0]))
        if len(first) != self._width:
            self._width = len(first)  # so rows of another width are refused
        return rows, [cell.strip() for cell in first]

    def batches(
        self, columns: Sequence[str], as_text: Collection[str] = ()
    ) -> Iterator[pa.RecordBatch]:
        """As for :meth:`treecore.data.readers.table.Table.batches`; numbers are float64."""
        places = [self._places[name] for name in columns]
        text = {self._places[name] for name in columns if name in self.texts or name in as_text}
        for frame in self._filled_rows(text, places):
            arrays = [_in_arrow(frame[j], j in text) for j in places]
            yield pa.RecordBatch.from_arrays(arrays, names=list(columns))

    def locate(self, column: str, row: int, value: object) -> tuple[str, str]:
        """As for :meth:`treecore.data.readers.table.Table.locate`: a cell's text, and its line."""
        # Only errors ask, and quoted line breaks and blank lines count: so the file is read again.
        for empty in self._empty:
            row += int(empty <= row)
        records = islice(self._file.records(), row + self._n_above, None)
        line, cells = next(records, (row + 1, [str(value)] * self._width))
        return cells[self._places[column]].strip(), f"line {line}"

    def _frames(
        self,
        text: Collection[int],
        places: Sequence[int] | None = None,
    ) -> Iterator[pd.DataFrame]:
        """The cells of all records below a header: NaN, or "", where they are missing.

        Without ``places`` all columns are there, and those not in ``text`` are numbers or not.
        """
        every = range(self._width) if places is None else places
        kinds: dict[int, type] = dict.fromkeys(text, str)
        if places is not None:
            kinds |= dict.fromkeys(set(every).difference(text), float)
        words = _in_all_cases(self.reading.missing_words)
        precision = {} if EXACT else {"float_precision": "round_trip"}
        with self._file.open() as file:
            try:
                for _ in islice(self._file.records(file), self._n_above):
                    pass
                with pd.read_csv(
                    file,
                    sep=r"\s+" if self._file.separator == BLANKS else self._file.separator,
                    header=None,
                    usecols=places,
                    dtype=kinds,
                    decimal=self._decimal,
                    skipinitialspace=True,
                    keep_default_na=False,
                    na_values={j: words for j in every if j not in text} or None,
                    low_memory=False,
                    chunksize=batch_rows(len(every)),
                    **precision,
                ) as frames:
                    yield from frames
            except pd.errors.EmptyDataError:
                return
            except ValueError as error:  # pandas' ParserError is one
                if "out of memory" in str(error):
                    raise MemoryError from None
                self._file.check_widths(
                    self._width, "EOF inside string" in str(error), 0, self._n_other
                )
                raise TableError(
                    f"the file cannot be read as a table: {' '.join(str(error).split())}"
                ) from None

    def _scan(self, first: list[str]) -> tuple[int, np.ndarray]:
        """Look for a header, for text, empty rows and headers among the rows, and count them."""
        is_named = self._file.names is not None
        number = re.compile(
            rf" *[-+]?\d+([{self._decimal}]\d*)?(e[-+]?\d+)?", re.ASCII | re.IGNORECASE
        )
        # Words of a first row that come again further down their column are values, no names.
        numeric = are_numbers(first, self.decimal_comma)
        words = {j for j, cell in enumerate(first) if not (numeric[j] or cell.lower() in MISSING)}
        again: set[int] = set()
        headers = [np.empty(0, dtype=int)]
        above, _ = against(first, column_kinds(self._head, self._width))
        # What pandas would not give back as it is written.
        self._text_places = self._padded_places()
        self._text_places |= {j for j in words if re.fullmatch(_TRUTH, first[j])}
        n_rows, empty, gaps, self._n_above = 0, [np.empty(0, dtype=int)], False, int(not is_named)
        for frame in self._frames(self._text_places):
            if frame.shape[1] != self._width:
                self._file.check_widths(self._width)
                raise TableError("the file cannot be read as a table: its rows differ in width")
            cells = {j: _as_cut(frame[j]) for j in frame}
            in_text = {j for j in cells if isinstance(cells[j], pa.Array)}
            self._text_places |= in_text
            again |= {j for j in (words - again) & in_text if _has(cells[j], first[j])}
            if above and words and words <= in_text:
                headers.append(n_rows + _rows_equal(cells, {j: first[j] for j in words}))
            gaps |= bool(_are_blank(cells[self._width - 1]).any())
            empty.append(n_rows + _empty_rows(cells, len(frame)))
            n_rows += len(frame)
            if n_rows > self.limits.n_rows + 1:
                break
        if gaps:  # pandas fills up rows that are too short with empty cells
            self._file.check_widths(self._width, False, n_rows + (not is_named), self._n_other)
        repeated = np.concatenate(headers)
        again = set() if repeated.size else again
        self._decide_header(first, words - again, again)
        self._empty = np.concatenate(empty) + (not self.has_header)
        if not self.has_header:
            self._text_places |= {j for j, cell in enumerate(first) if not number.fullmatch(cell)}
        return n_rows + (not self.has_header), repeated if self.has_header else repeated[:0]

    def _decide_header(self, first: list[str], lost: set[int], found: set[int]) -> None:
        """Say whether the first row holds names; its words are ``lost`` or ``found`` below it."""
        said, is_named = self.reading.header, self._file.names is not None
        self.has_header, note = guess_header(first, self._head, lost, found)
        if said is not None or is_named:
            self.has_header = is_named if said is None else said
            note = "" if self.has_header else NO_HEADER
        if self._n_other and not self.has_header:  # then it is a row like the others
            self._file.check_widths(self._first_width)
        self._n_above = int(self.has_header and not is_named)
        self.notes += [note] if note else []

    def _padded_places(self) -> set[int]:
        """Columns in which a cell begins with zeros, as 00501 does, which a number would lose."""
        found: set[int] = set()
        n_records = max(20, PADDED_CELLS // self._width)
        with contextlib.suppress(TableError):  # of records that cannot be cut, told elsewhere
            for _, cells in islice(self._file.records(), n_records):
                found |= {j for j, cell in enumerate(cells[: self._width]) if _PADDED.match(cell)}
        return found

    def _filled_rows(self, text: Collection[int], places: Sequence[int]) -> Iterator[pd.DataFrame]:
        """The cells below the header, without empty rows."""
        start = 0
        for frame in self._frames(text, places):
            here = self._empty[(self._empty >= start) & (self._empty < start + len(frame))]
            yield frame.drop(index=frame.index[here - start]) if here.size else frame
            start += len(frame)

    def _cells(self, place: int) -> Iterator[str]:
        return (cell for frame in self._filled_rows([place], [place]) for cell in frame[place])


def _in_arrow(cells: pd.Series, text: bool) -> pa.Array:
    """Cells as a column of text, or of numbers."""
    return pa.array(cells, pa.string() if text else pa.float64(), from_pandas=True)


def _as_cut(cells: pd.Series) -> np.ndarray | pa.Array:
    """A column as pandas has found it: numbers, or else text.

    Infinite numbers are malformed there, and whole ones beyond 2^53 keep their digits.
    """
    if cells.dtype.kind in "iuf":
        numbers = cells.to_numpy(np.float64)
        largest = np.abs(numbers).max(initial=0)
        if not np.isinf(numbers).any() if cells.dtype.kind == "f" else largest < 2**53:
            return numbers
    if pd.api.types.infer_dtype(cells, skipna=True) not in ("string", "empty"):
        cells = cells.astype(object).where(cells.notna(), None).map(str, na_action="ignore")
    return _in_arrow(cells, True)


@functools.cache
def _in_all_cases(words: frozenset[str]) -> list[str]:
    """Words for a missing value as they may be written."""
    return sorted({w for word in words for w in (word, word.upper(), word.capitalize())})


def _has(cells: pa.Array, cell: str) -> bool:
    """Whether a column of text has a cell, whatever blanks are around it."""
    return bool(pc.any(pc.equal(pc.utf8_trim_whitespace(cells), cell)).as_py())


def _rows_equal(cells: Mapping[int, Any], wanted: Mapping[int, str]) -> np.ndarray:
    """The numbers of the rows that have the wanted cells of text."""
    equal = [pc.equal(pc.utf8_trim_whitespace(cells[j]), cell) for j, cell in wanted.items()]
    return np.flatnonzero(functools.reduce(pc.and_, equal).fill_null(False))


def _are_blank(cells: np.ndarray | pa.Array) -> np.ndarray:
    """Which cells hold nothing, shape (n_rows,), bool."""
    if isinstance(cells, np.ndarray):
        return np.isnan(cells)
    blank = pc.equal(pc.utf8_trim_whitespace(cells), "").fill_null(True)
    return blank.to_numpy(zero_copy_only=False)


def _empty_rows(cells: Mapping[int, np.ndarray | pa.Array], n_rows: int) -> np.ndarray:
    """Rows such as ``,,,``, which spreadsheets write below the table."""
    empty = np.ones(n_rows, dtype=bool)
    for column in cells.values():
        empty &= _are_blank(column)
        if not empty.any():
            break
    return np.flatnonzero(empty)
