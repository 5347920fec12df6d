"""How long a sweep will take, by a short trial of its runs, in the background.

A form must not wait for kernels to be compiled, and what is tried then must not count that.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Sequence

import streamlit as st

from treecore import warm_up
from treecore.runs.driver import make_trainer
from treecore.sweeps.spec import DataSpec
from treecore.sweeps.work import rows_of
from treecore.training.config import RunConfig

TRIAL_SECONDS = 0.2
"""How long a run is tried."""

MOST_KEPT = 2000


class Trials:
    """Seconds of runs, tried one after the other; shared by all sessions.

    Parameters
    ----------
    now : callable () -> float
        The clock that runs are measured by.
    """

    def __init__(self, now: Callable[[], float] = time.perf_counter):
        self._now = now
        self._lock = threading.Lock()
        self._found: dict[tuple[DataSpec, RunConfig], float] = {}
        self._asked: list[tuple[DataSpec, RunConfig]] = []
        self._thread: threading.Thread | None = None

    def seconds(self, data: DataSpec, configs: Sequence[RunConfig]) -> float | None:
        """What runs take one after the other; None while that is being tried.

        NaN where one of them cannot be tried.
        """
        wanted = [(data, _typical(config)) for config in configs]
        with self._lock:
            missing = [one for one in dict.fromkeys(wanted) if one not in self._found]
            if not missing:
                return sum(self._found[one] for one in wanted)
            self._asked = missing  # what another form has asked for, it asks for again
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(
                    target=self._work, name="treecore-trials", daemon=True
                )
                self._thread.start()
        return None

    def close(self) -> None:
        """Try nothing more after the run that is being tried."""
        with self._lock:
            self._asked = []

    def _work(self) -> None:
        try:
            warm_up()
        except Exception:  # a defect: without compiled kernels a trial just says too much
            logging.getLogger(__name__).exception("compiling has failed")
        while True:
            with self._lock:
                if not self._asked:
                    self._thread = None
                    return
                data, config = self._asked.pop(0)
            try:
                seconds = _tried(data, config, self._now)
            except Exception:  # rows that are gone, or too few: the sweep itself will say it
                logging.getLogger(__name__).info("a trial has failed", exc_info=True)
                seconds = math.nan
            with self._lock:
                if len(self._found) >= MOST_KEPT:
                    self._found.clear()
                self._found[data, config] = seconds


@st.cache_resource(show_spinner=False, on_release=Trials.close)
def trials() -> Trials:
    """The trials of this process."""
    return Trials()


def _typical(config: RunConfig) -> RunConfig:
    """A run that takes about as long: method and depth count, ν, η and the seed hardly do."""
    alike = {s.name: s.default for s in config.settings.definitions() if s.name in ("nu", "eta")}
    return config.replace(seed=0, **alike)


def _tried(data: DataSpec, config: RunConfig, clock: Callable[[], float]) -> float:
    """Seconds of one run, by its first moments."""
    rows = rows_of(data, "search")
    warm_up(config=config)
    begun = clock()
    trainer = make_trainer(config, rows.train, rows.held)
    first, own, event = None, begun, None
    while not trainer.finished and clock() - begun < TRIAL_SECONDS:
        event = trainer.step()
        if first is None and event.stage == config.method:
            first, own = event.progress, clock()
    now = clock()
    if trainer.finished or event is None:
        return now - begun
    done = 0.0 if first is None else event.progress - first
    if done <= 0:
        return 20 * (now - begun)  # hardly begun: no more than that it takes long is known
    return own - begun + (now - own) * (1 - first) / done
