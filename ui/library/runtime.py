"""How long a sweep will take, by a short trial of its runs, in the background.

A form must not wait for kernels to be compiled, and what is tried then must not count that.
"""

from __future__ import annotations

import functools
import logging
import math
import time
from collections.abc import Callable, Sequence

import streamlit as st

from treecore import warm_up
from treecore.runs.driver import make_trainer
from treecore.sweeps.spec import DataSpec
from treecore.sweeps.work import rows_of
from treecore.training.config import RunConfig
from treecore.viewer.messages.wire import News
from ui.jobs.background import BackgroundJob, Steps
from ui.jobs.machine.scheduler import Client
from ui.live.channel import Channel, WholeSource

TRIAL_SECONDS = 0.2
"""How long a run is tried."""

TRIALS = "trials"
"""The view of the channel that has estimates drawn anew."""

MOST_VISITORS = 200
"""Who wait for estimates at a time, all by one channel."""

MOST_TRIALS = 2000
"""Of so many runs the seconds are remembered."""

Trial = tuple[DataSpec, RunConfig]


class RuntimeTrials(BackgroundJob[dict[Trial, float]]):
    """Seconds of runs, tried one after the other; shared by all sessions.

    The job begins with a question and ends when all that was asked is known.

    now: the clock that runs are measured by.
    """

    kind = "trials"
    unwatched_seconds = math.inf

    def __init__(self, now: Callable[[], float] = time.perf_counter):
        self.channel = Channel(most=MOST_VISITORS)
        self.channel.show(TRIALS, WholeSource(self._beat, hurry=self._has_ended))
        super().__init__(playing=True, turn=Client().turn(), announce=self.channel.announce)
        self._now = now
        self._known: dict[Trial, float] = {}
        self._asked: list[Trial] = []

    def seconds(self, data: DataSpec, configs: Sequence[RunConfig]) -> float | None:
        """What runs take one after the other; None while that is being tried.

        NaN where one of them cannot be tried.
        """
        wanted = [(data, _typical(config)) for config in configs]
        with self._changed:
            missing = [one for one in dict.fromkeys(wanted) if one not in self._known]
            if not missing:
                return sum(self._known[one] for one in wanted)
            self._asked = missing  # what another form has asked for, it asks for again
            if self._has_ended():
                self._begin()
        return None

    def close(self) -> None:
        """End for good; nobody hears of it any more."""
        self.channel.close()
        super().close()

    def _beat(self) -> News:
        """What estimates depend on, for the view that has them drawn anew."""
        with self._changed:
            state = "finished" if self._has_ended() else "running"
            return {"state": state, "done": [len(self._known), len(self._asked)]}, {}

    def _snapshot(self) -> dict[Trial, float]:
        return dict(self._known)

    def _is_over(self) -> bool:
        return not self._asked

    def _steps(self) -> Steps:
        try:
            warm_up()
        except Exception:  # a defect: without compiled kernels a trial just says too much
            logging.getLogger(__name__).exception("compiling has failed")
        yield lambda: None
        while True:
            trial = self._asked[0]
            try:
                seconds = _tried(*trial, self._now)
            except Exception:  # rows that are gone, or too few: the sweep itself will say it
                logging.getLogger(__name__).info("a trial has failed", exc_info=True)
                seconds = math.nan
            yield functools.partial(self._show_trial, trial, seconds)

    def _show_trial(self, trial: Trial, seconds: float) -> None:
        if len(self._known) >= MOST_TRIALS:
            self._known.clear()
        self._known[trial] = seconds
        self._announce()
        self._asked = [one for one in self._asked if one not in self._known]


@st.cache_resource(show_spinner=False, on_release=RuntimeTrials.close)
def trials() -> RuntimeTrials:
    """The trials of this process."""
    return RuntimeTrials()


def _typical(config: RunConfig) -> RunConfig:
    """A run that takes about as long: method and depth count, ν, η and the seed hardly do."""
    alike = {s.name: s.default for s in config.settings.definitions() if s.name in ("nu", "eta")}
    return config.replace(seed=0, **alike)


def _tried(data: DataSpec, config: RunConfig, clock: Callable[[], float]) -> float:
    """Seconds of one run, by its first moments."""
    rows = rows_of(data, "search")
    warm_up(config=config)
    started = clock()
    trainer = make_trainer(config, rows.train, rows.held)
    first: float | None = None  # progress of the method itself when it was first seen
    after_start, event = started, None
    while not trainer.finished and clock() - started < TRIAL_SECONDS:
        event = trainer.step()
        if first is None and event.stage == config.method:
            first, after_start = event.progress, clock()
    now = clock()
    if trainer.finished or event is None:
        return now - started
    if first is None or event.progress <= first:
        return 20 * (now - started)  # hardly begun: no more than that it takes long is known
    done = event.progress - first
    return after_start - started + (now - after_start) * (1 - first) / done
