"""How fast a run is shown: which portion to learn next, when to keep a picture, the wait."""

import math
import threading
import time
from collections.abc import Callable

from treecore import Event, Trainer
from treecore.training import find_method

PICTURES_PER_SECOND = 60
"""Frames recorded while playing; each is a tree that existed, none is interpolated."""

FEWEST_PICTURES = 18
"""A second, however many learn: fewer are no film any more."""

PICTURES_OF_ALL = 540
"""A second, of all sessions that learn: each costs Python's lock about a millisecond."""

LONGEST_LAG = 0.25
"""Seconds by which a run may be behind its speed and still make up for them: one that has waited
for others goes on where it is, at its speed."""


class WallClock:
    """The time that passes for a run, and waits for it; whoever takes one may be given another."""

    def now(self) -> float:
        return time.monotonic()

    def wait(self, changed: threading.Condition, seconds: float | None = None) -> None:
        """Wait until the condition, which is held, is notified, or until ``seconds`` are over."""
        changed.wait(seconds)


def pictures_per_second(n_others: int) -> float:
    """Frames recorded by one who plays while so many other sessions learn."""
    return min(PICTURES_PER_SECOND, max(FEWEST_PICTURES, PICTURES_OF_ALL / (n_others + 1)))


class PlaybackPace:
    """When the next portion and picture are due; n_others: other sessions that learn now."""

    def __init__(self, wall: WallClock, n_others: Callable[[], int] = lambda: 0):
        self._wall = wall
        self._n_others = n_others
        self._due = -math.inf  # when the next picture is to be recorded
        self._from: tuple[float, float] | None = None  # (time, epoch) since which speed counts
        self._speed = math.inf

    def restart(self) -> None:
        """Count speed from now on: a pause is not made up for."""
        self._from = None

    def share(self, speed: float, trainer: Trainer, event: Event | None) -> float | None:
        """The share of a pass to do until the next picture; None for a full slice."""
        if event is None or event.stage != trainer.config.method:
            speed = math.inf  # a starting tree is grown without ceremony
        elif find_method(event.stage).unit == "level":
            speed /= 8  # a level is worth so many passes
        if speed != self._speed:
            self._speed = speed
            self.restart()
        if math.isinf(speed):
            return None
        return min(1.0, speed / pictures_per_second(self._n_others()))

    def picture_due(self) -> bool:
        now, gap = self._wall.now(), 1 / pictures_per_second(self._n_others())
        # A pass ends with a portion shorter than the others, whose picture is no less worth.
        if now < self._due - 0.3 * gap:
            return False
        # Portions keep to the run's speed, so after a late one the next comes soon: counted from
        # the late one it would be too soon, and beside many others every second picture was lost.
        self._due = max(self._due, now - 0.5 * gap) + gap
        return True

    def lead(self, epoch: float) -> float:
        now = self._wall.now()
        if self._from is None or epoch < self._from[1]:
            self._from = (now, epoch)
        started, first = self._from
        ahead = (epoch - first) / self._speed - (now - started)
        if ahead < -LONGEST_LAG:
            self._from = (now - LONGEST_LAG, epoch)
        return ahead
