"""A text file of separated values: its bytes, encoding, separator and records.

Records are cut here for the first rows and for refusals, which tell lines; all rows are cut much
faster in :mod:`treecore.data.readers.csv`.
"""

from __future__ import annotations

import bz2
import codecs
import contextlib
import csv
import gzip
import io
import lzma
import os
import re
import tempfile
import weakref
import zlib
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import IO, Any

from treecore.base.limits import Limits
from treecore.data.readers.table import TableError, quoted, shortened

SEPARATORS = ("\t", ";", "|", ",")
"""Commas come last: they also occur in numbers and in text, between other separators."""

OTHERS = {
    "an ARFF file": re.compile(r"(?im)^\s*@(relation|attribute)\s"),
    "JSON": re.compile(r'\A\s*(\[\s*)?[\[{]\s*["\[{]'),
    "a web page or XML": re.compile(r"(?i)\A\s*<(!doctype|html|\?xml)"),
}
"""Text that is no table of separated values, by what it begins with."""

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

_CONTROLS = re.compile(r"[\x01-\x08\x0e-\x1f\x7f]")

WINDOW_BYTES = 1 << 22
"""Bytes that are looked at together."""


class TextFile:
    """A file that can be read from its beginning any number of times.

    Parameters
    ----------
    source, limits
        As for :func:`treecore.data.readers.csv.read_csv`.

    Attributes
    ----------
    name : str
        For the dataset.
    separator : str
    is_blank : bool
        Whether there is nothing but blanks.
    notes : list of str
        What was guessed, a sentence each.

    Raises
    ------
    TableError
        Where it cannot be opened, is too large, or is no text.
    """

    def __init__(self, source, limits: Limits):
        self.name, self._data = _find(source, limits.n_bytes)
        if opener := _opener(self._bytes):
            self.name = Path(self.name).stem  # table.csv.gz
            handle, name = tempfile.mkstemp(prefix="treecore-", suffix=".csv")
            weakref.finalize(self, Path(name).unlink, missing_ok=True)
            with open(handle, "wb") as file:
                _unpack(self._bytes, opener, file, limits.n_bytes)
            self._data = Path(name)
        self.is_blank, self._n_skipped = True, 0
        self.notes: list[str] = []
        self._encoding = self._find_encoding(limits)
        self._check_format()
        self.separator = self._named_separator() or self._find_separator()

    def open(self) -> io.TextIOWrapper:
        """The text from its beginning, its line ends as they are."""
        file = io.TextIOWrapper(self._bytes(), self._encoding, newline="")
        for _ in range(self._n_skipped):
            file.readline()
        return file

    def records(self, text: IO[str] | None = None, separator: str | None = None):
        """Yield the first line and the cells of every record that is not blank, as pandas does.

        Parameters
        ----------
        text : text file or None
            None: the file is opened here, and closed when the records end or are forgotten.
        separator : str or None
            None: that of the file.
        """
        line, start = 1 + self._n_skipped, self._n_skipped + 1
        with self.open() if text is None else contextlib.nullcontext(text) as lines:
            delimiter = separator or self.separator
            reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
            try:
                for cells in reader:
                    if len(cells) > 1 or "".join(cells).strip(" \t"):
                        yield line, cells
                    line = reader.line_num + start
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

        Parameters
        ----------
        width : int
            Cells of the first record.
        open_quote : bool
            Whether a quotation mark is known to be open at the end of the file.
        n_records : int
            Records that are known to be no wider than the first, for which counting separators
            mostly suffices; 0 where none are.
        """
        if n_records and self._n_separators() == n_records * (width - 1):
            return
        line, cells = 0, []
        for line, cells in self.records():
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
                if '"' in window:
                    return -1
                count += window.count(self.separator)
        return count

    def _bytes(self) -> IO[bytes]:
        return io.BytesIO(self._data) if isinstance(self._data, bytes) else open(self._data, "rb")

    def _find_encoding(self, limits: Limits) -> str:
        """Which encoding the text has; refuse what is no text in any."""
        with self._bytes() as file:
            head = file.read(4)
        if head == b"PK\3\4":
            raise TableError(
                "the file is a zip archive, no table: unpack it, and choose the table in it"
            )
        marked = head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
        encoding = "utf-16" if marked else "utf-8-sig"
        try:
            self._check_text(encoding, limits)
        except UnicodeDecodeError as error:
            line = self._line  # of the first byte that is no UTF-8
            with contextlib.suppress(UnicodeDecodeError):
                if not marked:
                    self._check_text("cp1252", limits)
                    self.notes.append(
                        "The file is not UTF-8 and was read as Windows-1252, as Excel writes it."
                    )
                    return "cp1252"
            raise TableError(
                f"line {line} holds bytes that are not {'UTF-16' if marked else 'UTF-8'} text"
                f"{'' if marked else ', nor that of Windows'}: save the file with the encoding "
                'UTF-8 (in Excel "CSV UTF-8")'
            ) from error
        return encoding

    def _check_text(self, encoding: str, limits: Limits) -> None:
        """Decode all of it; ``UnicodeDecodeError`` where it is of another encoding."""
        self.is_blank, self._line, more = True, 1, True
        decoder, marked = codecs.getincrementaldecoder(encoding)(), encoding == "utf-16"
        with self._bytes() as file:
            while more:
                window = file.read(min(WINDOW_BYTES, limits.n_line))
                more = bool(window)
                if len(window) == limits.n_line and not (b"\n" in window or b"\r" in window):
                    raise TableError(
                        f"a line of the file has more than {limits.n_line / 1e6:.3g} MB: break it "
                        "up, one line a row"
                    )
                # Pictures, workbooks and archives hold null bytes, and text does not.
                if not marked and b"\0" in window:
                    text = "\0"
                else:
                    try:
                        text = decoder.decode(window, not more)
                    except UnicodeDecodeError as error:
                        before = error.object[: error.start].decode(error.encoding, "ignore")
                        self._line += before.count("\n")
                        raise
                # Nor does text have the bytes by which terminals and printers are told what to do.
                if "\0" in text or (encoding == "cp1252" and _CONTROLS.search(text)):
                    raise TableError(
                        "the file is no table that can be read: choose text such as CSV, or "
                        "Excel, Parquet, JSON Lines, LIBSVM or NumPy (.npz)"
                    )
                # Of bytes where that is the same, which is ten times as fast.
                self._line += text.count("\n") if marked else window.count(b"\n")
                self.is_blank = self.is_blank and not text.strip()

    def _check_format(self) -> None:
        """Refuse text that is well known and has no separated values."""
        with self.open() as file:
            head = file.read(HEAD)
        for name, beginning in OTHERS.items():
            if beginning.search(head):
                raise TableError(f"the file is {name}, no table: save its rows as CSV")

    def _named_separator(self) -> str | None:
        """The separator that a first line such as ``sep=;`` names, which is no row then."""
        with self.open() as file:
            named = re.fullmatch(r'(?i)"?sep=(.)"?[\r\n]*', file.readline(20))
        if named is None or named[1] not in NAMED:
            return None
        self._n_skipped = 1
        return named[1]

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
