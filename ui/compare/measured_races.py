"""Races that were run over many seeds once, and what came of them; read from a file beside this.

``python -m benchmarks.where_it_wins`` writes it: how the points are drawn and divided, what is
learnt from them and how it is measured is exactly what the page does at the same link.
"""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from treecore import RunConfig
from ui.links.fields import Reading
from ui.links.runs import read_run, run_text
from ui.widgets.data_defaults import usual_settings

FILE = Path(__file__).with_name("measured_races.jsonl")

GINI, ENTROPY, OC1, SGD, ANNEALED, FROM_AXIS = (
    "axis~criterion~gini",
    "axis",
    "oc1",
    "sgd",
    "annealed",
    "sgd~start~axis",
)
"""What was measured, as links write it: greedy trees by two criteria, joint ones, and the start of
the paper. Other settings are those that a method begins with on the data (:func:`rival`)."""

GREEDY, JOINT = (GINI, OC1), (SGD, ANNEALED)
"""The two kinds of tree: grown split by split, and learnt as a whole."""

RIVALS = (GINI, SGD, OC1, ANNEALED)
"""Among which a race has a winner; the first ones are what the page usually has, in its colours."""

TEST_SHARE = 25
"""Per cent of the rows that are held out, as is usual on the page."""


def rival(data: str, name: str) -> RunConfig:
    """One of those that were measured, with the defaults for the data; its depth is the race's.

    data: name of a generator or of a sample file; name: :data:`GINI`, :data:`OC1` and so on.
    """
    config = read_run(name, Reading(), leave_out=("depth",))
    assert config is not None, "the names are of methods that there are"
    usual = usual_settings(data, config.method)
    return config.replace(**{key: value for key, value in usual.items() if key != "depth"})


def rival_text(data: str, name: str) -> str:
    """The same as a link writes it, without the depth."""
    return run_text(rival(data, name), leave_out=("depth",))


@dataclass(frozen=True)
class MeasuredRun:
    """One method over the seeds 0, 1, 2, ...

    - accuracies: on the held-out rows, one a seed.
    - leaves, weights: means over the seeds; an axis-aligned split has one weight, thresholds are
      not counted.
    - bound, loss: means on the training rows before SGD and after it, of methods that minimise the
      bound.
    """

    accuracies: tuple[float, ...]
    leaves: float
    weights: float
    bound: tuple[float, float] | None = None
    loss: tuple[float, float] | None = None

    @property
    def mean(self) -> float:
        """Mean accuracy."""
        return statistics.fmean(self.accuracies)

    @property
    def deviation(self) -> float:
        """Of the sample, with n - 1 below."""
        return statistics.stdev(self.accuracies)


@dataclass(frozen=True)
class MeasuredRace:
    """All methods on the same rows at the same depth, over the same seeds.

    - data: name of a generator or of a sample file.
    - noise: of a generator, 0 to 1.
    - size: rows, those held out included.
    - runs: by what :func:`rival` takes.
    - measured: the day of the oldest run, as 2026-11-23.
    """

    data: str
    noise: float | None
    size: int
    depth: int
    runs: Mapping[str, MeasuredRun]
    measured: str = ""

    @property
    def n_seeds(self) -> int:
        """Seeds, which are 0 to one less."""
        return len(next(iter(self.runs.values())).accuracies)

    @property
    def key(self) -> tuple[str, int, int]:
        """What tells it from the others."""
        return self.data, self.size, self.depth

    def best(self, among: Sequence[str] = RIVALS) -> str:
        """The run of the greatest mean accuracy."""
        return max(among, key=lambda run: self.runs[run].mean)

    def win(self) -> tuple[str, float, float]:
        """The best run, and its lead over the best one of the other kind; see :meth:`lead`."""
        winner = self.best()
        return winner, *self.lead(winner, self.best(JOINT if winner in GREEDY else GREEDY))

    def lead(self, run: str, other: str) -> tuple[float, float]:
        """By how much a run is better than another: the mean over seeds, and its standard error."""
        pairs = zip(self.runs[run].accuracies, self.runs[other].accuracies, strict=True)
        apart = [a - b for a, b in pairs]
        return statistics.fmean(apart), statistics.stdev(apart) / math.sqrt(len(apart))

    def typical_seed(self, runs: Sequence[str]) -> int:
        """The seed whose accuracies lie nearest to the means of these runs."""

        def distance(seed: int) -> float:
            found = (self.runs[run] for run in runs)
            return sum((run.accuracies[seed] - run.mean) ** 2 for run in found)

        return min(range(self.n_seeds), key=distance)


@cache
def measured_races() -> dict[tuple[str, int, int], MeasuredRace]:
    """All of them by :attr:`MeasuredRace.key`; none where the file has not been made."""
    text = FILE.read_text(encoding="utf-8") if FILE.exists() else ""
    races = (_read(json.loads(line)) for line in text.splitlines())
    return {race.key: race for race in races}


def _read(record: dict[str, Any]) -> MeasuredRace:
    runs = {name: _run(run) for name, run in record.pop("runs").items()}
    return MeasuredRace(**record, runs=runs)


def _run(record: dict[str, Any]) -> MeasuredRun:
    pairs = {name: record[name] and tuple(record[name]) for name in ("bound", "loss")}
    return MeasuredRun(**record | pairs | {"accuracies": tuple(record["accuracies"])})


def lines(races: Iterable[MeasuredRace]) -> str:
    """The file's contents, a race a line, in the order of their keys."""
    ordered = sorted(races, key=lambda race: race.key)
    return "".join(json.dumps(asdict(race)) + "\n" for race in ordered)
