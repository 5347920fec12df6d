"""Dialogs over the page, which stay until somebody closes them.

Streamlit shows a dialog in the run that calls it. The next run may cut that one short, and has to
call it again: so the session knows which one is open.
"""

from collections.abc import Callable, Hashable

import streamlit as st

_OPEN = "dialog_open"


def open_dialog(name: str, about: Hashable) -> None:
    """Show a dialog that tells of ``about``, in place of any other, until somebody closes it.

    Streamlit shows it in the run that calls it; the next one has to call it again.
    """
    st.session_state[_OPEN] = name, about


def opened(name: str) -> Hashable | None:
    """What the dialog of that name tells of; None where it is not to be shown now."""
    open_now, about = st.session_state.get(_OPEN, ("", None))
    return about if open_now == name else None


def close_dialog() -> None:
    st.session_state.pop(_OPEN, None)


def dialog(title: str, icon: str | None = None) -> Callable:
    """``st.dialog``, which is heard when it is closed."""
    return st.dialog(title, width="large", icon=icon, on_dismiss=close_dialog)
