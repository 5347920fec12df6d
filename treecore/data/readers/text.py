"""A text file of separated values: its bytes, encoding, separator and records.

Records are cut here for the first rows and for refusals, which tell lines; all rows are cut much
faster in :mod:`treecore.data.readers.csv`.
"""

from __future__ import annotations

import bz2
import contextlib
import csv
import gzip
import io
import lzma
import os
import re
import sys
import tempfile
import weakref
import zlib
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

from treecore.base.limits import Limits
from treecore.data.readers.encodings import WINDOW_BYTES, find_encoding
from treecore.data.readers.layout import (
    BLANKS,
    HEAD_RECORDS,
    SEPARATORS,
    Fields,
    cut,
    find_layout,
)
from treecore.data.readers.table import TableError, listed, quoted, shortened

OTHERS = {
    "an ARFF file": re.compile(r"(?im)^\s*@(relation|attribute)\s"),
    "JSON": re.compile(r'\A\s*(\[\s*)?[\[{]\s*["\[{]'),
    "a web page or XML": re.compile(r"(?i)\A\s*<(!doctype|html|\?xml)"),
}
"""Text that is no table of separated values, by what it begins with."""

_LIBSVM = re.compile(r"\s*[-+.\d]+([ \t]+\d+:[-+.\deE]+)+[ \t]*(#.*)?[\r\n]")

HEAD = 20_000
"""Characters that are looked at for these."""

NAMED = (*SEPARATORS, ":", " ", "^", "~")
"""Separators that a file may have if its first line names them."""

PACKED: dict[bytes, Callable[..., Any]] = {
    b"\x1f\x8b": gzip.open,
    b"\xfd7zXZ\x00": lzma.open,
    **{b"BZh%d1AY&SY" % level: bz2.open for level in range(1, 10)},
}
"""What opens packed text, by its first bytes, with which no text begins."""

HEAD_CHARACTERS = 4_000_000
"""Characters in which the layout is looked for."""


class _KeptLines(io.TextIOBase):
    """A text without the lines that have these numbers, its columns separated by tabs."""

    def __init__(self, file: IO[str], dropped: frozenset[int], n_read: int, fields: Fields | None):
        self._file, self._dropped, self._fields = file, dropped, fields
        self._n, self._rest = n_read, ""

    def readline(self, size: int = -1) -> str:  # type: ignore[override]
        line, self._rest = self._rest, ""
        while not line and (line := self._file.readline()):
            self._n += 1
            if self._n in self._dropped:
                line = ""
            elif self._fields is not None:
                line = self._fields.separated(line, self._n)
        return line

    def read(self, size: int | None = -1) -> str:
        most = sys.maxsize if size is None or size < 0 else size
        lines, n = [], 0
        while n < most and (line := self.readline()):
            lines.append(line)
            n += len(line)
        text = "".join(lines)
        self._rest = text[most:]
        return text[:most]

    def close(self) -> None:
        self._file.close()
        super().close()


