"""A text table as a stream: the columns that reading it whole would give, without its rows at once.

The separator, the header and the names are told by the first lines, as for a whole file. What a
column holds is not: a first pass counts numbers and texts in all of it, so that a text in the last
row is seen, and the rules of :mod:`treecore.data.readers.encoding` decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from treecore.data.readers.blocks import ArrowBlocks, arrow, find_target
from treecore.data.readers.encoding import has_codes
from treecore.data.readers.text import MISSING, TableError, quoted, read_numbers, read_text_table

HEAD_BYTES, BLOCK_BYTES = 1 << 20, 1 << 22
"""What is read to find separator and names, and what is read at once afterwards."""


class CsvBlocks(ArrowBlocks):
    """The rows of a text file in UTF-8, of one separator and with names or without."""

    def __init__(self, path: Path, target: str | None, task: str | None):
        self._arrow, self._path = arrow(), path
        try:
            with open(path, "rb") as file:
                head = file.read(HEAD_BYTES + 1)
        except OSError as error:
            raise TableError(f"{path.name} cannot be read: {error.strerror}") from error
        if head.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise TableError(f"{path.name} is in UTF-16: save it in UTF-8 to read it in pieces")
        if len(head) > HEAD_BYTES:
            head = head[: head.rfind(b"\n") + 1]
            while head.count(b'"') % 2:  # the cut is inside a cell, which has a line break
                head = head[: head.rfind(b"\n", 0, -1) + 1]
            if not head:
                raise TableError(
                    f"{path.name} opens a quotation mark in its first lines and nothing closes it"
                )
        table = read_text_table(head, HEAD_BYTES + 1, HEAD_BYTES)
        self._separator, self._places = table.separator, table.places
        self._header = int(table.has_header)
        self._blank = len(head) - len(head.lstrip(b"\r\n"))
        self._blank = head[: self._blank].replace(b"\r\n", b"\n").count(b"\n")
        self._width = table.width
        names = list(self._places)
        target = find_target(names, target)
        self._comma: dict[str, bool] = {}
        texts = self._survey_types(names, target, task)
        self._prepare([name for name in names if name in self._comma], texts, target)

    def _survey_types(self, names: list[str], target: str, task: str | None) -> list[str]:
        """The columns of text; those that hold anything at all get a place in ``_comma``."""
        known = dict.fromkeys(names, 0)
        odd = {name: [0] * (1 if self._separator == "," else 2) for name in names}
        first_odd: dict[str, str] = {}
        digits, padded = True, False  # of the target: whether its numbers are codes, as 007 is
        for batch in self._raw(names):
            for name, column in zip(names, batch.columns, strict=True):
                known[name] += len(column) - column.null_count
                if name != target and self._as_float(column) is not None:
                    odd[name] = [odd[name][0], *(n + self._dotted(column) for n in odd[name][1:])]
                    continue
                counts = column.drop_null().value_counts()
                cells = counts.field("values").to_pylist()
                often = counts.field("counts").to_numpy()
                for comma in range(len(odd[name])):
                    strange = np.isnan(_read(cells, bool(comma)))
                    odd[name][comma] += int(often[strange].sum())
                    if strange.any() and not comma:
                        first_odd.setdefault(name, cells[int(np.argmax(strange))])
                if name == target:
                    digits &= all(cell.isdecimal() for cell in cells)
                    padded |= digits and has_codes(cells)
        texts = []
        for name in names:
            if known[name] == 0 and name != target:
                continue  # a column without any value, which is left out of a whole file as well
            fewest = min(odd[name])
            self._comma[name] = odd[name].index(fewest) == 1
            if name == target:
                if fewest or (padded and digits and task != "regression"):
                    texts.append(name)
            elif 2 * fewest > known[name]:
                texts.append(name)
            elif fewest:
                raise TableError(
                    f"column {quoted(name)} holds numbers, but also the text "
                    f"{quoted(first_odd[name])} in {fewest} rows: correct it or remove the rows"
                )
        return texts

    def _batches(self, columns: list[str] | None) -> Iterator:
        columns = columns or [*self._columns, self.target_name]
        for batch in self._raw(columns):
            arrays = [
                column if name in self._texts else self._to_float(column, self._comma[name])
                for name, column in zip(columns, batch.columns, strict=True)
            ]
            found = self._arrow.RecordBatch.from_arrays(arrays, names=columns)
            for start in range(0, found.num_rows, self._batch_rows):
                yield found.slice(start, self._batch_rows)

    def _raw(self, columns: list[str]) -> Iterator:
        """Batches of stripped text, null where it stands for nothing."""
        csv, compute = self._arrow.csv, self._arrow.compute
        every = [str(place) for place in range(self._width)]
        wanted = [str(self._places[name]) for name in columns]
        missing = self._arrow.array(sorted(MISSING))
        try:
            reader = csv.open_csv(
                self._path,
                csv.ReadOptions(
                    use_threads=False,
                    block_size=BLOCK_BYTES,
                    skip_rows=self._blank,
                    column_names=every,
                    skip_rows_after_names=self._header,
                ),
                csv.ParseOptions(delimiter=self._separator, newlines_in_values=True),
                csv.ConvertOptions(
                    column_types=dict.fromkeys(every, self._arrow.string()),
                    include_columns=wanted,
                    strings_can_be_null=False,
                ),
            )
            with reader:
                for batch in reader:
                    cells = [compute.utf8_trim_whitespace(column) for column in batch.columns]
                    absent = [compute.is_in(compute.utf8_lower(c), missing) for c in cells]
                    known = [
                        compute.if_else(gone, self._arrow.scalar(None, "string"), c)
                        for gone, c in zip(absent, cells, strict=True)
                    ]
                    yield self._arrow.RecordBatch.from_arrays(known, names=columns)
        except (self._arrow.ArrowException, OSError) as error:
            told = " ".join(str(error).split())
            raise TableError(f"{self._path.name} cannot be read to its end ({told})") from error

    def _as_float(self, column):
        try:
            return column.cast(self._arrow.float64())
        except self._arrow.ArrowInvalid:
            return None  # Python reads more than Arrow does, such as +1

    def _to_float(self, column, comma: bool):
        found = None if comma else self._as_float(column)
        if found is not None:
            return found
        numbers = _read(column.to_pylist(), comma)
        return self._arrow.array(numbers, from_pandas=True)

    def _dotted(self, column) -> int:
        """Cells that a decimal comma cannot be in, because they have a point."""
        dots = self._arrow.compute.match_substring(column, ".")
        return int(self._arrow.compute.sum(dots).as_py() or 0)


def _read(cells: list[str | None], comma: bool) -> np.ndarray:
    """Cells as numbers, NaN for what is none, with a decimal point or a decimal comma."""
    if comma:
        cells = ["?" if "." in (c or "") else (c or "").replace(",", ".") for c in cells]
    return read_numbers(np.array([c or "" for c in cells], dtype=object), ",")
