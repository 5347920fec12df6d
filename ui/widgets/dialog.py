"""A dialog over the page, which stays until somebody closes it.

Streamlit shows a dialog in the run that calls it. The next run may cut that one short, and has to
call it again: so the session knows what the open one tells of.
"""

from collections.abc import Callable, Hashable

import streamlit as st

_OPEN = "dialog_open"


def open_dialog(about: Hashable) -> None:
    """Show the dialog that tells of ``about``, until somebody closes it."""
    st.session_state[_OPEN] = about


def opened() -> Hashable | None:
    """What the open dialog tells of; None where there is none."""
    return st.session_state.get(_OPEN)


def close_dialog() -> None:
    st.session_state.pop(_OPEN, None)


def dialog(title: str, icon: str) -> Callable:
    """``st.dialog``, which is heard when it is closed."""
    return st.dialog(title, width="large", icon=icon, on_dismiss=close_dialog)
