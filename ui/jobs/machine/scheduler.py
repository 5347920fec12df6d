"""Who learns next: all runs of a server share its processors, and every session gets as much.

A run's seconds are read from the wall, so a step is only done by who holds a turn, and there are no
more turns than processors; a turn lasts a slice of many steps. Among sessions the order is
start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM 1996): four runs of a session get no more
than one. Within a session the run that has learnt for the shortest time is next. Runs that nobody
watches come after all others.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Mapping
from functools import cache
from weakref import WeakSet

from ui.jobs.machine.worker import Turns
from ui.jobs.pacing import WallClock

VARIABLE = "TREECORE_LEARNERS"
"""Of the environment: how many runs learn at once."""

TURN_SECONDS = 0.025
"""How long a turn is kept while others wait: handing it over takes up to 40 µs of it."""

MOST_CHARGED = 0.5
"""Seconds that one turn counts at most, so that nobody waits for ever after one long step."""

LONG_WAIT = 1.0
"""Seconds of waiting that are worth a word."""

RECENT_SECONDS = 1.0
"""Who has asked for a turn so lately is learning: a run at reading speed asks now and then."""

LAST_IN_LINE = math.inf
"""Seconds spent, for :meth:`ProcessorTurn.take`: runs that nobody watches as they learn wait for
all that are watched, of their own session and of others."""

MOST_LEARNERS = 8
"""More threads than this wait for Python's lock between their steps."""


def learners(environment: Mapping[str, str] = os.environ) -> int:
    """How many runs learn at once: by the environment, or the processors less one, of two both."""
    text = environment.get(VARIABLE, "").strip()
    if text:
        if not text.isdecimal() or int(text) < 1:
            raise ValueError(f"{VARIABLE} is {text!r}; it must be a whole number of at least 1")
        return min(MOST_LEARNERS, int(text))
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(MOST_LEARNERS, max(min(2, usable or 1), (usable or 1) - 1))


class Scheduler:
    """At most ``n`` turns at a time, for the sessions in the order of the module's docstring."""

    def __init__(self, n: int, wall: WallClock | None = None):
        self._free = n
        self._now = (wall or WallClock()).now
        self._lock = threading.Lock()
        self._arrived = 0
        self._virtual = 0.0  # where the session that was served last had its place
        # That hold a turn, wait, or lately did so. A session that is gone is none of them, though
        # nobody may look for long.
        self._clients: WeakSet[Client] = WeakSet()
        self._counted = -math.inf  # when those who have left were last taken out of them

    @property
    def n_waiting(self) -> int:
        with self._lock:
            return sum(len(client._waiting) for client in self._clients)

    def _add(self, turn: ProcessorTurn, elapsed: float) -> None:
        client, now = turn._client, self._now()
        self._arrived += 1
        turn._order = elapsed, self._arrived
        client._waiting.append(turn)
        client._wait(now)
        self._clients.add(client)

    def _remove(self, turn: ProcessorTurn) -> None:
        """Take a turn back that is held, or waited for."""
        client, now = turn._client, self._now()
        if turn._since is not None:
            seconds, turn._since = now - turn._since, None
            # At its beginning it was counted as a slice.
            place = client._place + min(seconds, MOST_CHARGED) - TURN_SECONDS
            client._place = round(place, 6)  # those who were served alike stand at one place
            client._held -= 1
            client._wait(now)
            self._free += 1
        elif turn in client._waiting:
            client._waiting.remove(turn)
            client._wait(now)

    def _grant(self) -> None:
        """Give the free turns to those whose turn it is."""
        while self._free:
            waiting = [client for client in self._clients if client._waiting]
            if not waiting:
                return
            client = min(waiting, key=self._order)
            self._virtual = max(self._virtual, client._place)
            client._place = round(self._virtual + TURN_SECONDS, 6)
            turn = min(client._waiting, key=lambda turn: turn._order)
            client._waiting.remove(turn)
            client._held += 1
            self._free -= 1
            turn._since = self._now()
            client._serve(turn._since)
            turn._changed.notify()

    def _order(self, client: Client) -> tuple[bool, float, float, int]:
        # Who has been idle begins beside the one that was served last, and saves nothing up.
        since = math.inf if client._unserved_since is None else client._unserved_since
        arrived = min(turn._order[1] for turn in client._waiting)
        unwatched = min(turn._order[0] for turn in client._waiting) == LAST_IN_LINE
        return unwatched, max(self._virtual, client._place), since, arrived

    def _others(self, client: Client) -> int:
        now = self._now()
        if now - self._counted >= 0.1:  # asked for twice a picture
            self._counted, oldest = now, now - RECENT_SECONDS
            self._clients = WeakSet(
                one for one in self._clients if one._held or one._waiting or one._asked >= oldest
            )
        return len(self._clients) - (client in self._clients)


