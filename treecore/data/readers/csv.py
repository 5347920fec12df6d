"""Where a CSV becomes numbers: a file of separated values as blocks of columns.

pandas cuts the text into cells and reads those that are numbers, in as many rows at once as fit.
Decided here are the encoding, the separator, the decimal mark, the header, which columns are
numbers throughout, and which rows and columns hold nothing, all in one pass over the file; what
text means is left to :mod:`treecore.data.readers.encoding`. What that pass has cut waits for those
that read it, where there is room: cutting it again would take longer than all the rest.
"""

from __future__ import annotations

import contextlib
import itertools
import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice, takewhile

import numpy as np
import pandas as pd
import pyarrow as pa

from treecore.base.limits import LIBRARY, Limits
from treecore.data.dataset import Dataset
from treecore.data.readers.cells import are_numbers
from treecore.data.readers.frames import (
    are_blank,
    as_cut,
    empty_rows,
    has,
    in_all_cases,
    in_arrow,
    is_int,
    rows_equal,
    rows_of_totals,
)
from treecore.data.readers.header import (
    NO_HEADER,
    against,
    column_kinds,
    count_second_headers,
    guess_header,
)
from treecore.data.readers.layout import BLANKS, common_width
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

KEPT_BYTES = 160_000_000
"""Of cells that wait to be handed on, at most."""

PADDED_CELLS = 100_000
"""Cells at the beginning of a file that are looked at for zeros before a number."""

