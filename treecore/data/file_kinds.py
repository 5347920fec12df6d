"""Which reader takes a file, and which sheet of a workbook a name means."""

from __future__ import annotations

import re
import zipfile
from contextlib import suppress
from pathlib import Path

from treecore.data.arrays import LIBSVM
from treecore.data.readers.table import TableError, quoted
from treecore.data.readers.workbook import WORKBOOKS


def split_sheet(name: str) -> tuple[Path, str]:
    """The file of a name, and the sheet of a workbook that follows ``#``; empty: none is named."""
    found = re.fullmatch(rf"(?is)(.*(?:{'|'.join(map(re.escape, WORKBOOKS))}))#(.+)", name)
    if found is None or Path(name).exists():
        return Path(name), ""
    return Path(found[1]), found[2]


def kind_of_file(path: Path) -> str:
    """Which reader takes a file: text, json, libsvm, parquet, workbook, or archive.

    Packed formats are told by what they begin with, whatever their names; text is told by its
    ending, but for objects of JSON.

    Raises TableError where there is no such file.
    """
    endings = [ending.lower() for ending in path.suffixes]
    last = endings[-1] if endings else ""
    if not path.exists():
        hint = "" if ":" in str(path) else ", or name a sample, as in sample:spirals"
        raise TableError(f"there is no file {quoted(str(path), 200)}: check the path{hint}")
    if path.is_dir():  # of parts, whatever it is called
        return "parquet"
    head = _head(path)
    if kind := _packed_kind(path, head):
        return kind
    if last in (".npz", ".parquet"):
        return "archive" if last == ".npz" else "parquet"
    if last in WORKBOOKS:
        return "workbook"
    inner = endings[-2:-1] if last in (".gz", ".bz2", ".xz") else endings[-1:]
    if set(inner) & {".jsonl", ".ndjson"} or re.match(rb'(\xef\xbb\xbf)?\s*\{\s*["}]', head):
        return "json"
    # LIBSVM's page packs its files, and their names end in nothing else.
    if LIBSVM & set(inner) or (last == ".bz2" and not set(inner) & {".csv", ".tsv", ".txt"}):
        return "libsvm"
    return "text"


def _head(path: Path) -> bytes:
    """What a file begins with; nothing of a pipe, which can be read only once, or a locked one."""
    if not path.is_file():
        return b""
    with suppress(OSError), open(path, "rb") as file:
        return file.read(64)
    return b""


def _packed_kind(path: Path, head: bytes) -> str:
    """The kind of a file that begins as a packed format does; empty where it does not."""
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"\xd0\xcf\x11\xe0"):  # what held workbooks until 2007
        return "workbook"
    if head.startswith(b"PK\3\4"):
        unreadable = OSError, zipfile.BadZipFile, NotImplementedError
        with suppress(*unreadable), zipfile.ZipFile(path) as archive:
            parts = set(archive.namelist())
            if any(part.endswith(".npy") for part in parts):
                return "archive"
            if parts & {"xl/workbook.xml", "xl/workbook.bin", "content.xml"}:
                return "workbook"
    return ""
