"""Files of visitors, read within limits: small ones at once, others by a process of their own.

Reading is Python and holds the interpreter; a large file would keep the pages of all other visitors
waiting, and a hostile one might take all memory. So what is large, or packed, is read by a child
process that may take so long and so much, and is ended when it takes more. It hands over arrays as
files.
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from treecore.base.limits import UPLOADS
from treecore.data.dataset import Dataset
from treecore.data.readers.csv import CsvTable
from treecore.data.readers.encoding import EncodedTable
from treecore.data.readers.parquet import read_parquet
from treecore.data.readers.ranges import ColumnReport
from treecore.data.readers.table import Table, TableError
from treecore.data.readers.whole import joined
from treecore.persistence.columns import read_columns, write_columns
from treecore.persistence.values import Values
from ui.language.translate import N_, _

IN_PLACE_BYTES = 1_000_000
"""Text up to this size is read at once: a process takes longer to begin than that to be read."""

MOST_SECONDS = 60.0
MOST_BYTES = int(os.environ.get("TREECORE_READING_BYTES", "1500000000"))
"""Memory of a reading process beyond what it begins with."""

PACKED = b"PAR1"
"""What a Parquet file begins with."""

ROOT = Path(__file__).parents[2]


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


def read_own(content: bytes, request: Request, seconds: float = MOST_SECONDS) -> OwnTable:
    """A visitor's file, CSV or Parquet; whatever its bytes, a table or a sentence comes of it."""
    if len(content) > UPLOADS.n_bytes:
        return OwnTable(
            problem=_("the file has more than {n_bytes:g} MB", n_bytes=UPLOADS.n_bytes / 1e6)
        )
    if len(content) <= IN_PLACE_BYTES and not content.startswith(PACKED):
        return _read(content, request)
    return _read_elsewhere(content, request, seconds)


def _read(content: bytes | Path, request: Request) -> OwnTable:
    columns: tuple[str, ...] = ()
    try:
        table: Table
        if isinstance(content, Path):
            table = read_parquet(content, UPLOADS)
        else:
            table = CsvTable(content, UPLOADS)
        columns = table.columns
        forgiving = request.drop is None
        found = EncodedTable(
            table,
            request.target,
            request.task,
            request.drop or (),
            "drop" if forgiving else "refuse",
        )
        return OwnTable(columns, tuple(found.reports) if forgiving else (), joined(found))
    except TableError as error:
        return OwnTable(columns, problem=str(error))
    except MemoryError:
        return OwnTable(columns, problem=_TOO_LARGE)


_ENDED = N_(
    "the file cannot be read, being damaged or taking too much memory: save it anew, or a part"
)
_TOO_LARGE = N_("the file takes too much memory to be read: keep a part of its rows or columns")


def _read_elsewhere(content: bytes, request: Request, seconds: float) -> OwnTable:
    """The same by a process that is ended when it takes too long or too much."""
    with tempfile.TemporaryDirectory(prefix="treecore-upload-") as name:
        folder = Path(name)
        (folder / "table").write_bytes(content)
        (folder / "request.json").write_text(json.dumps(dataclasses.asdict(request)))
        paths = [str(ROOT), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
        # One thread each: a file is no reason to take all processors.
        single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
        try:
            subprocess.run(
                [sys.executable, "-m", "ui.jobs.reading", name],
                env={**os.environ, **single, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return OwnTable(
                problem=_(
                    "the file took more than {seconds:g} seconds to read: keep a part of its "
                    "rows or columns",
                    seconds=seconds,
                )
            )
        except OSError as error:
            return OwnTable(
                problem=_(
                    "no process could be started to read it ({strerror})", strerror=error.strerror
                )
            )
        try:
            return _load(folder)
        except (OSError, ValueError):  # it was ended before it could say anything
            return OwnTable(problem=_ENDED)


def _load(folder: Path) -> OwnTable:
    answer = json.loads((folder / "answer.json").read_text())
    words = answer["dataset"]
    if words is not None:
        made = words.pop("columns")
        columns = read_columns(Values([{"columns": made}], str)) if made else ()
        names = {key: _tuples(value) for key, value in words.items()}
        X, y = (np.load(folder / f"{part}.npy") for part in ("X", "y"))
        words = Dataset(X=X, y=y, columns=columns, **names)
    reports = tuple(ColumnReport(*report) for report in answer["reports"])
    return OwnTable(tuple(answer["columns"]), reports, words, answer["problem"])


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
        )
        words = {key: getattr(table.dataset, key) for key in kept_fields}
        words["columns"] = write_columns(table.dataset.columns)
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
    _save(folder, _read(content, request))


if __name__ == "__main__":
    main(sys.argv[1])
