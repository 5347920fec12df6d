"""The runs of a sweep as Optuna keeps them: studies in one SQLite file, ``study.db``.

A trial is a candidate, with its settings as parameters and its mean figure as value; a rung of
halving is an intermediate value. Every run is a user attribute of its study, so that a trial that
has ended needs no change. A sweep whose file was changed is another study over the same runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from treecore.sweeps.spec import SweepError, import_optuna

if TYPE_CHECKING:
    import optuna

FILE = "study.db"
OLD = "results.parquet", "results.journal"
"""What versions before Optuna wrote."""

RUN = "run "
"""Begins the name of a run's attribute, its key ends it."""

WAIT = 60
"""Seconds that a write waits for the file."""


def open_storage(folder: Path) -> optuna.storages.RDBStorage:
    """The file of a sweep's studies, made where it is not there."""
    library = import_optuna()
    from sqlalchemy.exc import SQLAlchemyError
    from sqlalchemy.pool import NullPool

    # Every query has a connection of its own: none stays open behind a reader's back.
    options = {"poolclass": NullPool, "connect_args": {"timeout": WAIT}}
    path = folder / FILE
    try:
        return library.storages.RDBStorage(f"sqlite:///{path.resolve()}", engine_kwargs=options)
    except (SQLAlchemyError, RuntimeError) as error:
        raise SweepError(
            f"{path} is damaged or cannot be opened ({error}): restore a copy, or move it away "
            "and start the sweep again"
        ) from error


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
    """All rows by key, as they are at this moment.

    Raises
    ------
    SweepError
        Where the file is damaged.
    """
    folder = Path(folder)
    return rows_in(open_storage(folder)) if (folder / FILE).exists() else {}


def refuse_old(folder: Path) -> None:
    """Raises SweepError where the folder holds a sweep of an earlier version."""
    if not (folder / FILE).exists() and any((folder / name).exists() for name in OLD):
        raise SweepError(f"{folder} holds a sweep of an earlier version: choose another folder")
