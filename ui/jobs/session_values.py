"""What the sessions of the server hold, and until when.

A connection that ended may be a closed tab or a network gone for a minute: values wait a while.
"""

import logging
import math
import threading
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from ui.jobs.machine.worker import Worker
from ui.jobs.pacing import WallClock


class Closable(Protocol):
    """What ends its threads and workers when it is told."""

    def close(self) -> None: ...


class _Held:
    def __init__(self) -> None:
        self.lock = threading.RLock()  # to make one value may need another one
        self.values: dict[str, Any] = {}
        self.ends = math.inf

    def close(self) -> None:
        with self.lock:
            values, self.values = list(self.values.values()), {}
        for value in reversed(values):
            try:
                value.close()
            except Exception as error:  # a defect, which must not keep the others open
                logging.getLogger(__name__).error("a value was not closed", exc_info=error)


class SessionValues:
    """The values of all sessions by name; a thread closes those gone for ``grace`` seconds."""

    def __init__(self, grace: float, wall: WallClock | None = None):
        self._grace, self._wall = grace, wall or WallClock()
        self._changed = threading.Condition()
        self._sessions: dict[str, _Held] = {}
        self._worker = Worker("session-values", self._changed, self._close_in_time)

    def value(self, session: str, name: str, make: Callable[[], Any]) -> Any:
        """The session's value of this name, made when it is first asked for."""
        with self._changed:
            held = self._sessions.setdefault(session, _Held())
        with held.lock:
            if name not in held.values:
                held.values[name] = make()
            return held.values[name]

    def leave(self, session: str) -> None:
        with self._changed:
            if session not in self._sessions:
                return
            self._sessions[session].ends = self._wall.now() + self._grace
            self._worker.start()
            self._changed.notify_all()

    def resume_session(self, session: str) -> None:
        with self._changed:
            if session in self._sessions:
                self._sessions[session].ends = math.inf
                self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            over, self._sessions = self._sessions, {}
            self._changed.notify_all()
        _close(list(over.values()))

    @property
    def waiting(self) -> bool:
        """Whether somebody has left and may come back, or is being closed."""
        return self._worker.alive

    def _close_in_time(self) -> Callable[[], None] | None:
        """What is over, to be closed; waits for it, and gives None while nobody is away."""
        while True:
            now = self._wall.now()
            over = [name for name, held in self._sessions.items() if held.ends <= now]
            if over:
                return partial(_close, [self._sessions.pop(name) for name in over])
            ends = min((held.ends for held in self._sessions.values()), default=math.inf)
            if math.isinf(ends):
                return None
            self._wall.wait(self._changed, ends - now)


def _close(gone: list[_Held]) -> None:
    for held in gone:
        held.close()
