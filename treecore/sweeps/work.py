"""One run of a sweep, wherever it runs: rows are read once a process, a row of figures comes out.

A worker is told where the rows are, not what they are. It reads and divides them by itself, and
refuses to go on where they are not those of the sweep: a file that differs from machine to
machine would give a table of nonsense.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from treecore.datasets import Dataset, split
from treecore.losses import LOSSES
from treecore.matching import match
from treecore.metrics import evaluate
from treecore.persistence import TreeDocument, to_json
from treecore.runs.drive import make_trainer
from treecore.runs.result import document_of, figures_of, print_of
from treecore.sources import read_table
from treecore.sweeps.protocol import Job
from treecore.sweeps.spec import DataSpec, SweepError
from treecore.training import Trainer


class Stopped(Exception):
    """The run was told to end before its time."""


class Rows(NamedTuple):
    """The rows of a sweep, divided.

    Attributes
    ----------
    train, validation : Dataset
        For the search.
    both : Dataset
        The two together, for the final runs.
    test : Dataset or None
        None where the test rows are another table, which only final runs read.
    fingerprint : str
        Of all but the test rows.
    """

    train: Dataset
    validation: Dataset
    both: Dataset
    test: Dataset | None
    fingerprint: str


class Result(NamedTuple):
    """What a run gives: a row of the table, and its tree as JSON, None where it failed."""

    row: dict[str, Any]
    tree: str | None


_rows: OrderedDict[DataSpec, Rows] = OrderedDict()
_reading = threading.Lock()


def rows_of(data: DataSpec) -> Rows:
    """The rows of a sweep; those of the last two are remembered."""
    with _reading:
        if data not in _rows:
            while len(_rows) > 1:
                _rows.popitem(last=False)
            _rows[data] = _divided(data)
        return _rows[data]


def _divided(data: DataSpec) -> Rows:
    both, test = read_table(data.source), None
    if not isinstance(data.test, str):
        both, test = split(both, data.test, data.source.seed)
    train, validation = split(both, data.source.held_out, data.source.seed)
    if validation is None:
        raise SweepError("no validation row is left: give more rows, or greater shares")
    return Rows(train, validation, both, test, print_of(both))


def run_job(
    job: Job, data: DataSpec, fingerprint: str, stopped: Callable[[], bool] | None = None
) -> Result:
    """Do one run, in one thread.

    What cannot be learnt is told in the row, under ``"error"``, and is no error here.

    Raises
    ------
    SweepError
        Where this process reads other rows than the sweep's.
    Stopped
        When ``stopped``, asked every few milliseconds, says so.
    """
    begun = time.monotonic()
    rows = rows_of(data)
    if rows.fingerprint != fingerprint:
        raise SweepError(
            f"{platform.node()} reads other rows from {data.source.name} than the machine that "
            "leads the sweep: give all machines the same file and the same version of treecore"
        )
    with threadpool_limits(1):
        try:
            found, document = _learn(job, data, rows, stopped)
            found, tree = {**found, "error": None}, to_json(document)
        except (ValueError, MemoryError) as error:
            found, tree = {"error": str(error) or "there is not enough memory"}, None
    return Result(_row(job, rows, found, time.monotonic() - begun), tree)


def _learn(job: Job, data: DataSpec, rows: Rows, stopped) -> tuple[dict, TreeDocument]:
    final = job.stage == "final"
    train, held = (rows.both, None) if final else (rows.train, rows.validation)
    trainer = make_trainer(job.config, train, held)
    event = None
    with contextlib.closing(trainer):
        while not trainer.finished:
            event = trainer.step()
            if stopped is not None and stopped():
                raise Stopped
    figures = figures_of(event)
    document = document_of(trainer, event, train, data.source)
    if final:
        figures |= _test_figures(trainer, document, data, rows)
        document.training["metrics"].update(figures)
    return figures, document


def _test_figures(trainer: Trainer, document: TreeDocument, data: DataSpec, rows: Rows) -> dict:
    """Figures on the test rows; a class that the tree does not know is a mistake."""
    if rows.test is not None:
        X, y = rows.test.X, rows.test.y
    else:
        X, y = match(document, data.test_source())
    if y is None:
        raise SweepError(f"the test table {data.test_source().name} lacks the target")
    classes = bool(document.class_names)
    known = y >= 0 if classes else np.ones(len(y), dtype=bool)
    if not known.any():
        raise SweepError("none of the classes of the test table is one of the training rows'")
    X, y = X[known], y[known]
    X = X if document.feature_map is None else document.feature_map(X)
    found = evaluate(document.tree, X, y, loss=LOSSES[trainer.config.loss])
    share = float(known.mean())
    accuracy = None if found.accuracy is None else found.accuracy * share
    return {"test_accuracy": accuracy, "test_r2": found.r2, "test_loss": found.loss}


def _row(job: Job, rows: Rows, found: dict, wall_seconds: float) -> dict[str, Any]:
    from treecore import __version__

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
        **found,
        "wall_seconds": wall_seconds,
        "worker": f"{platform.node()}:{os.getpid()}",
        "fingerprint": rows.fingerprint,
        "treecore": __version__,
    }
