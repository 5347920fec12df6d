"""What a visitor's file holds, and the process that reads it: it begins with `python -m` of this.

It imports no more than reading takes: with Streamlit and numba it would begin a second later.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from treecore.base.limits import UPLOADS
from treecore.data.dataset import Dataset
from treecore.data.readers.cells import NumberForm
from treecore.data.readers.columns import CategoryColumn, Column, DateColumn, NumberColumn
from treecore.data.readers.csv import CsvTable
from treecore.data.readers.encoding import EncodedTable
from treecore.data.readers.parquet import read_parquet
from treecore.data.readers.ranges import ColumnReport
from treecore.data.readers.settings import ReadingSettings
from treecore.data.readers.table import Table, TableError
from treecore.data.readers.whole import joined
from ui.language.marks import N_

MOST_BYTES = int(os.environ.get("TREECORE_READING_BYTES", "1500000000"))
"""Memory of a reading process beyond what it begins with."""

PACKED = b"PAR1"
"""What a Parquet file begins with."""

_TOO_LARGE = N_("the file takes too much memory to be read: keep a part of its rows or columns")


@dataclass(frozen=True)
class OwnTable:
    """What a visitor's file holds.

    Attributes
    ----------
    columns : tuple of str
        All of them, so that another one can be chosen as the target.
    reports : tuple of ColumnReport
        What the columns hold, and why some were left out; none where they were chosen by name.
    dataset : Dataset or None
    problem : str
        One sentence where there is no dataset.
    """

    columns: tuple[str, ...] = ()
    reports: tuple[ColumnReport, ...] = ()
    dataset: Dataset | None = None
    problem: str = ""


@dataclass(frozen=True)
class Request:
    """What is asked of a file: its target, its task, and columns to leave out.

    ``drop=None`` leaves out those that cannot be learnt from, and tells which.
    """

    target: str | None = None
    task: str | None = None
    drop: tuple[str, ...] | None = None


def read_here(content: bytes | Path, request: Request) -> OwnTable:
    """What is in the bytes of a text file, or in a Parquet file."""
    columns: tuple[str, ...] = ()
    try:
        reading = ReadingSettings().leaving_out(request.drop or ())
        table: Table
        if isinstance(content, Path):
            table = read_parquet(content, UPLOADS, reading=reading)
        else:
            table = CsvTable(content, UPLOADS, reading)
        columns = table.columns
        forgiving = request.drop is None
        unusable = "drop" if forgiving else "refuse"
        found = EncodedTable(
            table, request.target, request.task, unusable, keep_useless=not forgiving
        )
        dataset = joined(found)
        return OwnTable(columns, tuple(found.reports) if forgiving else (), dataset)
    except TableError as error:
        return OwnTable(columns, problem=str(error))
    except MemoryError:
        return OwnTable(columns, problem=_TOO_LARGE)


def load_answer(folder: Path) -> OwnTable:
    """What the process has written there.

    Raises
    ------
    OSError, ValueError
        Where it was ended before it could.
    """
    answer = json.loads((folder / "answer.json").read_text())
    words = answer["dataset"]
    if words is not None:
        columns = tuple(_column(*column) for column in words.pop("columns"))
        names = {key: _tuples(value) for key, value in words.items()}
        X, y = (np.load(folder / f"{part}.npy") for part in ("X", "y"))
        reading = ReadingSettings(**names.pop("reading"))
        told = _reports(names.pop("reports"))
        words = Dataset(X=X, y=y, columns=columns, reading=reading, reports=told, **names)
    reports = _reports(answer["reports"])
    return OwnTable(tuple(answer["columns"]), reports, words, answer["problem"])


def _reports(listed: Any) -> tuple[ColumnReport, ...]:
    return tuple(ColumnReport(*report) for report in listed)


def _column(kind: str, name: str, how: Any, *more: Any) -> Column:
    rest = map(_tuples, more)
    if kind == "NumberColumn":
        return NumberColumn(name, NumberForm(*how), *rest)
    if kind == "DateColumn":
        return DateColumn(name, how, *rest)
    return CategoryColumn(name, tuple(how), *rest)


def _tuples(value):
    return tuple(value) if isinstance(value, list) else value


def _save(folder: Path, table: OwnTable) -> None:
    words = None
    if table.dataset is not None:
        kept_fields = (
            "name",
            "feature_names",
            "class_names",
            "image_shape",
            "notes",
            "target_name",
            "reports",
        )
        words = {key: getattr(table.dataset, key) for key in kept_fields}
        words["columns"] = [(type(column).__name__, *column) for column in table.dataset.columns]
        words["reading"] = table.dataset.reading and table.dataset.reading.as_dict()
        np.save(folder / "X.npy", table.dataset.X)
        np.save(folder / "y.npy", table.dataset.y)
    answer = {
        "columns": table.columns,
        "reports": table.reports,
        "problem": table.problem,
        "dataset": words,
    }
    (folder / "answer.json").write_text(json.dumps(answer))


def _limit_memory(n_bytes: int) -> None:
    """Let this process take so much more memory and no more, where the system can see to it."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + n_bytes
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def main(name: str) -> None:
    """Read the file in a folder and write there what it holds; the child process begins here."""
    folder = Path(name)
    words = json.loads((folder / "request.json").read_text())
    _limit_memory(MOST_BYTES)
    path = folder / "table"
    with open(path, "rb") as file:
        packed = file.read(len(PACKED)) == PACKED
    content = path if packed else path.read_bytes()
    request = Request(**{key: _tuples(value) for key, value in words.items()})
    _save(folder, read_here(content, request))


if __name__ == "__main__":
    main(sys.argv[1])
