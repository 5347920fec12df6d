"""Which encoding a text file has: UTF-8 where it can be, else the likeliest one, which is told."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from typing import IO, NamedTuple

from treecore.base.limits import Limits
from treecore.data.readers.table import TableError

WINDOW_BYTES = 1 << 22
"""Bytes that are decoded together."""

SAMPLE_BYTES = 60_000
"""Bytes of lines beyond ASCII by which an encoding is guessed."""

MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""Byte order marks; that of UTF-32 begins with that of UTF-16."""

TITLES = {
    "cp1252": "Windows-1252, as Excel writes it",
    "cp1250": "Windows-1250, of Central Europe",
    "iso8859-2": "ISO 8859-2, of Central Europe",
    "mac-roman": "Mac Roman, of old Macs",
    "cp1251": "Windows-1251, Cyrillic",
    "koi8-r": "KOI8-R, Cyrillic",
    "cp1253": "Windows-1253, Greek",
    "cp1254": "Windows-1254, Turkish",
    "cp1255": "Windows-1255, Hebrew",
    "cp1256": "Windows-1256, Arabic",
    "cp949": "EUC-KR, Korean",
    "cp932": "Shift-JIS, Japanese",
    "euc-jp": "EUC-JP, Japanese",
    "gb18030": "GB 18030, Chinese",
    "big5": "Big5, Chinese",
    "utf-16-le": "UTF-16 without a byte order mark",
    "utf-16-be": "UTF-16 without a byte order mark",
}
"""Encodings beside UTF-8 that a file may have, and what a note calls them."""

_USUAL = "cp1252"
_SURE, _SURER = 0.015, 1.15
"""How confident a guess must be, alone and beside that of Windows-1252, to be preferred to it."""

_CONTROLS = re.compile(r"[\x01-\x08\x0e-\x1f\x7f]")
_NO_LETTERS = re.compile(r"[\x80-\x84\x86-\x9f]")
"""What ISO 8859 has where other encodings have letters."""
_SIGN_IN_WORD = re.compile(
    r"[^\W\d_][\u2020\u2021\u2030\u02c6\u02dc\u2039\u203a\u201a\u201e\u2122\u2022][^\W\d_]"
)
"""What Windows-1252 makes of the accented letters of a Mac."""


class Encoding(NamedTuple):
    """The encoding of a file.

    - name: for :mod:`codecs`.
    - note: what was guessed, a sentence; empty for Unicode that says what it is.
    - is_blank: whether the text has nothing but blanks.
    """

    name: str
    note: str
    is_blank: bool


class _Undecodable(Exception):
    """The text is of another encoding; ``args`` holds the line of the first such byte."""


def find_encoding(open_bytes: Callable[[], IO[bytes]], limits: Limits) -> Encoding:
    """The encoding in which all of a file is text. Raises TableError where there is none."""
    with open_bytes() as file:
        head = file.read(4096)
    if head[:4] == b"PK\3\4":
        raise TableError(
            "the file is a zip archive or a workbook, not text: unpack the archive, or save the "
            "sheet as CSV"
        )
    marked = next((name for mark, name in MARKS.items() if head.startswith(mark)), None)
    first = marked or _wide(head) or "utf-8-sig"
    try:
        is_blank = _decode(open_bytes, first, limits)
        note = f"The file was read as {TITLES[first]}." if first in TITLES else ""
        return Encoding(first, note, is_blank)
    except _Undecodable as error:
        line = error.args[0]
    for name in () if first != "utf-8-sig" else _likely(_sample(open_bytes)):
        try:
            is_blank = _decode(open_bytes, name, limits)
        except _Undecodable:
            continue
        note = f"The file is not UTF-8 and was read as {TITLES[name]}."
        return Encoding(name, note, is_blank)
    is_wide = first != "utf-8-sig"
    raise TableError(
        f"line {line} holds bytes that are not {'UTF-16' if is_wide else 'UTF-8'} text"
        f"{'' if is_wide else ', nor text in any other common encoding'}: save the file with the "
        'encoding UTF-8 (in Excel "CSV UTF-8")'
    )


