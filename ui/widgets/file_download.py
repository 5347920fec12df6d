"""Files that are made when a button is clicked, and saved by the visitor's browser.

``st.download_button`` makes files on demand as well, but keeps one only until two more runs of
anybody's page are over: in a class of thirty the browser often comes too late for it.
"""

import secrets
import threading
from collections.abc import Callable

import numpy as np
import streamlit as st

from treecore.viewer import pack
from ui.jobs.session import session_value
from ui.language.translate import language, said, speaking
from ui.live.component import browser_component
from ui.shell.safe_text import plain

_VIEW = "file_handed_over"


class _HandOver:
    """The file that a visitor has asked for, until the browser has it; or why there is none.

    Where a page is drawn anew while a file is made, as at the end of a run, Streamlit begins that
    drawing beside the click's own, which comes to nothing: it breaks off whoever touches the
    session's state. So the file is not in there, and the new drawing waits for it.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()  # held while a file is made
        self.made: tuple[str | None, bytes] = None, b""
        self.refused = ""

    def close(self) -> None:
        self.made = None, b""


def file_button(
    label: str, make: Callable[[], str | bytes], name: str, kind: str, **button
) -> None:
    """A button for a file made with the click; :func:`hand_over` has to follow in its fragment."""

    def pick() -> None:
        held = session_value(_HandOver)
        code = language()
        with held.lock, speaking(code):  # which else asks the session's state
            try:
                made = make()
            except ValueError as error:
                held.refused = said(error)
                return
            token = secrets.token_hex(8)
            encoded = made.encode() if isinstance(made, str) else made
            content = np.frombuffer(encoded, dtype=np.uint8)
            message = pack({"id": token, "name": name, "type": kind}, {"content": content})
            held.made = token, message

    st.button(label, on_click=pick, **button)


def hand_over() -> None:
    """Give the browser the file that was asked for, until it says that it has it."""
    held = session_value(_HandOver)
    if held.refused:
        st.toast(plain(held.refused), icon=":material/error:")
        held.refused = ""
    with held.lock:
        token, message = held.made
    if token is None:
        return

    def got() -> None:
        if st.session_state[_VIEW].get("got") == token:
            held.close()

    browser_component("save", "app/save.js")(data=message, key=_VIEW, on_got_change=got)
