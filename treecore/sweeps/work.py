"""One run of a sweep, wherever it runs: rows are read once a process, a row of figures comes out.

A worker gets the place of the rows, not the rows. It reads and divides them by itself, and
refuses to go on where they are not those of the sweep.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from treecore._version import __version__
from treecore.base.state_file import CheckpointError, read_checkpoint, write_checkpoint
from treecore.data.dataset import Dataset, split
from treecore.data.sources import read_table
from treecore.persistence import Document, to_json
from treecore.persistence.column_alignment import match
from treecore.persistence.evaluation import figures_with_unknown
from treecore.runs.driver import EVERY, make_trainer
from treecore.runs.result import document_of, figures_of, print_of
from treecore.sweeps.selection import Job
from treecore.sweeps.spec import DataSpec, SweepError
from treecore.training.events import Event
from treecore.training.trainer import Trainer


class Stopped(Exception):
    """The run was interrupted."""


class WorkerData(NamedTuple):
    """The rows of one stage of a sweep, as a worker reads them.

    - train: training rows of the search; those and the validation rows of the final runs.
    - held: validation rows of the search; test rows of the final runs, None where they are another
      table, which is read when a tree is finished.
    - fingerprint: of training and validation rows together, in either stage.
    """

    train: Dataset
    held: Dataset | None
    fingerprint: str


class TrialResult(NamedTuple):
    """The result of a run: a row of the table, and its model as JSON, None where it failed."""

    row: dict[str, Any]
    tree: str | None


_reading = threading.Lock()


def rows_of(data: DataSpec, stage: str) -> WorkerData:
    """The rows of a stage; those of the last two stages are cached.

    Raises ValueError where they cannot be read.
    """
    with _reading:
        return _divided(data, stage)


@lru_cache(maxsize=2)
def _divided(data: DataSpec, stage: str) -> WorkerData:
    both, test = read_table(data.source), None
    if not isinstance(data.test, str):
        both, test = split(both, data.test, data.source.seed)
    fingerprint = print_of(both)
    if stage == "final":
        return WorkerData(both, test, fingerprint)
    return WorkerData(*split(both, data.source.held_out, data.source.seed), fingerprint)


def run_job(
    job: Job, data: DataSpec, fingerprint: str, stopped: Callable[[], bool] | None = None
) -> TrialResult:
    """Do one run, in one thread.

    What cannot be learnt is a row with an ``"error"``, and raises nothing here.

    stopped: asked every few milliseconds. Raises SweepError where this process reads other rows
    than the sweep's; Stopped when ``stopped`` says so.
    """
    started = time.monotonic()
    rows = rows_of(data, job.stage)
    if rows.fingerprint != fingerprint:
        raise SweepError(
            f"{platform.node()} reads other rows from {data.source.name} than the sweep began "
            "with: keep one file on all machines, as it was, and one version of treecore"
        )
    with threadpool_limits(1):
        try:
            figures, document = _learn(job, data, rows, stopped)
            figures, tree = {**figures, "error": None}, to_json(document)
        except (ValueError, MemoryError) as error:
            figures, tree = {"error": str(error) or "there is not enough memory"}, None
    return TrialResult(_row(job, rows, figures, time.monotonic() - started), tree)


def _learn(job: Job, data: DataSpec, rows: WorkerData, stopped) -> tuple[dict[str, Any], Document]:
    final = job.stage == "final"
    # A trainer of a final run is not even given the test rows.
    held = None if final else rows.held
    trainer = _restored(job, rows, held) or make_trainer(job.config, rows.train, held)
    checkpoint = Path(job.checkpoint)
    keeps = bool(job.checkpoint) and checkpoint.parent.is_dir()  # another machine may not see it
    event: Event | None = None
    due = time.monotonic() + EVERY
    with contextlib.closing(trainer):
        while not trainer.finished:
            step = trainer.step()
            if step.complete and trainer.measures_model(step):
                event = step
            is_stopped = stopped is not None and stopped()
            # The last step is always done anew: the model is measured by it.
            if keeps and not trainer.finished and (is_stopped or time.monotonic() >= due):
                write_checkpoint(checkpoint, trainer.state())
                due = time.monotonic() + EVERY
            if is_stopped:
                raise Stopped
    if keeps:
        checkpoint.unlink(missing_ok=True)
    if event is None and job.checkpoint:  # the checkpoint came after its last measurement
        return _learn(replace(job, checkpoint=""), data, rows, stopped)
    assert event is not None, "a finished run has measured its model"
    figures = figures_of(event)
    document = document_of(trainer, event, rows.train, data.source)
    if final:
        figures |= _test_figures(document, data, rows)
        document.training["metrics"].update(figures)
    return figures, document


def _restored(job: Job, rows: WorkerData, held: Dataset | None) -> Trainer | None:
    """The trainer that a killed worker left; none where there is none that can be gone on with."""
    with contextlib.suppress(CheckpointError, ValueError, KeyError, TypeError):
        return make_trainer(job.config, rows.train, held, read_checkpoint(job.checkpoint))
    return None


def _test_figures(document: Document, data: DataSpec, rows: WorkerData) -> dict[str, Any]:
    y: np.ndarray | None
    source = data.test_source()
    if rows.held is not None:
        X, y = rows.held.given, rows.held.y
    else:
        assert source is not None, "there are test rows"
        X, y, _ = match(document, source, labelled=True)
        if y is None:
            raise SweepError(f"the test table {source.name} lacks the target")
    figures = figures_with_unknown(document, X, y)
    return {f"test_{name}": figures.get(name) for name in ("accuracy", "r2", "loss")}


def _row(
    job: Job, rows: WorkerData, figures: dict[str, Any], wall_seconds: float
) -> dict[str, Any]:
    settings = job.config.as_dict()
    return {
        "key": job.key,
        "stage": job.stage,
        "rung": job.rung,
        "candidate": job.candidate,
        "method": job.config.method,
        "seed": job.config.seed,
        **{name: settings.get(name) for name in ("depth", "nu", "eta")},
        "settings": json.dumps(settings),
        **figures,
        "wall_seconds": wall_seconds,
        "worker": f"{platform.node()}:{os.getpid()}",
        "fingerprint": rows.fingerprint,
        "treecore": __version__,
    }
