"""What a session holds: one value of a kind for every open tab, closed after the tab is."""

import itertools
import logging
import math
import secrets
import threading
from collections.abc import Callable, Hashable
from functools import cache, partial
from typing import Any, Protocol, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui.jobs.machine.events import log_event
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
                told = f"a value was not closed: {type(error).__name__}"
                logging.getLogger(__name__).error(told, exc_info=error)


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


Value = TypeVar("Value", bound=Closable)
Made = TypeVar("Made")


@cache
def held_values() -> SessionValues:
    """Those of this process, kept for as long as Streamlit itself lets a session come back."""
    return SessionValues(float(st.config.get_option("server.disconnectedSessionTTL")))


def session_value(kind: Callable[[], Value]) -> Value:
    """The session's own value of a kind (class or function), closed a while after the tab is."""
    return held_values().value(_connected(), f"{kind.__module__}.{kind.__qualname__}", kind)


@st.cache_resource(
    scope="session", on_release=lambda name: held_values().leave(name), show_spinner=False
)
def _connected() -> str:
    """Streamlit's name of this session, which is forgotten whenever its connection ends."""
    context = get_script_run_ctx()
    assert context is not None, "Streamlit refuses values of sessions where there is none"
    held_values().resume_session(context.session_id)
    return context.session_id


class Tab:
    """What a session is to the server: its number in the log, and its name."""

    _numbers = itertools.count(1)

    def __init__(self):
        self.number = next(self._numbers)
        self.name = secrets.token_hex(8)  # another one after a restart of the server
        log_event("session_opened", session=self.number)

    def close(self) -> None:
        log_event("session_closed", session=self.number)


def _tab() -> Tab | None:
    """That of this session; None where no page is being drawn."""
    return session_value(Tab) if get_script_run_ctx(suppress_warning=True) else None


def session_number() -> int:
    """The number of this session in the log; 0 where no page is being drawn."""
    tab = _tab()
    return tab.number if tab else 0


def session_name() -> str:
    """What no other session is called; empty where no page is being drawn."""
    tab = _tab()
    return tab.name if tab else ""


def remembered(name: str, key: Hashable, make: Callable[[], Made]) -> Made:
    """What ``make()`` gives, kept under ``name`` in this session until ``key`` changes."""
    stored = st.session_state.get(name)
    if stored is None or stored[0] != key:
        stored = st.session_state[name] = (key, make())
    return stored[1]


def report_refused(file_id: str, kind: str, n_bytes: int) -> None:
    """Have the log say once that a visitor's file, ``"table"`` or ``"tree"``, was not taken."""
    remembered(
        "refusal_told",
        file_id,
        lambda: log_event("file_refused", session=session_number(), kind=kind, bytes=n_bytes),
    )
