"""The rows of a sweep, one for every finished run, in one Parquet file.

The driver alone writes, one line of a journal for every run, at once and to the disk itself; now
and then the journal is merged into ``results.parquet``, which is replaced whole. Both are read
by key: a run whose row is in both, because the driver was killed between the two steps, is one
run. A line that was cut short is a run that has not finished.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import time
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet as parquet

from treecore.base.folder_lock import FolderBusyError, FolderLock
from treecore.base.state_file import write_atomically
from treecore.sweeps.spec import SweepError

PARQUET, JOURNAL = "results.parquet", "results.journal"

COLUMNS = {
    "key": "string",
    "stage": "string",
    "rung": "int32",
    "candidate": "string",
    "method": "string",
    "seed": "int64",
    "depth": "int32",
    "nu": "float64",
    "eta": "float64",
    "settings": "string",
    "validation_accuracy": "float64",
    "validation_r2": "float64",
    "validation_loss": "float64",
    "test_accuracy": "float64",
    "test_r2": "float64",
    "test_loss": "float64",
    "accuracy": "float64",
    "r2": "float64",
    "loss": "float64",
    "bound": "float64",
    "active_leaves": "int64",
    "n_leaves": "int64",
    "done": "float64",
    "seconds": "float64",
    "wall_seconds": "float64",
    "worker": "string",
    "fingerprint": "string",
    "treecore": "string",
    "error": "string",
}
"""Names and Arrow types of the columns; all but the key may be empty."""


class ResultsTable:
    """The rows of one sweep's folder, for its driver.

    rows: every row by its key; a row is a dict of some of the names of :data:`COLUMNS`. Raises
    SweepError where another driver is at work in the folder, or its table is damaged;
    CheckpointError where it cannot be written to.
    """

    def __init__(self, folder: Path):
        self.path = folder
        self._lock = _locked(folder)
        try:
            self.rows = read_rows(folder)
            self.merge()
        except BaseException:
            self._lock.close()
            raise

    def append(self, row: dict[str, Any]) -> None:
        """Keep a row; when this returns it is on the disk."""
        line = json.dumps(row) + "\n"
        try:
            with open(self.path / JOURNAL, "a", encoding="utf-8") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise SweepError(
                f"{self.path} cannot be written to: {error.strerror}; make room there, and start "
                "the sweep again: what was written before is whole"
            ) from error
        self.rows[row["key"]] = row
        if time.monotonic() >= self._due:
            self.merge()

    def merge(self) -> None:
        """Write the Parquet file anew and empty the journal; a tenth of the time at most."""
        begun = time.monotonic()
        if self.rows:
            schema = pyarrow.schema([(n, pyarrow.type_for_alias(t)) for n, t in COLUMNS.items()])
            try:
                table = pyarrow.Table.from_pylist(list(self.rows.values()), schema=schema)
            except pyarrow.ArrowException as error:
                raise SweepError(
                    f"{self.path / JOURNAL} holds what no sweep has written ({error}): move it "
                    "away, and start the sweep again to do what was in it"
                ) from error
            file = io.BytesIO()
            parquet.write_table(table, file)
            write_atomically(self.path / PARQUET, file.getvalue())
        write_atomically(self.path / JOURNAL, b"")
        now = time.monotonic()
        self._due = now + max(1.0, 9 * (now - begun))

    def close(self) -> None:
        """Merge, and let another driver in."""
        try:
            self.merge()
        finally:
            self._lock.close()


def read_rows(folder: str | Path) -> dict[str, dict[str, Any]]:
    """All rows by key, as they are at this moment; for whoever watches a sweep as well.

    Raises
    ------
    SweepError
        Where the table is damaged.
    """
    folder = Path(folder)
    # The journal first: what is merged meanwhile is in the other file then.
    lines = []
    with contextlib.suppress(FileNotFoundError):
        lines = (folder / JOURNAL).read_bytes().splitlines(keepends=True)
    rows: dict[str, dict[str, Any]] = {}
    if (folder / PARQUET).exists():
        try:
            records = parquet.ParquetFile(folder / PARQUET).read().to_pylist()
            rows = {row["key"]: row for row in records}
        except Exception as error:  # Arrow has its own errors, for every kind of damage
            raise SweepError(
                f"{folder / PARQUET} is damaged ({error}): put back a copy, or move it away and "
                "start the sweep again to do its runs anew"
            ) from error
    for line in lines:
        with contextlib.suppress(ValueError, TypeError, KeyError):
            if line.endswith(b"\n"):
                row = json.loads(line)
                rows[row["key"]] = row
    for row in rows.values():
        if "epoch" in row:  # as earlier versions called it
            row["done"] = row.pop("epoch")
    return rows


def _locked(folder: Path) -> FolderLock:
    try:
        return FolderLock(folder)
    except FolderBusyError as error:
        raise SweepError(
            f"another sweep is at work in {folder}: choose another folder, or wait for it"
        ) from error
    except OSError as error:
        raise SweepError(f"{folder} cannot be written to: {error.strerror}") from error
