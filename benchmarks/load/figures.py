"""What visitors have measured, together, and how a table says it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

ANSWER_SECONDS = 20.0
"""A click without an answer for so long counts as unanswered."""


@dataclass
class Measured:
    """What one visitor has seen."""

    opened: list[float] = field(default_factory=list)  # seconds until each page was there
    answered: list[float] = field(default_factory=list)  # seconds until each click was answered
    n_unanswered: int = 0  # clicks without an answer in ANSWER_SECONDS
    n_pictures: int = 0  # trees that the browser has been sent to draw, while a run played
    playing: float = 0.0  # seconds in which it did
    n_bytes: int = 0  # received, by all wires
    lost: str = ""  # why the session ended before its time; empty where it did not

    @property
    def rate(self) -> float:
        """Pictures a second while a run played; NaN where none did."""
        return self.n_pictures / self.playing if self.playing else math.nan


@dataclass(frozen=True)
class Cost:
    """What the server has used."""

    cores: float  # processors it kept busy while the visitors were there
    memory: tuple[float, float, float]  # MiB before they came, at most, and after they had left
    threads: tuple[int, int, int]  # at the same moments


def percentile(values: Sequence[float], share: float) -> float:
    """The nearest-rank percentile: the least of the values that at least this share of them, above
    0, does not exceed; NaN of none.
    """
    if not values:
        return math.nan
    return sorted(values)[math.ceil(share * len(values)) - 1]


COLUMNS = (
    "visitors", "page opens p50 / p95, s", "click p50 / p95, s", "clicks unanswered after 20 s",
    "pictures a second: median, least", "KB/s a visitor", "server, cores",
    "memory before, most, after, MiB", "threads", "sessions lost",
)  # fmt: skip


def header() -> str:
    """The head of the table, in Markdown."""
    return f"| {' | '.join(COLUMNS)} |\n|{' --- |' * len(COLUMNS)}"


def row(measured: Sequence[Measured], cost: Cost, seconds: float) -> str:
    """One line of the table: so many visitors for so many seconds."""
    opened = [value for one in measured for value in one.opened]
    answered = [value for one in measured for value in one.answered]
    n_unanswered = sum(one.n_unanswered for one in measured)
    rates = [one.rate for one in measured if one.playing]
    cells = [
        str(len(measured)),
        _pair(opened),
        _pair(answered),
        f"{n_unanswered} of {len(answered) + n_unanswered}",
        f"{percentile(rates, 0.5):.1f}, {min(rates):.1f}" if rates else "–",
        f"{sum(one.n_bytes for one in measured) / 1000 / seconds / len(measured):.1f}",
        f"{cost.cores:.2f}",
        ", ".join(f"{value:.0f}" for value in cost.memory),
        ", ".join(map(str, cost.threads)),
        str(sum(bool(one.lost) for one in measured)),
    ]
    return f"| {' | '.join(cells)} |"


def _pair(values: Sequence[float]) -> str:
    if not values:
        return "–"
    return f"{percentile(values, 0.5):.2f} / {percentile(values, 0.95):.2f}"
