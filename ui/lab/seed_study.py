"""The spread over seeds: the same comparison again and again, each time with another seed.

The runs are done in a thread after those on the screen; what is done stays when it is stopped.
"""

from __future__ import annotations

import functools
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from treecore import RunConfig
from treecore.runs import make_trainer
from ui.jobs.background import BackgroundJob, Steps
from ui.jobs.chosen_data import ChosenData
from ui.jobs.machine.scheduler import LAST_IN_LINE
from ui.jobs.machine.turns import Turns
from ui.jobs.metrics import goodness
from ui.jobs.pacing import WallClock


@dataclass(frozen=True)
class SeedResult:
    """One finished run; ``good`` is the accuracy on held-out classes, or R² of held-out numbers."""

    contestant: int
    seed: int
    good: float


@dataclass(frozen=True)
class SeedProgress:
    """How far the runs are; seconds_left: None while too little is known; message: an error."""

    results: tuple[SeedResult, ...]
    share: float
    seconds_left: float | None
    running: bool
    message: str


class SeedStudy(BackgroundJob[SeedProgress]):
    """Runs of all contestants, one config each, for several seeds, on data with held-out rows."""

    kind = "seeds"
    forgotten_seconds = 600.0

    def __init__(
        self,
        data: Callable[[int], ChosenData],
        configs: Sequence[RunConfig],
        seeds: Sequence[int],
        turn: Turns | None = None,
        wall: WallClock | None = None,
        announce: Callable[[], None] | None = None,
    ):
        super().__init__(playing=True, turn=turn, wall=wall, announce=announce)
        self._data, self._configs, self._seeds = data, tuple(configs), seeds
        self._start()

    def _clear(self) -> None:
        self._results: list[SeedResult] = []
        self._present = (0, 0.0)  # contestant and share of the run being done
        self._durations: list[list[float]] = [[] for _ in self._configs]  # wall seconds

    def _snapshot(self) -> SeedProgress:
        contestant, share = self._present
        running, left = self.alive, None
        if running and all(self._durations):
            mean = [statistics.fmean(ended) for ended in self._durations]
            left = sum(
                seconds * (len(self._seeds) - len(ended))
                for seconds, ended in zip(mean, self._durations, strict=True)
            )
            left = max(0.0, left - share * mean[contestant])
        done = len(self._results) + (share if running else 0.0)
        share = min(1.0, done / (len(self._configs) * len(self._seeds)))
        return SeedProgress(tuple(self._results), share, left, running, self._message)

    def _elapsed(self) -> float:
        return LAST_IN_LINE

    def _steps(self) -> Steps:
        yield lambda: None  # there is nothing to prepare
        for seed in self._seeds:  # all contestants of a seed before the next one
            data = self._data(seed)
            for number, config in enumerate(self._configs):
                yield from self._run(number, config.replace(seed=seed), data)

    def _run(self, number: int, config: RunConfig, data: ChosenData) -> Steps:
        started = self._wall.now()
        trainer = make_trainer(config, data.train, data.held)
        while not trainer.finished:
            event = trainer.step()
            if not trainer.finished:
                share = event.progress if event.stage == config.method else 0.0
                yield functools.partial(self._show_share, number, share)
        good = goodness(event)
        assert good is not None, "there are held-out rows"
        result = SeedResult(number, config.seed, good)
        yield functools.partial(self._show_result, result, self._wall.now() - started)

    def _show_share(self, number: int, share: float) -> None:
        self._present = number, share
        self._announce()

    def _show_result(self, result: SeedResult, seconds: float) -> None:
        self._results.append(result)
        self._durations[result.contestant].append(seconds)
        self._present = result.contestant, 0.0
        self._announce()


@dataclass(frozen=True)
class Summary:
    """What one contestant got right over seeds; deviation: of the sample, None for a single run."""

    values: tuple[float, ...]
    seeds: tuple[int, ...]
    mean: float
    deviation: float | None


def summary(results: Sequence[SeedResult], contestant: int) -> Summary | None:
    """What the finished runs of a contestant say; None before the first."""
    of_contestant = [result for result in results if result.contestant == contestant]
    if not of_contestant:
        return None
    values = tuple(result.good for result in of_contestant)
    deviation = statistics.stdev(values) if len(values) > 1 else None
    return Summary(
        values, tuple(r.seed for r in of_contestant), statistics.fmean(values), deviation
    )
