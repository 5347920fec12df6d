"""A run with its folder: started, resumed from a checkpoint, driven to its end."""

from __future__ import annotations

import logging
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

from treecore.base.state_file import CheckpointError, State
from treecore.core.tree import Tree
from treecore.data.dataset import Dataset
from treecore.data.readers.columns import categories_of
from treecore.data.sources import Source, read_parts
from treecore.runs.interrupts import uninterrupted
from treecore.runs.result import document_of, figures_of, print_of
from treecore.runs.run_directory import RunDirectory, RunError
from treecore.training.config import RunConfig, left_out
from treecore.training.events import Event
from treecore.training.trainer import Trainer

LOGGER = logging.getLogger(__name__)

EVERY = 30.0
"""Seconds between checkpoints."""


class RunSession:
    """A trainer at work on a run's folder, and the last event of a measured model.

    n_events: in the folder; past: those before it was resumed; n_lost: those that the log has lost.
    """

    def __init__(
        self, folder: RunDirectory, trainer: Trainer, train: Dataset, held: Dataset | None
    ):
        self.folder, self.trainer, self.train, self.held = folder, trainer, train, held
        self.last: Event | None = None
        self.n_events = 0
        self.past: list[Event] = []
        self.n_lost = 0

    def save(self, state: str | None = None) -> None:
        """Write a checkpoint. state: not None: the model and its figures are written as well."""
        self.folder.write_checkpoint(self.trainer.state(), self.n_events)
        LOGGER.debug("%s: checkpoint after %d events", self.folder.path, self.n_events)
        if state is not None and self.last is not None:
            source = self.folder.source
            self.folder.write_model(document_of(self.trainer, self.last, self.train, source))
            self.folder.write_metrics(state, figures_of(self.last))


def make_trainer(
    config: RunConfig,
    train: Dataset,
    held: Dataset | None = None,
    state: State | None = None,
    start: Tree | None = None,
) -> Trainer:
    """A trainer on the rows of two tables, gone on from ``state`` or from a tree if given."""
    arguments: dict[str, Any] = {
        "validation": (held.given, held.y) if held else None,
        "n_classes": train.n_classes or None,
    }
    if config.categorical:
        arguments["categories"] = categories_of(train.columns, config.categorical)
    if start is not None:
        arguments["start"] = start
    if state is None:
        return Trainer(config, train.given, train.y, **arguments)
    return Trainer.from_state(state, config, train.given, train.y, **arguments)


def begin(
    path: str | Path, config: RunConfig, source: Source, parts: tuple[Any, ...] | None = None
) -> RunSession:
    """Begin a new run in a new folder.

    Parameters
    ----------
    path : path
    config : RunConfig
    source : Source
        Read, unless ``parts`` are at hand: the training rows, and validation rows or None.
    parts : (Dataset, Dataset or None) or None

    Raises
    ------
    ValueError
        In one sentence, where the rows cannot be read or learnt from, or the folder is in use.
    """
    train, held = parts or read_parts(source)
    trainer = make_trainer(config, train, held)  # refuses rows before a folder is made
    folder = RunDirectory.create(path, config, source, print_of(train))
    LOGGER.info(
        "%s: %s begins on %d rows of %s", folder.path, config.method, train.n_samples, train.name
    )
    return RunSession(folder, trainer, train, held)


def resume(path: str | Path, source: Source | None = None) -> RunSession:
    """The run of a folder, where its last checkpoint left it; from the start without one.

    The folder is held for the caller, and events after the checkpoint are cut off.

    Parameters
    ----------
    path : path
    source : Source or None
        Where the rows are now, if they have moved.

    Raises
    ------
    ValueError
        In one sentence; among others where the rows are not those that the run began with, or it
        has a setting that this version lacks.
    RunError
        Where another process is at work in the folder.
    """
    folder = RunDirectory.open(path)
    if gone := left_out(folder.record["config"]):
        why = "; ".join(f"{name!r} is gone: {instead}" for name, instead in gone.items())
        raise RunError(
            f"the run in {path} cannot be continued, because its setting {why}; its model can be "
            "used, or start a new run"
        )
    folder.hold()
    try:
        session = _restore(folder, source)
        folder.cut_events(session.n_events)
    except BaseException:
        folder.release()
        raise
    LOGGER.info("%s: goes on after %d events", folder.path, session.n_events)
    if session.n_lost:
        LOGGER.warning("%s: the log lacks its last %d events", folder.path, session.n_lost)
    return session


def look_into(path: str | Path, replay: bool = False) -> RunSession:
    """Like :func:`resume`, but the folder is only read; another process may be at work there.

    replay: it is to be learnt once more, so a checkpoint of another version is not minded.
    """
    folder = RunDirectory.open(path)
    try:
        return _restore(folder, None)
    except CheckpointError:
        if not replay:
            raise
        session = _session(folder, None)
        return _with_past(session, list(folder.events()))


def _restore(folder: RunDirectory, source: Source | None) -> RunSession:
    checkpoint = folder.read_checkpoint()
    if checkpoint is None:
        return _session(folder, source)
    state, n_events = checkpoint
    session = _with_past(_session(folder, source, state), list(folder.events())[:n_events])
    session.n_lost = n_events - session.n_events
    return session


def _with_past(session: RunSession, past: list[Event]) -> RunSession:
    session.past, session.n_events = past, len(past)
    of_model = [event for event in past if session.trainer.measures_model(event)]
    session.last = of_model[-1] if of_model else None
    return session


def _session(folder: RunDirectory, source: Source | None, state: State | None = None) -> RunSession:
    path = folder.path
    if "stream" in folder.record:
        raise RunError(
            f"the run in {path} learnt from a stream, which this version cannot: its model can be "
            "used, and estimators' partial_fit learns from rows in parts"
        )
    source = source or folder.source
    if source is None:
        raise RunError(f"{path} does not say where its rows come from: name them")
    train, held = read_parts(source)
    if print_of(train) != folder.record["fingerprint"]:
        raise RunError(
            f"the rows of {source.name} have changed since this run started: restore the old "
            "ones, or start a new run"
        )
    return RunSession(folder, make_trainer(folder.config, train, held, state), train, held)


def go_on(session: RunSession, every: float = EVERY) -> Generator[Event, None, None]:
    """Drive a run to its end; yields every event, and writes those of measured models.

    The end, and closing this generator, write the model as well.

    Parameters
    ----------
    session : RunSession
    every : float
        Seconds between checkpoints, about; longer where writing would take a tenth of the time.
    """
    trainer, folder = session.trainer, session.folder
    folder.hold()
    due = time.monotonic() + every
    finished = False
    try:
        while not trainer.finished:
            with uninterrupted():  # a step and its event are both in the checkpoint, or neither
                event = trainer.step()
                if event.complete:
                    if trainer.measures_model(event):
                        session.last = event
                    folder.append(event)
                    session.n_events += 1
            if time.monotonic() >= due and not trainer.finished:
                started = time.monotonic()
                session.save()
                now = time.monotonic()
                due = now + max(every, 9 * (now - started))
            yield event
        finished = True
    finally:
        state = "finished" if finished or trainer.finished else "stopped"
        try:
            session.save(state)
            LOGGER.info("%s: %s after %d events", folder.path, state, session.n_events)
        finally:
            folder.release()
