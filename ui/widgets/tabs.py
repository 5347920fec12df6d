"""Tabs that are called by their English names wherever they are kept, whatever they read."""

from collections.abc import Sequence

import streamlit as st

from ui.language.catalogue import ENGLISH
from ui.language.translate import _, language


def tabs(names: Sequence[str], key: str) -> list:
    """A row of tabs; the state has the English name of the open one, whatever Streamlit keeps."""
    if language() == ENGLISH:
        return list(st.tabs(names, on_change="rerun", key=key))
    titles = [_(name) for name in names]
    widget_key = f"{key}_{language()}"
    st.session_state[widget_key] = titles[names.index(st.session_state.get(key) or names[0])]

    def turned() -> None:
        st.session_state[key] = names[titles.index(st.session_state[widget_key])]

    return list(st.tabs(titles, on_change=turned, key=widget_key))
