"""What earlier draws say of learners under a limit of leaves, and how data open by that.

``python -m benchmarks.draws`` writes the file beside this: how the points are drawn and divided,
what is learnt from them and how it is measured is exactly what the Lab does at the same link.
"""

import json
import statistics
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from treecore import RunConfig
from ui.jobs.chosen_data import ChosenData
from ui.lab.choices import OPENING_LEAVES, USUAL, USUAL_BUDGET, USUALLY_SHOWN, limited
from ui.links.runs import run_text
from ui.widgets.data.gallery import FILES, USUAL_DATA, USUAL_SIZE, sample

FILE = Path(__file__).with_name("draws.jsonl")

TEST_SHARE = 25
"""Per cent of the rows that are held out, as is usual in the Lab."""


def learner_text(config: RunConfig) -> str:
    """A learner as links write it, without what the limit decides."""
    return run_text(config, leave_out=limited(config.method))


@dataclass(frozen=True)
class DrawnRun:
    """One learner over the seeds 0, 1, 2, ...: test accuracies or R², and mean active leaves."""

    accuracies: tuple[float, ...]
    leaves: float

    @property
    def mean(self) -> float:
        return statistics.fmean(self.accuracies)


@dataclass(frozen=True)
class Draws:
    """All learners on the same rows with at most so many leaves; runs: by :func:`learner_text`."""

    data: str
    noise: float | None
    size: int
    leaves: int
    runs: Mapping[str, DrawnRun]
    measured: str = ""

    @property
    def key(self) -> tuple[str, int, int]:
        return self.data, self.size, self.leaves

    def typical_seed(self, runs: Sequence[str]) -> int:
        """The seed whose accuracies lie nearest to the means of these runs."""
        found = [self.runs[run] for run in runs]

        def distance(seed: int) -> float:
            return sum((run.accuracies[seed] - run.mean) ** 2 for run in found)

        return min(range(len(found[0].accuracies)), key=distance)


@cache
def all_draws() -> dict[tuple[str, int, int], Draws]:
    """All of them by :attr:`Draws.key`; none where the file has not been made."""
    text = FILE.read_text(encoding="utf-8") if FILE.exists() else ""
    draws = (_read(json.loads(line)) for line in text.splitlines())
    return {one.key: one for one in draws}


def _read(record: dict[str, Any]) -> Draws:
    runs = {
        name: DrawnRun(tuple(run["accuracies"]), run["leaves"])
        for name, run in record.pop("runs").items()
    }
    return Draws(**record, runs=runs)


def lines(draws: Iterable[Draws]) -> str:
    """The file's contents, a line each, in the order of their keys."""
    ordered = sorted(draws, key=lambda one: one.key)
    return "".join(json.dumps(asdict(one)) + "\n" for one in ordered)


def draws_of(data: ChosenData, configs: Sequence[RunConfig]) -> dict[int, Draws]:
    """The draws of just these data and learners, by their limits in leaves."""
    *origin, size, share, _seed = data.key
    texts = [learner_text(config) for config in configs]
    plain = all(
        c.class_weight == "none" and c.loss in ("log", "squared") and not c.categorical
        for c in configs
    )
    if share != TEST_SHARE or not plain:
        return {}
    return {
        one.leaves: one
        for one in all_draws().values()
        if (one.data, one.size) == (origin[0], size)
        and one.noise == (origin[1:] or [None])[0]
        and all(text in one.runs for text in texts)
    }


COUNT = "lab_n"
"""The session's key of how many learners there are."""

FOLLOWED = "lab_opening"
"""The session's key of the data whose limit and seed the page has taken, and these."""


def opening(name: str) -> tuple[int, int]:
    """Limit in leaves and seed with which data open: the most typical seed of all draws."""
    leaves = OPENING_LEAVES.get(name, USUAL_BUDGET)
    size = sample(name).n_samples if name in FILES else USUAL_SIZE
    draws = all_draws().get((name, size, leaves))
    shown = [learner_text(config) for config in USUAL[:USUALLY_SHOWN]]
    known = draws is not None and all(text in draws.runs for text in shown)
    return leaves, draws.typical_seed(shown) if draws and known else 0


def follow_data(said: Container[str] = ()) -> None:
    """Take limit and seed of the data chosen now, but for what a visitor or a link has set."""
    state = st.session_state
    name = state.get("dataset", USUAL_DATA)
    before = state.get(FOLLOWED)
    if before is not None and before[0] == name:
        return
    now = dict(zip(("lab_most", "seed"), opening(name), strict=True))
    for key, value in now.items():
        untouched = before is not None and state.get(key) == before[1][key]
        if key not in said and COUNT not in said and (key not in state or untouched):
            state[key] = value
    state[FOLLOWED] = (name, now)
