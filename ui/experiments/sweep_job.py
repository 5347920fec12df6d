"""A sweep at work behind the page, in a thread: how far it is, and its end when it is told.

All that is done is in the sweep's folder at once. The thread ends with the session that has begun
it, and the sweep goes on from there when somebody starts it again, here or on the command line.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from treecore import warm_up
from treecore.sweeps import Choice, Sweep, SweepSpec, make_pool
from treecore.sweeps.pools import Pool


@dataclass(frozen=True)
class Progress:
    """How far a sweep is, taken at one moment.

    Attributes
    ----------
    done, total : int
        Runs; those of an earlier start are done as well.
    skipped : int
        How many were done before this start.
    seconds_left : float or None
        None before the first run of this start has ended.
    running, stopped : bool
        Stopped is one that was told to end before its end.
    message : str
        What it is busy with, while it prepares.
    problem : str
        Why it cannot go on; empty when it can.
    choice : Choice or None
        How it has ended.
    """

    done: int
    total: int
    skipped: int
    seconds_left: float | None
    running: bool
    stopped: bool
    message: str
    problem: str
    choice: Choice | None

    @property
    def share(self) -> float:
        """How much is done, 0 to 1."""
        return min(1.0, self.done / max(1, self.total))


class Work:
    """One sweep, begun at once.

    Parameters
    ----------
    spec : SweepSpec
    folder : Path
    n_workers : int
        1: in the thread itself; more: processes.
    pool : callable (n_workers) -> Pool
    """

    def __init__(
        self,
        spec: SweepSpec,
        folder: Path,
        n_workers: int,
        pool: Callable[[int], Pool] = make_pool,
    ):
        self.folder = folder
        self._spec, self._n_workers, self._pool = spec, n_workers, pool
        self._lock = threading.Lock()
        self._told = threading.Event()  # to stop
        self._sweep: Sweep | None = None
        self._done = self._skipped = 0
        self._total = 0
        self._left: float | None = None
        self._left_at = 0.0
        self._message, self._problem = "Preparing", ""
        self._choice: Choice | None = None
        self._thread = threading.Thread(target=self._run, name="treecore-sweep", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End soon; what is done is kept. May be called twice."""
        self._told.set()
        with self._lock:
            sweep = self._sweep
        if sweep is not None:
            sweep.stop()

    def join(self, seconds: float) -> None:
        """Wait for the end."""
        self._thread.join(seconds)

    @property
    def running(self) -> bool:
        """Whether it is at work, or about to end."""
        return self._thread.is_alive()

    def progress(self) -> Progress:
        """How far it is."""
        running = self.running  # before the rest: what was written last is seen then
        with self._lock:
            left = self._left
            if left is not None:
                left = max(0.0, left - (time.monotonic() - self._left_at))
            return Progress(
                self._done,
                self._total,
                self._skipped,
                left if running else None,
                running,
                self._told.is_set() and self._choice is None,
                self._message if running else "",
                self._problem,
                self._choice,
            )

    def _run(self) -> None:
        try:
            warm_up(self._tell)
            if not self._told.is_set():
                self._sweep_through()
        except ValueError as error:
            self._fail(str(error))
        except Exception:  # a defect: say so on the screen, and in full in the log
            logging.getLogger(__name__).exception("a sweep has failed")
            self._fail("something went wrong; the log of the server says what")

    def _sweep_through(self) -> None:
        self._tell("Reading the rows")
        with Sweep(self._spec, self.folder, self._pool(self._n_workers)) as sweep:
            with self._lock:
                self._sweep, self._total = sweep, sweep.total
            if self._told.is_set():  # while the rows were read
                return
            self._tell("The first run is under way")
            for step in sweep.run():
                with self._lock:
                    if self._left is None:
                        self._skipped = max(0, step.done - 1)
                    self._done, self._total = step.done, step.total
                    self._left, self._left_at = step.seconds_left, time.monotonic()
                    self._message = ""
            with self._lock:
                self._choice, self._total = sweep.choice, sweep.total
                if self._left is None:
                    self._skipped = sweep.done
                self._done = sweep.done

    def _tell(self, message: str) -> None:
        with self._lock:
            self._message = message

    def _fail(self, problem: str) -> None:
        with self._lock:
            self._problem = problem


class Bench:
    """The sweep of one session; another session's is only seen by its folder."""

    def __init__(self):
        self.work: Work | None = None
        self.name = ""

    def start(self, spec: SweepSpec, folder: Path, name: str, n_workers: int) -> None:
        """Begin, unless one is at work: a click may arrive twice."""
        if self.work is None or not self.work.running:
            self.work, self.name = Work(spec, folder, n_workers), name

    def stop(self) -> None:
        """End the sweep; what is done is kept."""
        if self.work is not None:
            self.work.stop()


@st.cache_resource(scope="session", on_release=Bench.stop, show_spinner=False)
def bench() -> Bench:
    """The bench of this session."""
    return Bench()
