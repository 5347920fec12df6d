"""The pages there are, and the way in for whoever comes by a link."""

from __future__ import annotations

import threading
from importlib import import_module
from pkgutil import walk_packages

import streamlit as st

import ui

_CAME_IN = "came_in_by_app"
_LOADING = threading.Lock()


PAGES = {
    "pages/home.py": ("Home", ":material/park:"),
    "pages/learn.py": ("Learn", ":material/school:"),
    "pages/train.py": ("Train", ":material/play_circle:"),
    "pages/compare.py": ("Compare", ":material/balance:"),
    "pages/forests.py": ("Forests", ":material/forest:"),
    "pages/step.py": ("One step", ":material/footprint:"),
    "pages/experiments.py": ("Experiments", ":material/science:"),
}
"""File, title and icon of every page; the first one is where a visitor begins."""


def navigation(icons: bool = True):
    """The menu; gives the page to run. Called by ``app.py``."""
    st.session_state[_CAME_IN] = True
    pages = [
        st.Page(file, title=title, icon=icon if icons else None, default=not number)
        for number, (file, (title, icon)) in enumerate(PAGES.items())
    ]
    return st.navigation(pages, position="top")


def load() -> None:
    """Import all that pages import, in one thread and one order. Called by ``app.py``.

    Each visitor has a thread. Where one of them imports a package and another one of its modules,
    they wait for each other, and Python ends that by an error in one: one of three visitors who
    went from the first page straight to Experiments has seen it.
    """
    with _LOADING:
        for module in walk_packages(ui.__path__, "ui."):
            import_module(module.name)


def come_in() -> None:
    """Called by every page first of all.

    Until ``st.navigation`` has been called once in a server's life, Streamlit takes a folder named
    ``pages`` for an app of the old kind and runs the page of a link without ``app.py``: no title,
    another layout, another menu. So the very first visitor is sent round once.
    """
    if not st.session_state.get(_CAME_IN):
        # Before app.py has named a picture for the tab, the browser would look for a page's icon
        # in the world outside.
        navigation(icons=False)
        st.rerun()
