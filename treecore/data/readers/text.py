"""A text file of separated values: its bytes, encoding, separator and records.

The text is UTF-8, or UTF-16 with its mark, else Windows-1252, which a note tells, unless its words
are of no language so written. Records are cut here for the first rows and for refusals, which tell
lines; pandas cuts all rows, much faster.
"""

from __future__ import annotations

import bz2
import codecs
import contextlib
import gzip
import io
import lzma
import os
import re
import tempfile
import weakref
import zlib
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

from treecore.base.limits import Limits
from treecore.data.readers.layout import BLANKS, HEAD_RECORDS, SEPARATORS, find_layout, records_in
from treecore.data.readers.table import TableError, quoted, shortened

WINDOW_BYTES = 1 << 22
"""Bytes that are decoded together."""

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


class TextFile:
    """A file that can be read from its beginning any number of times.

    source, limits: as for :func:`treecore.data.readers.csv.read_csv`; header: whether the first row
    holds names, if that is known. Raises TableError where it cannot be opened, is too large, or is
    no text.

    - name: for the dataset.
    - separator: between cells.
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
        self._encoding, self.is_blank = _find_encoding(self._bytes, limits)
        self._n_skipped = 0
        with self.open() as file:
            head = file.read(HEAD_CHARACTERS)
        self._check_format(head[:HEAD])
        layout = find_layout(head, header, _named_separator(head))
        self.separator, self.names = layout.separator, layout.names
        self._n_skipped = layout.n_skipped
        is_guess = self._encoding == "cp1252"
        if is_guess and (strange := _STRANGE.search(head)):
            raise TableError(
                f"{quoted(strange[0])} looks like text in an encoding other than UTF-8 and "
                'Windows-1252: save the file with the encoding UTF-8 (in Excel "CSV UTF-8")'
            )
        self.notes = [*([_GUESSED] if is_guess else []), *layout.notes]

    def open(self) -> IO[str]:
        """The text from where the table begins, its line ends as they are."""
        file = io.TextIOWrapper(self._bytes(), self._encoding, newline="")
        for _ in range(self._n_skipped):
            file.readline()
        return file

    def records(self, text: IO[str] | None = None) -> Iterator[tuple[int, list[str]]]:
        """Yield the first line and the cells of every record that is not blank."""
        with self.open() if text is None else contextlib.nullcontext(text) as lines:
            yield from records_in(iter(lines.readline, ""), self.separator, self._n_skipped)

    def head(self) -> list[list[str]]:
        """The cells of the first records, as far as they can be cut."""
        rows: list[list[str]] = []
        with contextlib.suppress(TableError):
            rows.extend(cells for _, cells in islice(self.records(), HEAD_RECORDS))
        return rows

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
                    "separators, quote the text around them, or delete the line"
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

    def _check_format(self, head: str) -> None:
        """Refuse text that is well known and has no separated values."""
        if _LIBSVM.match(head):
            raise TableError("the file is in LIBSVM format: rename it to end in .svm")
        for name, beginning in OTHERS.items():
            if beginning.search(head):
                raise TableError(f"the file is {name}, not a table: save its rows as CSV")


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


_GUESSED = (
    "The file is not UTF-8 and was read as Windows-1252, as Excel writes it: if letters look "
    "wrong, save it as UTF-8."
)
_STRANGE = re.compile("[\xa1-\xff]{4,}")  # no language that Windows-1252 is for has such words
_CONTROLS = re.compile(r"[\x01-\x08\x0e-\x1f\x7f]")


class _Undecodable(Exception):
    """The text is of another encoding; ``args`` holds the line of the first such byte."""


def _find_encoding(open_bytes: Callable[[], IO[bytes]], limits: Limits) -> tuple[str, bool]:
    """The encoding in which all of a file is text, and whether it has nothing but blanks."""
    with open_bytes() as file:
        head = file.read(4)
    if head == b"PK\3\4":
        raise TableError(
            "the file is a zip archive or a workbook, not text: unpack the archive, or save the "
            "sheet as CSV"
        )
    is_wide = head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    lines = []
    for name in ["utf-16"] if is_wide else ["utf-8-sig", "cp1252"]:
        try:
            return name, _decode(open_bytes, name, limits)
        except _Undecodable as error:
            lines.append(error.args[0])
    raise TableError(
        f"line {lines[0]} holds bytes that are not {'UTF-16' if is_wide else 'UTF-8'} text"
        f"{'' if is_wide else ', nor Windows-1252'}: save the file with the encoding UTF-8 (in "
        'Excel "CSV UTF-8")'
    )


def _decode(open_bytes: Callable[[], IO[bytes]], encoding: str, limits: Limits) -> bool:
    """Decode all of a file; whether it has nothing but blanks."""
    is_blank, line, more = True, 1, True
    decoder, is_wide = codecs.getincrementaldecoder(encoding)(), encoding == "utf-16"
    with open_bytes() as file:
        while more:
            window = file.read(min(WINDOW_BYTES, limits.n_line))
            more = bool(window)
            if len(window) == limits.n_line and not (b"\n" in window or b"\r" in window):
                raise TableError(
                    f"a line of the file has more than {limits.n_line / 1e6:.3g} MB: write one "
                    "line per row"
                )
            has_null = not is_wide and b"\0" in window
            try:
                text = "\0" if has_null else decoder.decode(window, not more)
            except UnicodeDecodeError as error:
                before = error.object[: error.start].decode(error.encoding, "ignore")
                raise _Undecodable(line + before.count("\n")) from None
            # Pictures and archives hold null bytes, or those that tell terminals what to do.
            if "\0" in text or (encoding == "cp1252" and _CONTROLS.search(text)):
                raise TableError(
                    "the file is not a readable table: choose text such as CSV, or Excel, "
                    "Parquet, JSON Lines, LIBSVM or NumPy (.npz)"
                )
            # Of bytes where that is the same, which is ten times as fast.
            line += text.count("\n") if is_wide else window.count(b"\n")
            is_blank = is_blank and not text.strip()
    return is_blank
