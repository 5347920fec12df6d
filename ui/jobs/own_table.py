"""What a visitor's file holds, and the process that reads it: it begins with `python -m` of this.

It imports no more than reading takes: with Streamlit and numba it would begin a second later.
"""

import json
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from treecore.base import UPLOADS, Filled
from treecore.data import (
    CategoryColumn,
    Column,
    ColumnReport,
    Dataset,
    DateColumn,
    Kind,
    NumberColumn,
    NumberForm,
    ReadingSettings,
    Source,
    TableError,
    kind_of_file,
    open_table,
    read_dataset,
    read_table,
    sheet_names,
)

MOST_BYTES = int(os.environ.get("TREECORE_READING_BYTES", "1500000000"))
"""Memory of a reading process beyond what it begins with."""

_TOO_LARGE = Filled("the file needs too much memory: keep only some of its rows or columns")


@dataclass(frozen=True)
class OwnTable:
    """What a visitor's file holds, or the problem; columns: all, one of which is the target."""

    columns: tuple[str, ...] = ()
    dataset: Dataset | None = None
    problem: str = ""
    sheets: tuple[str, ...] = ()
    is_text: bool = False

    @property
    def reports(self) -> tuple[ColumnReport, ...]:
        """What the columns hold but the target, and why some were left out."""
        return () if self.dataset is None else self.dataset.reports[1:]


@dataclass(frozen=True)
class Request:
    """What is asked of a file, as of a :class:`.Source`; kinds: of columns, by their names."""

    target: str | None = None
    task: str | None = None
    sheet: str = ""
    kinds: tuple[tuple[str, Kind], ...] = ()
    missing: tuple[str, ...] | None = None
    header: bool | None = None

    def named(self, file: str) -> str:
        return f"{file}#{self.sheet}" if self.sheet else file

    def source(self, name: str, **how: Any) -> Source:
        """What is asked of a file so :meth:`named`, as the command line and programs have it."""
        words = (self.target, self.task)
        return Source(
            name, *words, kinds=dict(self.kinds), missing=self.missing, header=self.header, **how
        )


def read_here(path: Path, request: Request) -> OwnTable:
    """What is in a file, whose name tells by its ending what kind of file it is."""
    columns: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    kind = kind_of_file(path)
    is_text = kind in ("text", "workbook")
    try:
        if kind == "workbook":
            sheets = sheet_names(path, UPLOADS)
        source = request.source(request.named(str(path)), unusable="drop")
        table = open_table(source, limits=UPLOADS)
        if table is None:
            return OwnTable(dataset=read_table(source, UPLOADS))
        columns = table.columns
        dataset = read_dataset(table, request.target, request.task, "drop")
        return OwnTable(columns, dataset, "", sheets, is_text)
    except TableError as error:
        problem = _TOO_LARGE if "out of memory" in str(error) else str(error)  # pandas says so
        return OwnTable(columns, None, problem, sheets, is_text)
    except MemoryError:
        return OwnTable(columns, problem=_TOO_LARGE)


def load_answer(folder: Path) -> OwnTable:
    """What the process has written; OSError, ValueError where it was ended before it could."""
    answer = json.loads((folder / "answer.json").read_text())
    words = answer["dataset"]
    if words is not None:
        columns = tuple(_column(*column) for column in words.pop("columns"))
        how = words.pop("reading")
        names = {key: _tuples(value) for key, value in words.items()}
        X, y = (np.load(folder / f"{part}.npy") for part in ("X", "y"))
        reading = None if how is None else ReadingSettings(**how)
        names["reports"] = tuple(ColumnReport(*report) for report in words["reports"])
        words = Dataset(X=X, y=y, columns=columns, reading=reading, **names)
    plain_fields = {key: _tuples(value) for key, value in answer.items()}
    return OwnTable(**plain_fields | {"dataset": words})


def _column(kind: str, name: str, how: Any, *more: Any) -> Column:
    rest = map(_tuples, more)
    if kind == "NumberColumn":
        return NumberColumn(name, NumberForm(*how), *rest)
    if kind == "DateColumn":
        return DateColumn(name, how, *rest)
    return CategoryColumn(name, tuple(how), *rest)


def _tuples(value):
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


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
        how = table.dataset.reading
        words["reading"] = None if how is None else how.as_dict()
        np.save(folder / "X.npy", table.dataset.X)
        np.save(folder / "y.npy", table.dataset.y)
    answer = {**vars(table), "dataset": words}
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
    request = Request(**{key: _tuples(value) for key, value in words["request"].items()})
    _save(folder, read_here(Path(words["path"]), request))


if __name__ == "__main__":
    main(sys.argv[1])
