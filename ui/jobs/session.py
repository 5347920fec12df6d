"""What a session holds: one value of a kind for every open tab, closed when the tab is."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable
from typing import Protocol, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui.jobs.events import tell


class Closable(Protocol):
    """What ends its threads and workers when it is told."""

    def close(self) -> None:
        """End them; called once nobody can see the value any more."""
        ...


Value = TypeVar("Value", bound=Closable)
Made = TypeVar("Made")


def session_value(kind: Callable[[], Value]) -> Value:
    """The session's own value of a kind, made when it is first asked for.

    Streamlit closes it when the tab is closed or reloaded.

    Parameters
    ----------
    kind : callable () -> value
        A class, or a function of a module: its name says which value is meant.
    """
    return _session_values(f"{kind.__module__}.{kind.__qualname__}", kind)


@st.cache_resource(scope="session", on_release=lambda value: value.close(), show_spinner=False)
def _session_values(name: str, _kind: Callable[[], Value]) -> Value:
    return _kind()


class Tab:
    """What the log knows of a session: its number."""

    _numbers = itertools.count(1)

    def __init__(self):
        self.number = next(self._numbers)
        tell("session_opened", session=self.number)

    def close(self) -> None:
        """The session is over."""
        tell("session_closed", session=self.number)


def session_number() -> int:
    """The number of this session in the log; 0 where no page is being drawn."""
    return session_value(Tab).number if get_script_run_ctx(suppress_warning=True) else 0


def remembered(name: str, key: Hashable, make: Callable[[], Made]) -> Made:
    """What ``make()`` gives; the same for this session until ``key`` changes.

    Parameters
    ----------
    name : str
        Under which it is in the session's state.
    key : hashable
        All that decides the value.
    make : callable () -> value
        May raise; then nothing is remembered.
    """
    stored = st.session_state.get(name)
    if stored is None or stored[0] != key:
        stored = st.session_state[name] = (key, make())
    return stored[1]
