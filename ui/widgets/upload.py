"""A file that the visitor gives: the session's until it is taken away, whichever page is open."""

from typing import Any

import streamlit as st
from streamlit.typing import UploadedFile

from ui.language.translate import _
from ui.shell.safe_text import plain


def upload_control(label: str, key: str, **how: Any) -> UploadedFile | None:
    """A file that is given, or was on another page, which Streamlit forgets; None without."""
    given = st.file_uploader(label, key=key, on_change=_keep, args=(key,), **how)
    file = given or given_file(key)
    if file is not None and given is None:
        name = plain(file.name, 60)
        st.caption(_("Still chosen: {name}. Choose another file to replace it.", name=name))
        st.button(
            _("Remove file"),
            key=f"{_state_key(key)}_away",
            icon=":material/close:",
            type="tertiary",
            on_click=_take_away,
            args=(key,),
        )
    return file


def given_file(key: str) -> UploadedFile | None:
    """The file that was given to the control of that key, on this page or another one."""
    return st.session_state.get(_state_key(key))


def _keep(key: str) -> None:
    """Before the page is drawn: keep what was given, forget what was taken out of the control."""
    if (given := st.session_state[key]) is None:
        _take_away(key)
    else:
        st.session_state[_state_key(key)] = given


def _take_away(key: str) -> None:
    st.session_state.pop(_state_key(key), None)


def _state_key(key: str) -> str:
    return f"kept_{key}"
