"""The link of the page that is open: read when it comes, and shown as the page changes.

Every change makes an entry in the browser's history, but for the one that completes an address
(``treecore/viewer/js/pages/address.js``). Who goes back to an entry has its address read again, so
that the page is as it was; Streamlit says whether a run of the page is because of that.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui.links.fields import VERSION, Params, Reading, Text, Words, write_parts
from ui.shell.class_link import LONGEST_TITLE, OF_PAGE, title_key
from ui.shell.languages import language_params, projector_params
from ui.shell.safe_text import plain
from ui.widgets.data.gallery import DRAWN, FILE, UPLOAD
from ui.widgets.data.points import drawing
from ui.widgets.dialog import close_dialog
from ui.widgets.upload import given_file

SECONDS_TO_LOAD = 30.0
"""The longest that a browser may need to show the widgets of a page."""


def class_fields(page: str) -> tuple[Words, Text]:
    """What a link for a class says: groups of controls to hide, and a title."""
    return Words("hide", "hide", OF_PAGE[page]), Text("title", title_key(page), LONGEST_TITLE)


def read_link(page: str, read: Callable[[Params], Reading]) -> Reading | None:
    """Read a page's link into the session's state once; None where there is nothing new."""
    params = {name: st.query_params.get_all(name) for name in st.query_params}
    query = _frozen(params)
    known = _pages_of(query)
    arrived = st.session_state.get("address_page") != page
    st.session_state.address_page = page
    back = went_through_history()
    if arrived:
        st.session_state.pop(f"address_said_{page}", None)
        close_dialog()
    # An address of another page may arrive when the visitor has left that page already.
    left_over = page not in known and any(known.values())
    # A browser may ask again with an older address before it has seen the newest one.
    read_before = page in known and not arrived and not back
    if not params or left_over or read_before:
        _repeat(page)
        return None
    reading = read(params)
    if back and (before := known.get(page)):
        # A link says nothing of what is usual: what the present one says beside it has to go.
        present = read(st.session_state.get(f"address_shown_{page}", {})).state
        reading.state = {key: before[key] for key in present if key in before} | reading.state
        for key in present.keys() - reading.state.keys():
            st.session_state.pop(key, None)
    known.setdefault(page, {})
    for key, value in reading.state.items():
        st.session_state[key] = value
    st.session_state[f"address_repeat_{page}"] = time.monotonic(), reading.state
    return reading


def _pages_of(query: tuple) -> dict[str, dict[str, Any]]:
    """The pages that know an address in this session, with the state as they have shown it."""
    addresses = st.session_state.setdefault("addresses", {})
    addresses[query] = pages = addresses.pop(query, {})
    while len(addresses) > 200:
        del addresses[next(iter(addresses))]
    return pages


def _plain_state() -> dict[str, Any]:
    """What the session's state has in words and numbers, as links carry them."""
    words = (str, int, float, bool, tuple, type(None))
    state = st.session_state.to_dict()
    return {str(key): value for key, value in state.items() if isinstance(value, words)}


def went_through_history() -> bool:
    """Whether the page is drawn because somebody has gone back or forward to it."""
    return getattr(get_script_run_ctx(suppress_warning=True), "is_history_navigation", False)


def requested_query() -> str:
    """The query of the address by which the browser has asked for this run of the page."""
    return getattr(get_script_run_ctx(suppress_warning=True), "query_string", "")


def _repeat(page: str) -> None:
    """Give widgets the last link's values again, which a browser still loading may have skipped."""
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
    """Say what the page's last link said wrongly, and what it cannot carry."""
    key = f"address_said_{page}"
    if reading is not None:
        st.session_state[key] = reading.sentence(), reading.remarks
    sentence, remarks = st.session_state.get(key, ("", []))
    if sentence:
        st.warning(plain(sentence, most=600), icon=":material/link_off:")
    chosen, file = st.session_state.get("dataset"), given_file(FILE)
    missing = (chosen == UPLOAD and file is None) or (chosen == DRAWN and not len(drawing().points))
    place = st.container()  # always there: what comes and goes would take a file below it along
    for remark in remarks if missing else ():
        place.info(plain(remark), icon=":material/upload_file:")


def show_link(page: str, params: Mapping[str, Any]) -> None:
    """Show the link of what is on the page. Nothing is sent while it stays the same."""
    params = {"v": VERSION, **params} | language_params() | projector_params()
    if page in OF_PAGE:
        params |= write_parts(class_fields(page), st.session_state)
    lists = {n: list(v) if isinstance(v, list | tuple) else [str(v)] for n, v in params.items()}
    st.session_state[f"address_shown_{page}"] = lists
    _pages_of(_frozen(lists))[page] = _plain_state()
    if {name: st.query_params.get_all(name) for name in st.query_params} != lists:
        st.query_params.from_dict(params)


def _frozen(params: Params) -> tuple:
    return tuple(sorted((name, tuple(values)) for name, values in params.items()))
