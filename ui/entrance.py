"""The pages there are, and the way in for whoever comes by a link."""

from __future__ import annotations

import streamlit as st

_CAME_IN = "came_in_by_app"


def navigation():
    """The menu; gives the page to run. Called by ``app.py``."""
    st.session_state[_CAME_IN] = True
    return st.navigation(
        [
            st.Page("pages/train.py", title="Train", icon=":material/play_circle:", default=True),
            st.Page("pages/compare.py", title="Compare", icon=":material/compare:"),
        ],
        position="top",
    )


def come_in() -> None:
    """Called by every page first of all.

    Until ``st.navigation`` has been called once in a server's life, Streamlit takes a folder named
    ``pages`` for an app of the old kind and runs the page of a link without ``app.py``: no title,
    another layout, another menu. So the very first visitor is sent round once.
    """
    if not st.session_state.get(_CAME_IN):
        navigation()
        st.rerun()
