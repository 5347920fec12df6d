"""The link of the page that is open: read once when it comes, and shown as the page changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from ui.links.fields import VERSION, Params, Reading, Words
from ui.shell.class_link import OF_PAGE
from ui.shell.safe_text import plain
from ui.widgets.canvas import DRAWN, drawing
from ui.widgets.dataset_picker import UPLOAD

SECONDS_TO_LOAD = 30.0
"""The longest that a browser may need to show the widgets of a page."""


def hidden_field(page: str) -> Words:
    """The groups of controls that a link hides, as in ``hide=data,settings``."""
    return Words("hide", "hide", OF_PAGE[page])


def read_link(page: str, read: Callable[[Params], Reading]) -> Reading | None:
    """Read the present link into the session's state, once for every new link.

    Parameters
    ----------
    page : str
        Name of the page, to tell its links from those of others.
    read : callable (Params) -> Reading

    Returns
    -------
    Reading or None
        None where there is nothing new.
    """
    params = {name: st.query_params.get_all(name) for name in st.query_params}
    seen = _seen(page)
    query = _frozen(params)
    if not params or query in seen:
        _repeat(page)
        return None
    seen.add(query)
    reading = read(params)
    for key, value in reading.state.items():
        st.session_state[key] = value
    st.session_state[f"address_repeat_{page}"] = time.monotonic(), reading.state
    return reading


def _repeat(page: str) -> None:
    """Give the widgets the values of the last link once more, while nobody has changed one.

    Streamlit tells the browser only once that a value was set. A browser that is still loading
    skips that message when a newer one has come, and would show, and send back, what is usual.
    """
    key = f"address_repeat_{page}"
    since, said = st.session_state.get(key, (0.0, {}))
    state = {name: value for name, value in said.items() if name in st.session_state}
    changed = any(st.session_state[name] != value for name, value in state.items())
    if changed or time.monotonic() - since > SECONDS_TO_LOAD:
        st.session_state.pop(key, None)
        return
    for name, value in state.items():
        st.session_state[name] = value


def report_problems(page: str, reading: Reading | None) -> None:
    """Say what the last link said wrongly, until another one comes, and what it cannot carry.

    Parameters
    ----------
    reading : Reading or None
        Of :func:`read_link`.
    """
    key = f"address_said_{page}"
    if reading is not None:
        st.session_state[key] = reading.sentence(), reading.remarks
    sentence, remarks = st.session_state.get(key, ("", []))
    if sentence:
        st.warning(plain(sentence, most=600), icon=":material/link_off:")
    chosen, file = st.session_state.get("dataset"), st.session_state.get("csv")
    if (chosen == UPLOAD and file is None) or (chosen == DRAWN and not len(drawing().points)):
        for remark in remarks:
            st.info(plain(remark), icon=":material/upload_file:")


def show_link(page: str, params: Mapping[str, Any]) -> None:
    """Show the link of what is on the page. Nothing is sent while it stays the same."""
    params = {"v": VERSION, **params}
    if page in OF_PAGE:
        params |= hidden_field(page).write(st.session_state)
    lists = {n: list(v) if isinstance(v, list | tuple) else [str(v)] for n, v in params.items()}
    # A browser may ask again with an older address before it has seen this one: addresses that
    # were ours once are never read back.
    _seen(page).add(_frozen(lists))
    if {name: st.query_params.get_all(name) for name in st.query_params} != lists:
        st.query_params.from_dict(params)


def _seen(page: str) -> set:
    return st.session_state.setdefault(f"address_seen_{page}", set())


def _frozen(params: Params) -> tuple:
    return tuple(sorted((name, tuple(values)) for name, values in params.items()))
