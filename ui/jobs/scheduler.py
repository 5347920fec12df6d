"""Turns: runs that are compared must not slow each other down, or their clocks would lie.

A run's seconds are read from the wall. Four of them on two processors would each look twice as
slow, and which one suffers would be chance. So a step is only done by who holds a turn, there are
fewer turns than processors, and the next one goes to the run that has learnt for the shortest
time: all of them get equally far.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager


def spare_processors() -> int:
    """Processors for learning: all but one, which draws the page; at least 1, at most 4."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(4, max(1, (usable or 1) - 1))


class Turns:
    """At most ``n`` threads at a time, the one that has spent least first.

    Parameters
    ----------
    n : int
        Turns that can be held at once.
    """

    def __init__(self, n: int):
        self._free = n
        self._arrived = 0
        self._waiting: list[tuple[float, int]] = []
        self._changed = threading.Condition()

    @contextmanager
    def turn(self, spent: float) -> Iterator[None]:
        """Wait for a turn and hold it. Among equals who came first goes first."""
        with self._changed:
            self._arrived += 1
            ticket = (spent, self._arrived)
            self._waiting.append(ticket)
            self._changed.wait_for(lambda: self._free > 0 and min(self._waiting) == ticket)
            self._waiting.remove(ticket)
            self._free -= 1
            self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._free += 1
                self._changed.notify_all()
