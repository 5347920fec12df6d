"""Pages of the app in Streamlit's own harness, opened by a link."""

from __future__ import annotations

import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.helpers.paths import APP
from ui.entrance import _CAME_IN


def opened(name: str, state: dict | None = None, **query: str) -> AppTest:
    """A page, by the name of its file, with entries of the session's state and those of a link."""
    app = AppTest.from_file(APP, default_timeout=60)
    app.switch_page(f"pages/{name}.py")
    app.session_state[_CAME_IN] = True  # as app.py does, which is not here
    for key, value in (state or {}).items():
        app.session_state[key] = value
    for key, value in query.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    return app


def fresh(name: str, **query: str) -> AppTest:
    """As :func:`opened`, without anything of the visitors before."""
    st.cache_resource.clear()  # all sessions of this harness are one, which never ends
    return opened(name, **query)


def press(app: AppTest, key: str) -> AppTest:
    """The page after a click on a button."""
    app.button(key=key).click().run()
    assert not app.exception
    return app


def link(app: AppTest) -> dict:
    """The parameters of the page's link."""
    return {name: app.query_params[name] for name in app.query_params}
