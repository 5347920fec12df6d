"""A run that is kept in a folder while it goes on, and resumed from there.

:func:`begin` and :func:`resume` give a trainer and its folder, :func:`go_on` drives them. Whoever
calls may stop between any two events; what is in the folder then is whole.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from treecore.base.state_file import State
from treecore.data.dataset import Dataset
from treecore.data.sources import Source, read_parts
from treecore.runs.interrupts import uninterrupted
from treecore.runs.result import document_of, figures_of, print_of
from treecore.runs.run_directory import RunDirectory, RunError
from treecore.training import Trainer
from treecore.training.config import RunConfig
from treecore.training.events import Event

EVERY = 30.0
"""Seconds between checkpoints."""


class Kept:
    """A trainer at work on a folder.

    Attributes
    ----------
    folder : RunDirectory
    trainer : Trainer
    train, held : Dataset, Dataset or None
    last : Event or None
        Of the last measurement that tells of the model.
    n_events : int
        Events in the folder.
    past : list of Event
        Those that had led to the trainer when the run was resumed.
    n_lost : int
        How many of those the folder's log has lost; the run itself is whole.
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
        """A checkpoint now; with ``state``, ``"stopped"`` or ``"finished"``, the tree as well."""
        self.folder.write_checkpoint(self.trainer.state(), self.n_events)
        if state is not None and self.last is not None:
            source = self.folder.source
            self.folder.write_model(document_of(self.trainer, self.last, self.train, source))
            self.folder.write_metrics(state, figures_of(self.last))


def make_trainer(
    config: RunConfig, train: Dataset, held: Dataset | None, state: State | None = None
) -> Trainer:
    """A trainer on the rows of two tables, which goes on from a ``state`` where there is one."""
    given = {
        "validation": (held.X, held.y) if held else None,
        "n_classes": train.n_classes or None,
    }
    if state is None:
        return Trainer(config, train.X, train.y, **given)
    return Trainer.from_state(state, config, train.X, train.y, **given)


def begin(path: str | Path, config: RunConfig, source: Source, parts: tuple | None = None) -> Kept:
    """A new run in a new folder.

    Parameters
    ----------
    path : path
    config : RunConfig
    source : Source
        Read, unless ``parts``, what it means, is at hand.
    parts : (Dataset, Dataset or None) or None

    Raises
    ------
    ValueError
        In one sentence, where the rows cannot be read or learnt from, or the folder is in use.
    """
    train, held = parts or read_parts(source)
    trainer = make_trainer(config, train, held)  # refuses rows before a folder is made
    return Kept(RunDirectory.create(path, config, source, print_of(train)), trainer, train, held)


def resume(path: str | Path, source: Source | None = None) -> Kept:
    """The run of a folder, where its last checkpoint left it; from the start without one.

    The folder is held for whoever calls, and what it tells of lost work is cut off. Parameters and
    errors are those of :func:`look_into`; besides, RunError where another process is at work there.
    """
    folder = RunDirectory.open(path)
    folder.hold()
    try:
        kept = _come_back(folder, source)
        folder.cut_events(kept.n_events)
    except BaseException:
        folder.release()
        raise
    return kept


def look_into(path: str | Path, source: Source | None = None) -> Kept:
    """The same without a change to the folder, in which another process may be at work.

    Parameters
    ----------
    path : path
    source : Source or None
        Where the rows are now, if they have moved.

    Raises
    ------
    ValueError
        In one sentence; among others where the rows are not those that the run began with.
    """
    return _come_back(RunDirectory.open(path), source)


def _come_back(folder: RunDirectory, source: Source | None) -> Kept:
    path = folder.path
    if "stream" in folder.record:
        raise RunError(f"the run in {path} is one on a stream: treecore train --resume goes on")
    source = source or folder.source
    if source is None:
        raise RunError(f"{path} does not say where its rows come from: name them")
    train, held = read_parts(source)
    if print_of(train) != folder.record["fingerprint"]:
        raise RunError(
            f"the rows of {source.name} are not those that this run began with: find the old "
            "ones, or begin a new run"
        )
    found = folder.read_checkpoint()
    if found is None:
        return Kept(folder, make_trainer(folder.config, train, held), train, held)
    state, n_events = found
    kept = Kept(folder, make_trainer(folder.config, train, held, state), train, held)
    kept.past = list(folder.events())[:n_events]
    kept.n_events, kept.n_lost = len(kept.past), n_events - len(kept.past)
    told = [event for event in kept.past if kept.trainer.tells_of_model(event)]
    kept.last = told[-1] if told else None
    return kept


def go_on(kept: Kept, every: float = EVERY) -> Iterator[Event]:
    """Drive a run to its end; gives every event, and keeps those of measured trees.

    A checkpoint is written about every ``every`` seconds, and never so often that writing takes
    more than a tenth of the time. The end, and closing this generator, leave a tree as well.
    """
    trainer, folder = kept.trainer, kept.folder
    folder.hold()
    due = time.monotonic() + every
    finished = False
    try:
        while not trainer.finished:
            with uninterrupted():  # a step and its event are both in the checkpoint, or neither
                event = trainer.step()
                if event.complete:
                    if trainer.tells_of_model(event):
                        kept.last = event
                    folder.append(event)
                    kept.n_events += 1
            if time.monotonic() >= due and not trainer.finished:
                begun = time.monotonic()
                kept.save()
                now = time.monotonic()
                due = now + max(every, 9 * (now - begun))
            yield event
        finished = True
    finally:
        try:
            kept.save("finished" if finished or trainer.finished else "stopped")
        finally:
            folder.release()
