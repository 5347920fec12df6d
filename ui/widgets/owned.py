"""Values of the session that a widget shows and that the app changes too, by a click or a link.

A browser that has not yet heard of a new value sends the old one, which would undo the click. So
the session has the value under a plain key, and its widget's key has a revision that is a new one
whenever the app has changed the value: what is said of a widget that is gone concerns nobody.
"""

from collections.abc import Callable, Collection
from typing import Any

import streamlit as st


class OwnedValue:
    """One such value; each change by the app is a revision, which is a widget of its own."""

    def __init__(self, name: str):
        self.name = name
        self.value: Any = None
        self.revision = 0

    @property
    def key(self) -> str:
        return f"{self.name}#{self.revision}"

    def widget(self, then: Callable[[], None] | None = None) -> dict[str, Any]:
        """``key``, ``on_change`` and ``args`` of the widget; ``then`` is called after a change."""
        return {"key": self.key, "on_change": self._changed, "args": (self.key, then)}

    def _changed(self, key: str, then: Callable[[], None] | None) -> None:
        if key != self.key:
            return  # it was on the page before the app changed the value
        self.value = st.session_state[self.name] = st.session_state[key]
        if then is not None:
            then()


def owned(name: str, usual: Any = None, among: Collection[Any] | None = None) -> OwnedValue:
    """The value of the widget drawn next, once in a run; ``usual`` where none, or not ``among``."""
    held = st.session_state.setdefault(f"{name}_owned", OwnedValue(name))
    value = st.session_state.setdefault(name, usual)
    if among is not None and value not in among:
        value = st.session_state[name] = usual
    if value != held.value or held.key not in st.session_state:
        held.value, held.revision = value, held.revision + 1
    return held