class Client:
    """One session, whose runs share its turns."""

    def __init__(self, scheduler: Scheduler | None = None):
        self._scheduler = scheduler or machine()
        # All that follows is guarded by the scheduler's lock.
        self._place = 0.0  # seconds that it has been served, as the scheduler counts them
        self._waiting: list[ProcessorTurn] = []
        self._held = 0
        self._asked = -math.inf  # when it last wanted a turn
        self._unserved_since: float | None = None  # while it waits and holds no turn
        self._waited = 0.0  # the last time that it did

    def turn(self) -> ProcessorTurn:
        """A new place in this session's line, for one run."""
        return ProcessorTurn(self)

    def wait_for_others(self) -> tuple[int, float] | None:
        """For how many sessions this one waits, and seconds; None where it is below a second."""
        with self._scheduler._lock:
            now = self._scheduler._now()
            waits = 0.0 if self._unserved_since is None else now - self._unserved_since
            if (longest := max(self._waited, waits)) < LONG_WAIT:
                return None
            n = self._scheduler._others(self)
            return (n, longest) if n else None  # without others its own runs wait for each other

    def _wait(self, now: float) -> None:
        if self._waiting:
            self._asked = now
        if not self._waiting or self._held:
            self._unserved_since = None
        elif self._unserved_since is None:
            self._unserved_since = now

    def _serve(self, now: float) -> None:
        if self._unserved_since is not None:
            self._waited, self._unserved_since = now - self._unserved_since, None


class ProcessorTurn(Turns):
    """One run's place in the line of its session. The run's thread takes it and leaves it."""

    def __init__(self, client: Client):
        self._client = client
        self._scheduler = client._scheduler
        self._changed = threading.Condition(self._scheduler._lock)
        self._order: tuple[float, int] = 0.0, 0
        self._since: float | None = None  # when it was given, while it is held
        self._nudged = False

    def take(self, elapsed: float) -> bool:
        """Wait for a turn and hold it for its slice; False where a :meth:`nudge` has come first."""
        scheduler = self._scheduler
        with self._changed:
            now = scheduler._now()
            self._client._asked = now
            if self._since is not None and now - self._since >= TURN_SECONDS:
                scheduler._remove(self)
            if self._since is None and self not in self._client._waiting:
                scheduler._add(self, elapsed)
                scheduler._grant()
            self._changed.wait_for(lambda: self._since is not None or self._nudged)
            nudged, self._nudged = self._nudged, False
            return not nudged

    def leave(self) -> None:
        with self._changed:
            self._scheduler._remove(self)
            self._scheduler._grant()

    def nudge(self) -> None:
        """Have the run look what it should do, if it waits, or when it next asks."""
        with self._changed:
            self._nudged = True
            self._changed.notify()

    def wait_for_others(self) -> tuple[int, float] | None:
        return self._client.wait_for_others()

    def n_others(self) -> int:
        with self._scheduler._lock:
            return self._scheduler._others(self._client)


@cache
def machine() -> Scheduler:
    return Scheduler(learners())
