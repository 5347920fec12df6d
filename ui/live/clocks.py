"""Clocks that put several runs side by side: what "at the same time" means is a choice.

A clock gives every snapshot of a run a position that never falls along the run. All runs are shown
at one common position; where a run has not come there yet, it shows how far it is.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ui.jobs.recorder import Snapshot
from ui.language.translate import N_


@dataclass(frozen=True)
class Clock:
    """One way to align runs; log: the hand moves in ratios, as greedy trees are done so early."""

    name: str
    title: str
    axis: str
    help: str
    log: bool


CLOCKS = {
    "share": Clock(
        "share",
        N_("Share of run"),
        N_("share of the run"),
        N_(
            "Shows all runs from start to end together, however long each took. Choose it to "
            "compare how they learn."
        ),
        log=False,
    ),
    "time": Clock(
        "time",
        N_("Learning time"),
        N_("seconds of learning"),
        N_(
            "Shows all runs after the same number of seconds of learning; measuring and "
            "drawing do not count. Choose it to compare speed."
        ),
        log=True,
    ),
}
"""All clocks by name; the first one is the usual one."""


def positions(clock: Clock, snapshots: Sequence[Snapshot]) -> np.ndarray:
    """Positions of a run's snapshots on a clock, float64 (n_snapshots,), never falling."""
    found = [one.event.seconds if clock.name == "time" else one.share for one in snapshots]
    return np.maximum.accumulate(np.array(found, dtype=np.float64))


def shown(at: np.ndarray, hand: float) -> int:
    """The last snapshot that cost no more than ``hand``, or the first; at: of :func:`positions`."""
    return max(int(np.searchsorted(at, hand, side="right")) - 1, 0)


@dataclass(frozen=True)
class Axis:
    """The way of the hand from its beginning to its end, in steps or in ratios."""

    low: float
    high: float
    log: bool

    def value(self, share: float) -> float:
        if share <= 0 or share >= 1:  # exact at the ends, where the arithmetic is not
            return self.low if share <= 0 else self.high
        if self.log:
            return self.low * (self.high / self.low) ** share
        return self.low + (self.high - self.low) * share

    def share(self, value: float) -> float:
        """The share of the way at a position, 0 to 1."""
        if value <= self.low:
            return 0.0
        if value >= self.high:
            return 1.0
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


def axis_of(clock: Clock, runs: Sequence[tuple[np.ndarray, float]]) -> Axis:
    if clock.name == "share":
        return Axis(0.0, 1.0, log=False)
    high = max((float(at[-1]) / (done if done > 0.05 else 0.5) for at, done in runs), default=0.0)
    if not high > 0:
        return Axis(1.0, 2.0, log=True)  # nothing has been learnt yet
    first = min((float(at[at > 0][0]) for at, _ in runs if (at > 0).any()), default=high)
    low = max(0.8 * first, 1e-5 * high)
    return Axis(min(low, high / 2), high, log=True)


def lay_out(
    clock: Clock, runs: Sequence[tuple[Sequence[Snapshot], bool]]
) -> tuple[Axis, list[np.ndarray]]:
    """The axis, and each run's positions on it; runs: snapshots, and whether that is all."""
    at = [positions(clock, snapshots) for snapshots, _ in runs]
    ways = [
        (own, 1.0 if finished else snapshots[-1].share)
        for (snapshots, finished), own in zip(runs, at, strict=True)
        if len(own)
    ]
    return axis_of(clock, ways), at


def frontier(runs: Sequence[tuple[np.ndarray, bool]], end: float) -> float:
    """How far the hand may go, up to the ``end``: no run is shown where it has not been."""
    under_way = [float(at[-1]) if len(at) else -math.inf for at, finished in runs if not finished]
    return min([end, *under_way])
