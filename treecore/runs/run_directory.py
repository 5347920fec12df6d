"""One run on disk.

::

    run.json        settings, where the rows come from, their fingerprint, versions
    events.jsonl    the event of every measurement, a line each
    checkpoint      the last one, see :mod:`treecore.base.state_file`
    tree.json       the tree as it is, or was last, see :mod:`treecore.persistence`; of a forest
                    forest.json
    metrics.json    state ("running", "stopped" or "finished") and the figures of that model

Every file but the events is replaced whole; a checkpoint knows how many events are its own, so that
those of lost work are cut off when a run is resumed. Whoever drives the run holds ``.lock``, which
the system takes back from a process that dies.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import numba
import numpy as np

from treecore._version import __version__
from treecore.base.bounded_json import parse_json
from treecore.base.folder_lock import FolderBusyError, FolderLock
from treecore.base.limits import LIBRARY
from treecore.base.state_file import (
    CheckpointError,
    State,
    read_checkpoint,
    write_atomically,
    write_checkpoint,
)
from treecore.data.readers.table import shortened
from treecore.data.sources import Source
from treecore.persistence import Document, from_json, to_json
from treecore.training.config import RunConfig
from treecore.training.events import Event, read_event
from treecore.training.registry import find_method

FORMAT = 1


class RunError(ValueError):
    """A run folder that cannot be made, read or gone on with, said in one sentence."""


class RunDirectory:
    """The folder of one run; :meth:`create` makes one, :meth:`open` reads one.

    Attributes
    ----------
    path : Path
    config : RunConfig
    source : Source or None
        Where the rows come from; None for rows that were handed in.
    record : dict
        All of ``run.json``.
    """

    def __init__(self, path: Path, record: dict[str, Any]):
        self.path, self.record = path, record
        self.config = _config(record["config"], path)
        self.source = record["source"] and Source(**record["source"])
        self._lock: FolderLock | None = None

    @classmethod
    def create(
        cls,
        path: str | Path,
        config: RunConfig,
        source: Source | None,
        fingerprint: str,
    ) -> RunDirectory:
        """Make a folder for a run that is about to begin, held by the caller (see :meth:`hold`).

        fingerprint: of the rows, see :func:`treecore.runs.result.print_of`. Raises RunError where
        the folder holds a run or cannot be made, CheckpointError where it cannot be written to.
        """
        path = Path(path)
        if (path / "run.json").exists():
            raise RunError(
                f"{path} holds a run already: resume it with --resume, or choose another folder"
            )
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunError(f"{path} cannot be made: {error.strerror}") from error
        record = {
            "format": FORMAT,
            "config": config.as_dict(),
            "source": source and source.as_dict(),
            "fingerprint": fingerprint,
            "versions": versions(),
        }
        folder = cls(path, json.loads(json.dumps(record)))
        folder.hold()
        folder._write("run.json", record)
        folder.write_metrics("running", None)
        return folder

    @classmethod
    def open(cls, path: str | Path) -> RunDirectory:
        """Open the run in a folder; RunError for none, another version's or a damaged one."""
        path = Path(path)
        record = _read_json(path / "run.json")
        if not isinstance(record, dict) or record.get("format") != FORMAT:
            raise RunError(f"{path} is not a run folder of this version of treecore")
        try:
            return cls(path, record)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise RunError(f"{path / 'run.json'} is damaged ({shortened(error)})") from error

    # Who is at work in it -----------------------------------------------------------------------

    def hold(self) -> None:
        """Be the only one who drives this run, until :meth:`release`; RunError if another does."""
        if self._lock is not None:
            return
        try:
            self._lock = FolderLock(self.path)
        except FolderBusyError as error:
            raise RunError(
                f"another process is using the run in {self.path}: wait for it, or stop it"
            ) from error
        except OSError as error:
            raise RunError(f"{self.path} cannot be written to: {error.strerror}") from error

    def release(self) -> None:
        """Let others drive the run."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    # What happened ------------------------------------------------------------------------------

    def append(self, event: Event) -> None:
        line = json.dumps(event.as_dict()) + "\n"
        try:
            with open(self.path / "events.jsonl", "a", encoding="utf-8") as file:
                file.write(line)
        except OSError as error:
            raise RunError(f"{self.path} cannot be written to: {error.strerror}") from error

    def events(self) -> Iterator[Event]:
        """The appended events, oldest first; a last line that was cut short is passed over."""
        path = self.path / "events.jsonl"
        if not path.exists():
            return
        with open(path, "rb") as file:
            # A longer line is no event.
            while line := file.readline(1_000_000):
                try:
                    record = parse_json(line)
                    yield read_event(record, find_method(record["stage"]).unit)
                except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
                    return

    # Where it stands ----------------------------------------------------------------------------

    def write_checkpoint(self, state: State, n_events: int) -> None:
        """Keep a state, which ``n_events`` events have led to; these are on the disk before it."""
        events = self.path / "events.jsonl"
        try:
            if events.exists():
                with open(events, "rb+") as file:
                    os.fsync(file.fileno())
        except OSError as error:
            raise CheckpointError(f"{events} cannot be written: {error.strerror}") from error
        write_checkpoint(self.path / "checkpoint", {"n_events": n_events, "run": state})

    def read_checkpoint(self) -> tuple[State, int] | None:
        """The last state and its number of events, or None; CheckpointError where it is damaged."""
        if not (self.path / "checkpoint").exists():
            return None
        checkpoint = read_checkpoint(self.path / "checkpoint")
        return checkpoint.get("run", {}), int(checkpoint.get("n_events", 0))

    def replace_events(self, events: Iterable[Event]) -> None:
        """Write these events in place of all others."""
        lines = [json.dumps(event.as_dict()) + "\n" for event in events]
        write_atomically(self.path / "events.jsonl", "".join(lines).encode())

    def cut_events(self, n_events: int) -> None:
        """Remove the events after the first ``n_events``: their steps were lost."""
        path = self.path / "events.jsonl"
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        write_atomically(path, b"".join(lines[:n_events]))

    @property
    def state(self) -> str:
        """``"running"`` (or killed while it was), ``"stopped"`` or ``"finished"``."""
        return self.metrics().get("state", "running")

    def metrics(self) -> dict[str, Any]:
        """Figures of the last tree, and the state; empty where there are none yet."""
        try:
            metrics = _read_json(self.path / "metrics.json")
        except RunError:
            return {}
        return metrics if isinstance(metrics, dict) else {}

    def write_metrics(self, state: str, figures: Mapping[str, Any] | None) -> None:
        """Write the state ("running", "stopped" or "finished") and :func:`figures_of` the model."""
        self._write("metrics.json", {"state": state, **(figures or {})})

    @property
    def model_path(self) -> Path:
        is_tree = find_method(self.config.method).family == "tree"
        return self.path / ("tree.json" if is_tree else "forest.json")

    def write_model(self, document: Document) -> None:
        """Keep the tree or forest."""
        write_atomically(self.model_path, to_json(document, indent=1).encode())

    def read_model(self) -> Document:
        """The model; raises RunError before there is one, TreeFormatError where it is damaged."""
        try:
            return from_json(self.model_path.read_bytes())
        except OSError as error:
            raise RunError(f"{self.path} holds no tree yet") from error

    def _write(self, name: str, content: Any) -> None:
        write_atomically(self.path / name, (json.dumps(content, indent=1) + "\n").encode())


def runs_root() -> Path:
    """Where run folders go: ``./runs``, or what the variable TREECORE_RUNS names."""
    return Path(os.environ.get("TREECORE_RUNS", "runs"))


def new_run_path(name: str, method: str) -> Path:
    """A folder that is not there yet: ``runs/iris-tao-1``."""
    root, number = runs_root(), 1
    stem = "".join(c if c.isalnum() else "-" for c in name).strip("-").lower() or "table"
    while (path := root / f"{stem}-{method}-{number}").exists():
        number += 1
    return path


def find_runs(root: str | Path) -> list[RunDirectory]:
    """All runs in a folder and below, newest last; what cannot be read is left out."""
    runs = []
    for path in sorted(Path(root).glob("**/run.json"), key=_age):
        try:
            runs.append(RunDirectory.open(path.parent))
        except RunError:
            continue
    return runs


def versions() -> dict[str, str]:
    """What a run was made with."""
    return {
        "treecore": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "scikit-learn": metadata.version("scikit-learn"),  # importing it takes a second
    }


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _read_json(path: Path) -> Any:
    try:
        with open(path, "rb") as file:
            return parse_json(file.read(LIBRARY.json_bytes + 1))
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise RunError(f"{path} is damaged: it is not JSON") from error


def _config(content: Any, path: Path) -> RunConfig:
    try:
        return RunConfig.of_saved(content)
    except (AttributeError, TypeError, ValueError) as error:
        raise RunError(
            f"the settings in {path / 'run.json'} are not valid: {shortened(error)}"
        ) from error
