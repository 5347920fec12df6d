"""Jobs that a server does one at a time: the others wait until the first of them rests."""

import threading

from ui.jobs.machine.worker import Turns


class JobLine:
    """Those that are at work, or wait for it, the first of them at work."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.places: list[PlaceInLine] = []


class PlaceInLine(Turns):
    """One job's turns: it holds the first place from its first step until it pauses or ends.

    turn: what it waits for before every step besides, once it is first.
    """

    def __init__(self, line: JobLine, turn: Turns):
        self._line, self._turn = line, turn
        self._nudged = False

    @property
    def waits(self) -> bool:
        """Whether another job is at work."""
        with self._line.changed:
            return self in self._line.places[1:]

    def take(self, elapsed: float) -> bool:
        places = self._line.places
        with self._line.changed:
            if self not in places:
                places.append(self)
            self._line.changed.wait_for(lambda: places[0] is self or self._nudged)
            nudged, self._nudged = self._nudged, False
        return not nudged and self._turn.take(elapsed)

    def leave(self) -> None:
        with self._line.changed:
            if self in self._line.places:
                self._line.places.remove(self)
                self._line.changed.notify_all()
        self._turn.leave()

    def nudge(self) -> None:
        with self._line.changed:
            self._nudged = True
            self._line.changed.notify_all()
        self._turn.nudge()
