"""Files that are made when a button is clicked, and saved by the visitor's browser.

``st.download_button`` makes files on demand as well, but keeps one only until two more runs of
anybody's page are over: in a class of thirty the browser often comes too late for it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

import numpy as np
import streamlit as st

from treecore.viewer.wire import pack
from ui.language.translate import said
from ui.live.component import browser_component
from ui.shell.safe_text import plain

_MADE = "file_made"
_REFUSED = "file_refused"
_VIEW = "file_handed_over"


def file_button(
    label: str, make: Callable[[], str | bytes], name: str, kind: str, **button
) -> None:
    """A button for a file; :func:`hand_over` has to follow in the same fragment.

    Parameters
    ----------
    label : str
    make : callable () -> str or bytes
        Called with the click, so that the file tells of that moment. A ValueError of it is shown.
    name, kind : str
        Of the file, and its media type.
    **button
        What else ``st.button`` takes.
    """

    def pick() -> None:
        try:
            made = make()
        except ValueError as error:
            st.session_state[_REFUSED] = said(error)
            return
        token = secrets.token_hex(8)
        content = np.frombuffer(made.encode() if isinstance(made, str) else made, dtype=np.uint8)
        message = pack({"id": token, "name": name, "type": kind}, {"content": content})
        st.session_state[_MADE] = token, message

    st.button(label, on_click=pick, **button)


def hand_over() -> None:
    """Give the browser the file that was asked for, until it says that it has it."""
    if refused := st.session_state.pop(_REFUSED, ""):
        st.toast(plain(refused), icon=":material/error:")
    token, message = st.session_state.get(_MADE, (None, b""))
    if token is None:
        return

    def got() -> None:
        if st.session_state[_VIEW].get("got") == token:
            st.session_state.pop(_MADE, None)

    browser_component("save", "app/save.js")(data=message, key=_VIEW, on_got_change=got)
