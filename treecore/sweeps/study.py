"""The runs of a sweep as Optuna keeps them: studies in one SQLite file, ``study.db``.

A trial is a candidate, with its settings as parameters and its mean figure as value; a rung of
halving is an intermediate value. Every run is a user attribute of its study, so that a trial that
has ended needs no change. A sweep whose file was changed is another study over the same runs.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treecore.sweeps.spec import SweepError, import_optuna

if TYPE_CHECKING:
    import optuna

FILE = "study.db"
OLD_TABLE, OLD_JOURNAL = "results.parquet", "results.journal"
"""What versions before Optuna wrote; they are read, and never written."""

RUN = "run "
"""Begins the name of a run's attribute, its key ends it."""


@contextlib.contextmanager
def sentence_on(folder: Path, *others: type[Exception]) -> Iterator[None]:
    """Raise SweepError for what SQLite says against the file of a sweep, or for other errors."""
    library = import_optuna()
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except (SQLAlchemyError, library.exceptions.StorageInternalError, *others) as error:
        reason: BaseException = error
        while reason.__cause__ is not None:  # Optuna's and SQLAlchemy's own words take three lines
            reason = reason.__cause__
        raise SweepError(
            f"{folder / FILE} is damaged or cannot be used ({reason}): restore a copy, or move it "
            "away and start the sweep again"
        ) from error


def open_storage(folder: Path) -> optuna.storages.RDBStorage:
    """The file of a sweep's studies, made where it is not there."""
    library = import_optuna()
    from sqlalchemy.pool import NullPool

    # Every query has a connection of its own: none stays open behind a reader's back.
    # A write waits a minute for the file.
    options = {"poolclass": NullPool, "connect_args": {"timeout": 60}}
    url = f"sqlite:///{(folder / FILE).resolve()}"
    with sentence_on(folder, RuntimeError):  # of a file that a later Optuna has made
        return library.storages.RDBStorage(url, engine_kwargs=options)


def rows_in(storage: optuna.storages.RDBStorage) -> dict[str, dict[str, Any]]:
    """All runs by key, in the order in which they came."""
    found = [
        (value["number"], name.removeprefix(RUN), value["row"])
        for study in storage.get_all_studies()
        for name, value in study.user_attrs.items()
        if name.startswith(RUN)
    ]
    return {key: row for _, key, row in sorted(found, key=lambda one: one[0])}


def read_rows(folder: str | Path) -> dict[str, dict[str, Any]]:
    """All rows by key, as they are at this moment; folders of earlier versions are read as well.

    Raises
    ------
    SweepError
        Where the file is damaged.
    """
    folder = Path(folder)
    if not (folder / FILE).exists():
        return _old_rows(folder)
    with sentence_on(folder):
        return rows_in(open_storage(folder))


def refuse_old(folder: Path) -> None:
    """Raises SweepError where the folder holds a sweep of an earlier version."""
    if (folder / FILE).exists():
        return
    if any((folder / name).exists() for name in (OLD_TABLE, OLD_JOURNAL)):
        raise SweepError(
            f"{folder} holds a sweep of an earlier version, which can be read but not continued: "
            "choose another folder"
        )


def _old_rows(folder: Path) -> dict[str, dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = {}
    if (folder / OLD_TABLE).exists():
        import pyarrow.parquet as parquet

        try:
            records = parquet.ParquetFile(folder / OLD_TABLE).read().to_pylist()
            rows = {row["key"]: row for row in records}
        except Exception as error:  # Arrow has its own errors, for every kind of damage
            raise SweepError(f"{folder / OLD_TABLE} is damaged ({error})") from error
    if (folder / OLD_JOURNAL).exists():
        for line in (folder / OLD_JOURNAL).read_text(encoding="utf-8").splitlines():
            with contextlib.suppress(ValueError, TypeError, KeyError):  # the last may be cut short
                row = json.loads(line)
                rows[row["key"]] = row
    for row in rows.values():
        if "epoch" in row:  # as still earlier versions called it
            row["done"] = row.pop("epoch")
    return rows
