"""Clocks that put several runs side by side: what "at the same time" means is a choice.

A clock gives every snapshot of a run a position that never falls along the run. All runs are shown
at one common position; where a run has not come there yet, it shows how far it is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ui.jobs.recorder import Snapshot
from ui.language.translate import N_


@dataclass(frozen=True)
class Clock:
    """One way to align runs.

    name, title, axis, help: name in a link; name on the screen; title of the charts' axis;
    explanation; log: whether the hand moves in ratios: greedy trees are done in a hundredth of the
    others' time, and most of what tells trees apart happens where the loss is small.
    """

    name: str
    title: str
    axis: str
    help: str
    log: bool


CLOCKS = {
    clock.name: clock
    for clock in (
        Clock(
            "share",
            N_("Share of run"),
            N_("share of the run"),
            N_("Every run goes from its beginning to its end at once, however long it takes."),
            log=False,
        ),
        Clock(
            "time",
            N_("Learning time"),
            N_("seconds of learning"),
            N_(
                "All runs have learnt for equally many seconds. Measuring and drawing do not "
                "count, and runs never slow each other down."
            ),
            log=True,
        ),
        Clock(
            "values",
            N_("Values read"),
            N_("values read by learning"),
            N_(
                "All runs have read equally many numbers to choose their splits: a greedy search "
                "reads one a row and feature, an inner product of the non-greedy methods one a "
                "feature. This does not depend on the machine."
            ),
            log=True,
        ),
        Clock(
            "loss",
            N_("Loss"),
            N_("training loss reached"),
            N_(
                "Every run is shown at the moment at which it first reached the same "
                "training loss. Which tree needed fewer leaves, or less time, to get there?"
            ),
            log=True,
        ),
    )
}
"""All clocks by name; the first one is the usual one."""

LOG_REACH = 1e-5
"""A logarithmic axis never spans more than this ratio."""

MIN_LOSS_SHARE = 1e-3
"""Share of the first loss that is added to all on their logarithmic axis: a loss may be zero."""


def positions(clock: Clock, snapshots: Sequence[Snapshot]) -> np.ndarray:
    """Positions of a run's snapshots on a clock, float64, never falling.

    A loss falls, so its position is minus the least loss so far. They are NaN where the method
    does not count the values it reads.
    """
    if clock.name == "time":
        found = [snapshot.event.seconds for snapshot in snapshots]
    elif clock.name == "values":
        found = [math.nan if snapshot.n_read is None else snapshot.n_read for snapshot in snapshots]
    elif clock.name == "loss":
        best = np.array([snapshot.best for snapshot in snapshots])
        known = best[np.isfinite(best)]  # a hinge forest knows its loss once it has learnt
        losses = np.where(np.isposinf(best), known[0] if known.size else math.nan, best)
        found = (-losses).tolist()
    else:
        found = [snapshot.share for snapshot in snapshots]
    return np.maximum.accumulate(np.array(found, dtype=np.float64))


def shown(clock: Clock, at: np.ndarray, hand: float) -> int:
    """Which snapshot of a run is shown when the clock stands at ``hand``.

    On a clock of effort it is the last one that cost no more; on the clock of loss the first one
    that was as good. Before the first and after the last there is that one.

    at: float64 (n_snapshots,), of :func:`positions`, not empty.
    """
    if clock.name == "loss":
        return min(int(np.searchsorted(at, hand, side="left")), len(at) - 1)
    return max(int(np.searchsorted(at, hand, side="right")) - 1, 0)


@dataclass(frozen=True)
class Axis:
    """The way of the hand from its beginning to its end; in ratios of what lies below ``shift``.

    Losses are negative there, which makes their ratios the same.
    """

    low: float
    high: float
    log: bool
    shift: float = 0.0

    def value(self, share: float) -> float:
        """The position at a share of the way."""
        if share <= 0 or share >= 1:  # exact at the ends, where the arithmetic is not
            return self.low if share <= 0 else self.high
        if self.log:
            low, high = self.low - self.shift, self.high - self.shift
            return low * (high / low) ** share + self.shift
        return self.low + (self.high - self.low) * share

    def share(self, value: float) -> float:
        """The share of the way at a position, 0 to 1."""
        if value <= self.low:
            return 0.0
        if value >= self.high:
            return 1.0
        if self.log:
            low, high = self.low - self.shift, self.high - self.shift
            return math.log((value - self.shift) / low) / math.log(high / low)
        return (value - self.low) / (self.high - self.low)


def axis_of(clock: Clock, runs: Sequence[tuple[np.ndarray, float]]) -> Axis:
    """The axis on which all runs have room."""
    if clock.name == "share":
        return Axis(0.0, 1.0, log=False)
    if clock.name == "loss":
        low = min((float(at[0]) for at, _ in runs), default=-1.0)
        high = max((float(at[-1]) for at, _ in runs), default=0.0)
        return Axis(low, max(high, low + 1e-9), log=True, shift=max(-low * MIN_LOSS_SHARE, 1e-9))
    high = max((float(at[-1]) / (done if done > 0.05 else 0.5) for at, done in runs), default=0.0)
    if not high > 0:
        return Axis(1.0, 2.0, log=True)  # nothing has been learnt yet
    first = min((float(at[at > 0][0]) for at, _ in runs if (at > 0).any()), default=high)
    low = max(0.8 * first, LOG_REACH * high)
    return Axis(min(low, high / 2), high, log=True)


def lay_out(
    clock: Clock, runs: Sequence[tuple[Sequence[Snapshot], bool]]
) -> tuple[Axis, list[np.ndarray]]:
    """The axis, and each run's positions on it.

    A run that does not count the values it reads is laid out on that clock by the share of its
    run that is done.
    """
    at = [positions(clock, snapshots) for snapshots, _ in runs]
    counted = [len(run_positions) > 0 and not np.isnan(run_positions).any() for run_positions in at]
    axis = axis_of(
        clock,
        [
            (run_positions, 1.0 if finished else snapshots[-1].share)
            for (snapshots, finished), run_positions, ok in zip(runs, at, counted, strict=True)
            if ok
        ],
    )
    for i, (snapshots, _) in enumerate(runs):
        if not counted[i]:
            at[i] = np.array([axis.value(snapshot.share) for snapshot in snapshots])
    return axis, at


def frontier(runs: Sequence[tuple[np.ndarray, bool]], end: float) -> float:
    """How far the hand may go: no run is shown where it has not yet been.

    end: the end of the axis, where all have finished.
    """
    under_way = [float(at[-1]) if len(at) else -math.inf for at, finished in runs if not finished]
    return min([end, *under_way])