def _wide(head: bytes) -> str | None:
    """UTF-16 without a mark: of ASCII in two bytes each, every other byte is 0."""
    even, odd = head[::2], head[1::2]
    for name, zeros, others in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if len(head) >= 8 and 2 * zeros.count(0) > len(zeros) and others.count(0) == 0:
            return name
    return None


def _sample(open_bytes: Callable[[], IO[bytes]]) -> bytes:
    """The first lines that are not of ASCII."""
    sample, rest = b"", b""
    with open_bytes() as file:
        while len(sample) < SAMPLE_BYTES and (window := file.read(WINDOW_BYTES)):
            if not (rest + window).isascii():
                lines = (rest + window).splitlines()
                sample += b"\n".join(line[:2000] for line in lines if not line.isascii())[
                    :SAMPLE_BYTES
                ]
                rest = b""
    return sample


def _likely(sample: bytes) -> list[str]:
    """Encodings of a sample, the likeliest first."""
    import chardet

    found = chardet.detect_all(sample, ignore_threshold=True, include_encodings=list(TITLES))
    names = {codecs.lookup(name).name: name for name in TITLES}
    scores = {name: 0.0 for name in TITLES if not name.startswith("utf")}
    for guess in found:
        name = names.get(codecs.lookup(guess["encoding"] or "ascii").name)
        if name in scores:
            scores[name] = max(scores[name], guess["confidence"])
    usual = scores.pop(_USUAL)
    others = sorted(scores, key=lambda name: -scores[name])
    if _SIGN_IN_WORD.search(sample.decode(_USUAL, "replace")):
        mac = "mac-roman" if scores["mac-roman"] > 0.8 * scores[others[0]] else others[0]
        return list(dict.fromkeys([mac, *others[:3], _USUAL]))
    if scores[others[0]] > max(_SURE, _SURER * usual):
        return [others[0], _USUAL, *others[1:3]]
    return [_USUAL, *(name for name in others[:3] if scores[name] > _SURE)]


def _decode(open_bytes: Callable[[], IO[bytes]], encoding: str, limits: Limits) -> bool:
    """Decode all of a file; whether it has nothing but blanks."""
    is_blank, line, more = True, 1, True
    decoder, is_wide = codecs.getincrementaldecoder(encoding)(), encoding.startswith("utf-16")
    is_wide |= encoding == "utf-32"
    with open_bytes() as file:
        while more:
            window = file.read(min(WINDOW_BYTES, limits.n_line))
            more = bool(window)
            if len(window) == limits.n_line and not (b"\n" in window or b"\r" in window):
                raise TableError(
                    f"a line of the file has more than {limits.n_line / 1e6:.3g} MB: write one "
                    "line per row"
                )
            # Pictures, workbooks and archives hold null bytes, and text does not.
            if not is_wide and b"\0" in window:
                text = "\0"
            else:
                try:
                    text = decoder.decode(window, not more)
                except UnicodeDecodeError as error:
                    before = error.object[: error.start].decode(error.encoding, "ignore")
                    raise _Undecodable(line + before.count("\n")) from None
            if encoding in TITLES and _NO_LETTERS.search(text):
                raise _Undecodable(line)
            # Nor does text have the bytes by which terminals and printers are told what to do.
            if "\0" in text or (encoding in TITLES and _CONTROLS.search(text)):
                raise TableError(
                    "the file is not a readable table: choose text such as CSV, or Excel, "
                    "Parquet, JSON Lines, LIBSVM or NumPy (.npz)"
                )
            # Of bytes where that is the same, which is ten times as fast.
            line += text.count("\n") if is_wide else window.count(b"\n")
            is_blank = is_blank and not text.strip()
    return is_blank