_PADDED = re.compile(r"\s*0\d\d+\s*$")

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
    "class". Titles, comments, units and remarks around the rows are left out; notes tell all that
    was guessed or left out.

    source: packed or not, in UTF-8 or another usual encoding, which a note tells; drop: columns
    that are left out; limits: greater files are refused. Raises TableError for every file that is
    not such a table, and whatever its bytes.
    """
    reading = (reading or ReadingSettings()).leaving_out(drop)
    return read_dataset(CsvTable(source, limits, reading), target, task, unusable)


def read_columns(source) -> tuple[str, ...]:
    """The names of the columns a target can be chosen from, as :func:`read_csv` reads them."""
    return CsvTable(source).columns


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
        self._decimal, self._empty = self._file.decimal_mark(), np.empty(0, dtype=int)
        self.comma_in_numbers = self._decimal == ","
        self._may_drop = True
        try:
            n_rows, others = self._scan(first, KEPT_BYTES)
        except _Remarks:
            n_rows, others = self._scan(first, KEPT_BYTES)
        self.notes = [*self._file.notes, *self._notes]
        if not to_learn:
            self._empty, others = self._empty[:0], {}
        names = first
        if not self.has_header:
            names = [*(f"x{j}" for j in range(1, len(first))), "class"]
        if self._empty.size:
            self.notes.append(f"Rows without any value were left out: {self._empty.size}.")
        for note, rows in others.items():
            self.notes.append(note)
            self._empty = np.union1d(self._empty, rows)
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
        self, columns: Sequence[str], as_text: Collection[str] = (), *, last: bool = False
    ) -> Iterator[pa.RecordBatch]:
        """As for :meth:`treecore.data.readers.table.Table.batches`; numbers are float64."""
        places = [self._places[name] for name in columns]
        text = {self._places[name] for name in columns if name in self.texts or name in as_text}
        for frame in self._waiting_rows(text, places, last) or self._filled_rows(text, places):
            arrays = [in_arrow(frame[j], j in text) for j in places]
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
        n_above: int | None = None,
        n_rows: int | None = None,
    ) -> Iterator[pd.DataFrame]:
        """The cells of all records below a header: NaN, or "", where they are missing.

        Without ``n_above`` all records of the header stand above them. Without ``places`` all
        columns are there, and those not in ``text`` are numbers or not;
        without ``n_rows`` there are as many in a frame as are sensible.
        """
        every = range(self._width) if places is None else places
        kinds: dict[int, type] = dict.fromkeys(text, str)
        if places is not None:
            kinds |= dict.fromkeys(set(every).difference(text), float)
        words = in_all_cases(self.reading.missing_words)
        precision = {} if EXACT else {"float_precision": "round_trip"}
        with self._file.open() as file:
            try:
                above = self._n_above if n_above is None else n_above
                for _ in islice(self._file.records(file), above):
                    pass
                with pd.read_csv(
                    file,
                    sep=r"\s+" if self._file.separator == BLANKS else self._file.separator,
                    quotechar=self._file.quote,
                    header=None,
                    usecols=places,
                    dtype=kinds,
                    decimal=self._decimal,
                    skipinitialspace=True,
                    keep_default_na=False,
                    na_values={j: words for j in every if j not in text} or None,
                    low_memory=False,
                    chunksize=n_rows or batch_rows(len(every)),
                    **precision,
                ) as frames:
                    yield from frames
            except pd.errors.EmptyDataError:
                return
            except ValueError as error:  # pandas' ParserError is one
                if "out of memory" in str(error):
                    raise MemoryError from None
                open_quote = "EOF inside string" in str(error)
                self._check_widths(open_quote)
                raise TableError(
                    f"the file cannot be read as a table: {' '.join(str(error).split())}"
                ) from None

    def _check_widths(self, open_quote: bool = False, n_records: int = 0) -> None:
        """Refuse rows of another width; what is no row is dropped, and the scan begins anew."""
        try:
            self._file.check_widths(self._width, open_quote, n_records, self._n_other)
        except TableError:
            may_drop, self._may_drop = self._may_drop and not open_quote, False
            if not may_drop or not self._file.drop_remarks(self._width, self._n_other):
                raise
            raise _Remarks from None

    def _scan(self, first: list[str], room: int) -> tuple[int, dict[str, np.ndarray]]:
        """Look for a header and for text; rows below a header, and which of them are empty.

        Others that are no examples come with the note on them. The cells wait where there is room
        for them all, in bytes.
        """
        self._text_places: set[int] = set()
        self._waiting: deque[dict[int, np.ndarray | pa.Array]] = deque()
        self._notes: list[str] = []
        is_named = self._file.names is not None
        kinds = column_kinds(self._head[1:], self._width)
        above, alike = against(first, kinds)
        n_second = 0
        if self.reading.header is not False and (is_named or len(above) > len(alike)):
            n_second = count_second_headers(self._head, kinds)
        rows = self._head[n_second:]
        plain = re.compile(
            rf" *[-+]?\d+([{self._decimal}]\d*)?(e[-+]?\d+)?", re.ASCII | re.IGNORECASE
        )
        words = {j for j, cell in enumerate(first) if not plain.fullmatch(cell)}
        # Words of a first row that come again further down their column are values, no names.
        numeric = are_numbers(first, self.decimal_comma)
        texts = {
            j for j, cell in enumerate(first) if not numeric[j] and cell.lower() not in MISSING
        }
        lost = set(texts)
        # What pandas would not give back as it is written.
        self._text_places |= {
            j for j in lost if re.fullmatch(r"(?i)true|false|[-+\d.,e]+", first[j])
        }
        self._text_places |= self._padded_places()
        names, again = {j: first[j] for j in lost}, [np.empty(0, dtype=int)]
        are_names, totals = False, []
        n_rows, n_before, empty, gaps = 0, 0, [], False
        for frame in self._frames(self._text_places, n_above=0 if is_named else 1 + n_second):
            if frame.shape[1] != self._width:
                self._check_widths()
                raise TableError("the file cannot be read as a table: its rows differ in width")
            cells = {j: as_cut(frame[j]) for j in frame}
            in_text = {j for j in cells if isinstance(cells[j], pa.Array)}
            self._text_places |= in_text
            lost -= {j for j in lost & in_text if has(cells[j], first[j])}
            if names and names.keys() <= in_text:
                again.append(n_rows + rows_equal(cells, names))
                are_names |= again[-1].size > 0 and self._are_above_numbers(cells, names)
            gaps |= bool(are_blank(cells[self._width - 1]).any())
            blank = empty_rows(cells, len(frame))
            empty.append(n_rows + blank)
            totals = [
                (n_rows + row, word) for row, word in rows_of_totals(cells, blank, len(frame))
            ]
            n_before, n_rows = n_rows, n_rows + len(frame)
            room -= sum(column.nbytes for column in cells.values())
            if room >= 0:
                written = {j for j in cells if j not in in_text or is_int(frame[j])}
                self._waiting.append({j: cells[j] for j in written})
            if n_rows > self.limits.n_rows + 1:
                break
        if gaps:  # pandas fills up rows that are too short with empty cells
            self._check_widths(n_records=n_rows + (not is_named))
        self._decide_header(first, rows, lost, texts - lost, are_names, n_second)
        headers = np.concatenate(again if are_names else again[:1])
        others = self._no_examples(headers, self._seen_only_there(totals, n_before))
        found = np.concatenate([np.empty(0, dtype=int), *empty])
        if found.size:  # or its cells say in words that they are missing
            records = enumerate(islice(self._file.records(), max(1, self._n_above), None))
            blank = np.array([row for row, (_, cells) in records if not "".join(cells).strip()])
            found = np.intersect1d(found, blank.astype(int))
        if found.size or others or not self.has_header or room < 0:
            self._waiting.clear()
        self._empty = found + (not self.has_header)
        if not self.has_header:
            self._text_places |= words
        return n_rows + (not self.has_header), others

    def _decide_header(
        self,
        first: list[str],
        rows: list[list[str]],
        lost: set[int],
        found: set[int],
        are_names: bool,
        n_second: int,
    ) -> None:
        """Say whether the first row holds names, and how many records stand above the others."""
        said, is_named = self.reading.header, self._file.names is not None
        guess = guess_header(first, rows, lost, found)
        is_sure = is_named or n_second > 0 or are_names
        self.has_header = said if said is not None else is_sure or guess.has_header
        if self._n_other and not self.has_header:  # then it is a row like the others
            self._file.check_widths(self._first_width)
        self._n_above = 0 if is_named else int(self.has_header) + n_second
        if n_second:
            reported = [", ".join(map(str.strip, row)) for row in self._head[:n_second]]
            self._notes.append(f"Rows below the header were left out: {listed(reported, 3)}.")
        if said is not None or is_named or self.has_header != guess.has_header:
            if not self.has_header:
                self._notes.append(NO_HEADER)
        elif guess.note:
            self._notes.append(guess.note)

    def _padded_places(self) -> set[int]:
        """Columns in which a cell begins with zeros, as 00501 does, which a number would lose."""
        found: set[int] = set()
        n_records = max(20, PADDED_CELLS // self._width)
        with contextlib.suppress(TableError):  # of records that cannot be cut, told elsewhere
            for _, cells in islice(self._file.records(), n_records):
                found |= {j for j, cell in enumerate(cells[: self._width]) if _PADDED.match(cell)}
        return found

    def _no_examples(
        self, headers: np.ndarray, totals: list[tuple[int, str]]
    ) -> dict[str, np.ndarray]:
        """Rows that have cells and are left out nevertheless, each kind by the note on it."""
        others: dict[str, np.ndarray] = {}
        if headers.size:
            others[f"Repeated headers were left out: {headers.size}."] = headers
        if totals:
            said = listed([word for _, word in totals], 3)
            note = f"Summary rows at the end were left out: {said}."
            others[note] = np.array([row for row, _ in totals]) + (not self.has_header)
        return others

    def _seen_only_there(
        self, totals: list[tuple[int, str]], n_before: int
    ) -> list[tuple[int, str]]:
        """Rows at the end whose words no earlier frame holds: a class may be called average."""
        words, places, start = {word for _, word in totals}, sorted(self._text_places), 0
        for frame in self._frames(places, places, 1) if totals and n_before else ():
            if start == n_before:
                break
            start += len(frame)
            texts = [as_cut(frame[j]) for j in places]
            words -= {word for word in words if any(has(cells, word) for cells in texts)}
        return list(takewhile(lambda total: total[1] in words, totals))

    def _are_above_numbers(
        self, cells: Mapping[int, np.ndarray | pa.Array], names: Iterable[int]
    ) -> bool:
        """Whether most cells of a column with such a name are numbers, which it is not."""
        columns = ([cell or "" for cell in cells[j][:200].tolist()] for j in names)
        return any(2 * are_numbers(few, self.decimal_comma).sum() > len(few) for few in columns)

    def _waiting_rows(
        self, text: Collection[int], places: Sequence[int], last: bool
    ) -> Iterator[Mapping[int, np.ndarray | pa.Array | pd.Series]] | None:
        """The same cells where some of them wait; the ``last`` pass lets them go."""
        waiting = self._waiting
        again = sorted(  # numbers of which the text is asked for, and text that was read as numbers
            {j for rows in waiting for j in text if not isinstance(rows.get(j), pa.Array)}
        )
        if not waiting or len(again) == len(places):
            return None
        if last:
            self._waiting = deque()
        n_rows = batch_rows(self._width)  # as many as the scan has had in a frame
        frames = self._frames(again, again, n_rows=n_rows) if again else itertools.repeat({})
        each = (waiting.popleft() for _ in range(len(waiting))) if last else waiting
        both = zip(each, frames, strict=False)
        return (rows | {j: frame[j] for j in again} for rows, frame in both)

    def _filled_rows(self, text: Collection[int], places: Sequence[int]) -> Iterator[pd.DataFrame]:
        """The cells below the header, without empty rows."""
        start = 0
        for frame in self._frames(text, places):
            here = self._empty[(self._empty >= start) & (self._empty < start + len(frame))]
            yield frame.drop(index=frame.index[here - start]) if here.size else frame
            start += len(frame)

    def _cells(self, place: int) -> Iterator[str]:
        return (cell for frame in self._filled_rows([place], [place]) for cell in frame[place])


class _Remarks(Exception):
    """Lines that are no rows were found, and are dropped from now on."""
