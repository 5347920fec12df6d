"""Who may see the pages."""

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.helpers.harness import run

AUTH = {"redirect_uri": "http://localhost:8501/oauth2callback", "cookie_secret": "x" * 32}


def drawn(monkeypatch, secrets, **user):
    """A page that asks who is there before it says something."""

    def script():
        import streamlit as st

        from ui.shell.router import sign_in

        sign_in()
        st.write("the page")

    monkeypatch.setattr(st, "user", user)
    page = AppTest.from_function(script)
    for name, value in secrets.items():
        page.secrets[name] = value
    return run(page)


@pytest.mark.parametrize(
    ("secrets", "user"),
    [({}, {}), ({"other": {"key": 1}}, {}), ({"auth": AUTH}, {"is_logged_in": True})],
)
def test_a_page_is_drawn_where_nobody_is_asked_and_for_who_has_a_name(monkeypatch, secrets, user):
    page = drawn(monkeypatch, secrets, **user)
    assert [one.value for one in page.markdown] == ["the page"]
    assert not page.button


@pytest.mark.parametrize("user", [{}, {"is_logged_in": False}])
def test_nothing_but_a_door_is_drawn_for_a_stranger(monkeypatch, user):
    requested = []
    monkeypatch.setattr(st, "login", lambda: requested.append(True))
    page = drawn(monkeypatch, {"auth": AUTH}, **user)
    assert not page.markdown
    (button,) = page.button
    assert button.label == "Sign in"
    button.click().run()
    assert requested == [True]
    assert not page.markdown
