"""What the session knows of controls beyond Streamlit: values, tabs, dialogs, given files."""

from collections.abc import Callable, Collection, Hashable, Sequence
from typing import Any

import streamlit as st
from streamlit.typing import UploadedFile

from ui.language.catalogue import ENGLISH
from ui.language.translate import _, language
from ui.shell.safe_text import plain


class OwnedValue:
    """A value of the session that a widget shows and the app changes too, by a click or a link.

    A browser that has not yet heard of a new value sends the old one, which would undo the click.
    So each change by the app is a revision, which is a widget of its own.
    """

    def __init__(self, name: str):
        self.name = name
        self.value: Any = None
        self.revision = 0

    @property
    def key(self) -> str:
        return f"{self.name}#{self.revision}"

    def widget(self, then: Callable[[], None] | None = None) -> dict[str, Any]:
        """``key``, ``on_change`` and ``args`` of the widget; ``then`` is called after a change."""
        return {"key": self.key, "on_change": self._changed, "args": (self.key, then)}

    def _changed(self, key: str, then: Callable[[], None] | None) -> None:
        if key != self.key:
            return  # it was on the page before the app changed the value
        self.value = st.session_state[self.name] = st.session_state[key]
        if then is not None:
            then()


def owned(name: str, usual: Any = None, among: Collection[Any] | None = None) -> OwnedValue:
    """The value of the widget drawn next, once in a run; ``usual`` where none, or not ``among``."""
    held = st.session_state.setdefault(f"{name}_owned", OwnedValue(name))
    value = st.session_state.setdefault(name, usual)
    if among is not None and value not in among:
        value = st.session_state[name] = usual
    if value != held.value or held.key not in st.session_state:
        held.value, held.revision = value, held.revision + 1
    return held


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