class TextFile:
    """A file that can be read from its beginning any number of times.

    source, limits: as for :func:`treecore.data.readers.csv.read_csv`; header: whether the first row
    holds names, if that is known. Raises TableError where it cannot be opened, is too large, or is
    no text.

    - name: for the dataset.
    - separator, quote: between cells, and around those that hold separators.
    - names: of the columns, where a comment above the rows holds them.
    - is_blank: whether there is nothing but blanks.
    - notes: what was guessed, a sentence each.
    """

    def __init__(self, source, limits: Limits, header: bool | None = None):
        self.name, self._data = _find(source, limits.n_bytes)
        if opener := _opener(self._bytes):
            self.name = Path(self.name).stem  # table.csv.gz
            handle, name = tempfile.mkstemp(prefix="treecore-", suffix=".csv")
            weakref.finalize(self, Path(name).unlink, missing_ok=True)
            with open(handle, "wb") as file:
                _unpack(self._bytes, opener, file, limits.n_bytes)
            self._data = Path(name)
        found = find_encoding(self._bytes, limits)
        self._encoding, self.is_blank = found.name, found.is_blank
        self._n_skipped, self._dropped, self._fields = 0, frozenset[int](), None
        with self.open() as file:
            head = file.read(HEAD_CHARACTERS)
        self._check_format(head[:HEAD])
        layout = find_layout(head, header, _named_separator(head))
        self.separator, self.quote, self.names = layout.separator, layout.quote, layout.names
        self._n_skipped, self._dropped = layout.n_skipped, layout.dropped
        self._fields = layout.fields
        self.notes = [*filter(None, [found.note]), *layout.notes]

    def open(self) -> IO[str]:
        """The text from where the table begins, its line ends as they are."""
        file = io.TextIOWrapper(self._bytes(), self._encoding, newline="")
        for _ in range(self._n_skipped):
            file.readline()
        if not self._dropped and self._fields is None:
            return file
        return _KeptLines(file, self._dropped, self._n_skipped, self._fields)  # type: ignore[return-value]

    def records(self, text: IO[str] | None = None) -> Iterator[tuple[int, list[str]]]:
        """Yield the first line and the cells of every record that is not blank, as pandas does."""
        line, end = 0, self._n_skipped  # of the record

        def counted(lines: IO[str]) -> Iterator[str]:
            nonlocal line, end
            for text in iter(lines.readline, ""):
                end += 1
                while end in self._dropped:
                    end += 1
                line = line or end
                yield text

        with self.open() if text is None else contextlib.nullcontext(text) as lines:
            try:
                for cells in cut(counted(lines), self.separator, self.quote):
                    if len(cells) > 1 or "".join(cells).strip(" \t"):
                        yield line, cells
                    line = 0
            except csv.Error:
                raise TableError(
                    f"line {line} holds a cell of more than {csv.field_size_limit()} characters: "
                    "close its quotation mark or shorten it"
                ) from None

    def head(self) -> list[list[str]]:
        """The cells of the first records, as far as they can be cut."""
        rows: list[list[str]] = []
        with contextlib.suppress(TableError):
            rows.extend(cells for _, cells in islice(self.records(), HEAD_RECORDS))
        return rows

    def drop_remarks(self, width: int, n_above: int) -> bool:
        """Drop comments between the rows, and lines below the table; whether there were any."""
        comments: list[int] = []
        below: list[tuple[int, str]] = []
        for line, cells in islice(self.records(), n_above, None):
            if len(cells) == width:
                below.clear()
            elif len(cells) < width and re.match(r"#|//|%", cells[0].strip()):
                comments.append(line)
            else:
                is_remark = len(cells) < width and _is_remark(cells)
                below.append((line if is_remark else 0, " ".join(cells).strip()))
        remarks = [line for line, _ in below]
        if not (comments or remarks) or 0 in remarks or len(remarks) > 50:
            return False
        if comments:
            self.notes.append(f"Comments between the rows were left out: {len(comments)}.")
        if remarks:
            said = listed([text for _, text in below], 3)
            self.notes.append(f"Lines below the table were left out: {said}.")
        self._dropped |= {*comments, *remarks}
        return True

    def decimal_mark(self) -> str:
        """Guess from the first lines what most numbers have; a wrong guess only costs time."""
        with self.open() as file:
            head = file.read(100_000)
        commas, points = (len(re.findall(rf"\d[{mark}]\d", head)) for mark in ",.")
        return "," if self.separator != "," and commas > points else "."

    def check_widths(
        self, width: int, open_quote: bool = False, n_records: int = 0, n_above: int = 0
    ) -> None:
        """Refuse records of another width than the first one's.

        width: cells of the first record; open_quote: whether a quotation mark is known to be open
        at the end of the file; n_above: records of a header of another width, which may stay.
        """
        if (
            n_records
            and self.separator != BLANKS
            and self._n_separators() == n_records * (width - 1)
        ):
            return
        line = 0
        for line, cells in islice(self.records(), n_above, None):
            if len(cells) != width and not open_quote:
                has = "1 value" if len(cells) == 1 else f"{len(cells)} values"
                raise TableError(
                    f"line {line} has {has}, but the first row has {width}: add or remove "
                    "separators, or quote the text around them"
                )
        if open_quote:  # it swallowed all that follows, so the last record is the one
            raise TableError(f"line {line} opens a quotation mark and nothing closes it: close it")

    def _n_separators(self) -> int:
        """How often the separator occurs; -1 where quoted text may have some of them."""
        count = 0
        with self.open() as file:
            while window := file.read(WINDOW_BYTES):
                if self.quote in window:
                    return -1
                count += window.count(self.separator)
        return count

    def _bytes(self) -> IO[bytes]:
        return io.BytesIO(self._data) if isinstance(self._data, bytes) else open(self._data, "rb")

    def _check_format(self, head: str) -> None:
        """Refuse text that is well known and has no separated values."""
        if _LIBSVM.match(head):
            raise TableError("the file is in LIBSVM format: rename it to end in .svm")
        for name, beginning in OTHERS.items():
            if beginning.search(head):
                raise TableError(f"the file is {name}, not a table: save its rows as CSV")


def _is_remark(cells: list[str]) -> bool:
    """Whether a short line is a sentence below a table rather than a row that was cut off."""
    first, *others = map(str.strip, cells)
    if not re.search(r"[^\W\d_]", first):
        return first == "\x1a"  # the end of a file of DOS
    return (not any(others) and bool(re.search(r"\s|^\W|[.:]$", first))) or ":" in first


def _named_separator(head: str) -> str | None:
    """The separator that a first line such as ``sep=;`` names, which is no row then."""
    named = re.match(r'(?i)"?sep=(.)"?[\r\n]', head)
    return None if named is None or named[1] not in NAMED else named[1]


def _opener(open_packed: Callable[[], IO[bytes]]) -> Callable[..., Any] | None:
    """What unpacks a file, by the bytes that it begins with; None where it is not packed."""
    with open_packed() as file:
        head = file.read(10)
    return next((opener for magic, opener in PACKED.items() if head.startswith(magic)), None)


def _unpack(
    open_packed: Callable[[], IO[bytes]],
    opener: Callable[..., Any],
    file: IO[bytes],
    max_bytes: int,
) -> None:
    """Write to a file what a packed one holds."""
    try:
        with open_packed() as packed, opener(packed) as content:
            while window := content.read(WINDOW_BYTES):
                file.write(window)
                if file.tell() > max_bytes:
                    raise TableError(
                        f"the file unpacks to more than {max_bytes / 1e6:g} MB: keep a random part "
                        "of its rows"
                    )
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise TableError(
            f"the file cannot be unpacked to its end ({shortened(error)}): pack it again"
        ) from None


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
