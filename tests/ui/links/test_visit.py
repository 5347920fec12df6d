"""When a page reads its address: on arrival and on the way back, and never one that is stale."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.helpers import harness
from ui.links import visit as visits


@pytest.fixture
def went_back(monkeypatch):
    """A list; where it is not empty, a run of the page is one through the browser's history."""
    went: list[bool] = []
    monkeypatch.setattr(visits, "went_through_history", lambda: bool(went))
    return went


def script():
    import streamlit as st

    from ui.links.fields import Reading
    from ui.links.visit import read_link, report_problems, show_link

    page = st.session_state.page

    def read(params):
        reading = Reading(state={"depth": int(params["depth"][0])} if "depth" in params else {})
        reading.strangers(params, ("depth", "of"))
        return reading

    st.session_state.reading = read_link(page, read)
    report_problems(page, st.session_state.reading)
    if page != "home":
        show_link(page, {"of": page, "depth": st.session_state.get("depth", 6)})


@pytest.fixture
def app():
    app = AppTest.from_function(script)
    return harness.with_state(app, page="train")


def go(app, page, **params):
    """Draw a page at an address."""
    app.query_params = params
    return harness.with_state(app, page=page)


def change(app, depth):
    return harness.with_state(app, depth=depth)


def test_an_address_is_read_once_and_a_stale_one_is_not_taken_for_a_wish(app):
    go(app, "train", depth="3")
    assert app.session_state["depth"] == 3
    assert harness.link(app) == {"v": "1", "of": "train", "depth": "3"}
    assert change(app, 4).session_state["depth"] == 4, "what is changed afterwards stays"
    go(app, "train", v="1", of="train", depth="3")  # a browser that has not seen the newest one
    assert app.session_state["depth"] == 4
    assert app.session_state["reading"] is None
    assert harness.link(app)["depth"] == "4"
    go(app, "learn")
    go(app, "train", depth="3")
    assert app.session_state["depth"] == 3, "a link followed once more is read once more"


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("page", ["home", "learn"])
def test_what_another_page_has_left_in_the_address_is_not_read(app, went_back, page, back):
    change(app, 3)
    left = harness.link(app)
    went_back.extend([True] * back)
    go(app, page, **left)
    assert app.session_state["reading"] is None
    assert not app.warning
    assert app.session_state["depth"] == 3


def test_what_was_wrong_with_a_link_is_told_until_the_page_is_left(app):
    go(app, "train", wrong="1")
    (warning,) = app.warning
    assert "'wrong'" in warning.value
    assert harness.run(app).warning
    go(app, "learn")
    go(app, "train")
    assert not app.warning
