"""A text file of separated values: its bytes, encoding, separator and records.

Records are cut here for the first rows and for refusals, which tell lines; all rows are cut much
faster in :mod:`treecore.data.readers.csv`.
"""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import os
import re
from itertools import islice
from pathlib import Path
from typing import IO

from treecore.data.readers.table import TableError, quoted

SEPARATORS = ("\t", ";", "|", ",")
"""Commas come last: they also occur in numbers and in text, between other separators."""

WINDOW_BYTES = 1 << 22
"""Bytes that are looked at together."""


class TextFile:
    """A file that can be read from its beginning any number of times.

    Parameters
    ----------
    source, max_bytes
        As for :func:`treecore.data.readers.csv.read_csv`.

    Attributes
    ----------
    name : str
        For the dataset.
    separator : str
    is_blank : bool
        Whether there is nothing but blanks.

    Raises
    ------
    TableError
        Where it cannot be opened, is too large, or is no text.
    """

    def __init__(self, source, max_bytes: int):
        self.name, self._data = _find(source, max_bytes)
        self.is_blank = True
        self._encoding = self._check_text()
        self.separator = self._find_separator()

    def open(self) -> io.TextIOWrapper:
        """The text from its beginning, its line ends as they are."""
        return io.TextIOWrapper(self._bytes(), self._encoding, newline="")

    def records(self, text: IO[str] | None = None, separator: str | None = None):
        """Yield the first line and the cells of every record that is not blank, as pandas does.

        What is opened here is closed when the records end or are forgotten.
        """
        line = 1
        with self.open() if text is None else contextlib.nullcontext(text) as lines:
            delimiter = separator or self.separator
            reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
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

    def decimal_mark(self) -> str:
        """Guess from the first lines what most numbers have; a wrong guess only costs time."""
        with self.open() as file:
            head = file.read(100_000)
        commas, points = (len(re.findall(rf"\d[{mark}]\d", head)) for mark in ",.")
        return "," if self.separator != "," and commas > points else "."

    def check_widths(self, width: int, open_quote: bool = False, n_records: int = 0) -> None:
        """Refuse records of another width than the first one's.

        Where ``n_records`` are known to be no wider than it, counting separators mostly suffices.
        """
        if n_records and self._n_separators() == n_records * (width - 1):
            return
        line, cells = 0, []
        for line, cells in self.records():
            if len(cells) != width and not open_quote:
                raise TableError(
                    f"line {line} has {len(cells)} {'value' if len(cells) == 1 else 'values'}, but "
                    f"the first row has {width}: add or remove separators, or quote the "
                    "text around them"
                )
        if open_quote:  # it swallowed all that follows, so the last record is the one
            raise TableError(f"line {line} opens a quotation mark and nothing closes it: close it")

    def _n_separators(self) -> int:
        """How often the separator occurs; -1 where quoted text may have some of them."""
        count = 0
        with self.open() as file:
            while window := file.read(WINDOW_BYTES):
                if '"' in window:
                    return -1
                count += window.count(self.separator)
        return count

    def _bytes(self) -> IO[bytes]:
        return io.BytesIO(self._data) if isinstance(self._data, bytes) else open(self._data, "rb")

    def _check_text(self) -> str:
        """Find the encoding; refuse what is no text in it."""
        with self._bytes() as file:
            marked = file.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
            encoding, line, more = "utf-16" if marked else "utf-8-sig", 1, True
            decoder = codecs.getincrementaldecoder(encoding)()
            file.seek(0)
            while more:
                window = file.read(WINDOW_BYTES)
                more = bool(window)
                try:
                    # Pictures, workbooks and archives hold null bytes, and text does not.
                    text = (
                        "\0" if b"\0" in window and not marked else decoder.decode(window, not more)
                    )
                except UnicodeDecodeError as error:
                    before = error.object[: error.start].decode(error.encoding, "ignore")
                    raise TableError(
                        f"line {line + before.count(chr(10))} holds bytes that are not "
                        f"{'UTF-16' if marked else 'UTF-8'} text: save the file with the encoding "
                        'UTF-8 (in Excel "CSV UTF-8")'
                    ) from None
                if "\0" in text:
                    raise TableError(
                        "the file is not a text table: export the table as CSV in UTF-8"
                    )
                line += text.count("\n")
                self.is_blank &= not text.strip()
        return encoding

    def _find_separator(self) -> str:
        """The first separator that cuts the first records into equally many cells, at least two."""
        with self.open() as file:
            head = file.read(4_000_000)
        widest, most = ",", 1
        for separator in SEPARATORS:
            try:
                records = self.records(io.StringIO(head, newline=""), separator)
                widths = [len(cells) for _, cells in islice(records, 20)]
            except TableError:
                continue
            if widths and widths[0] > 1 and len(set(widths)) == 1:
                return separator
            if widths and widths[0] > most:
                widest, most = separator, widths[0]
        return widest


def _find(source, max_bytes: int) -> tuple[str, bytes | Path]:
    """A name for the dataset, and the bytes, or the file that has them."""
    name, data = "table", b""
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
        path = Path(os.fspath(source))
        name = str(path)
        try:
            with open(path, "rb") as file:
                if path.is_file() and path.stat().st_size <= max_bytes:
                    return path.stem or "table", path
                data = file.read(max_bytes + 1)  # a pipe can be read only once
        except (OSError, ValueError) as error:  # ValueError: a path with a null character
            reason = getattr(error, "strerror", None) or error
            raise TableError(f"{quoted(name)} cannot be read: {reason}") from None
    if len(data) > max_bytes:
        raise TableError(
            f"the file has more than {max_bytes / 1e6:g} MB: keep a random part of its rows"
        )
    return Path(name).stem or "table", data
