"""Widgets that follow from what is known of a setting, and values that the app owns."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.helpers.harness import (
    browser_says,
    choose,
    heard_late,
    press,
    run,
    showing,
    unrevised,
    with_state,
)
from tests.helpers.wait import SECONDS
from treecore.base.settings import Setting
from ui.widgets.method_settings import DEEPEST_SHOWN, in_view, setting_of


def drawn(known: Setting) -> AppTest:
    """The one widget of a setting, on a page of its own."""

    def page(known):
        import streamlit as st

        from ui.widgets.method_settings import setting_control

        st.session_state.result = setting_control(known, "key")

    app = run(AppTest.from_function(page, args=(known,), default_timeout=SECONDS))
    assert app.session_state.result == known.default
    return app


NUMBER = Setting("n", "N", "", 5, 0, 20)


@pytest.mark.parametrize(
    ("known", "kind"),
    [
        (NUMBER, "slider"),
        (Setting("n", "N", "", 5, 0, 5000), "number_input"),
        (Setting("x", "X", "", 0.5, 0, 1), "number_input"),
        (Setting("x", "X", "", 0.5, 0.01, 10, log=True), "select_slider"),
        (Setting("c", "C", "", "b", choices=tuple("abcd")), "selectbox"),
        (Setting("c", "C", "", "b", choices=tuple("ab")), "button_group"),
    ],
)
def test_the_widget_follows_from_the_setting(known, kind):
    (widget,) = drawn(known).get(kind)
    assert unrevised(widget.key) == "key"
    assert widget.label == known.label


def test_a_live_view_is_never_deeper_than_it_can_show():
    assert in_view(setting_of("axis", "depth")).high == DEEPEST_SHOWN
    assert in_view(NUMBER) == NUMBER


@pytest.fixture
def app():
    def page():
        import streamlit as st

        from ui.widgets.owned import owned

        def change(value):
            st.session_state.number = value

        def count():
            st.session_state.changes = st.session_state.get("changes", 0) + 1

        number = owned("number", 2, range(10))
        if st.session_state.get("drawn", True):
            st.slider("Number", 0, 9, number.value, **number.widget(count))
        st.button("Seven", on_click=change, args=(7,), key="seven")
        st.button("Far", on_click=change, args=(70,), key="far")

    return run(AppTest.from_function(page, default_timeout=SECONDS))


def number(app):
    """What the session has, which is what the widget shows."""
    shown = showing(app, "number").value
    assert app.session_state["number"] == shown
    return shown


def move(app, value):
    return choose(app, "number", value)


def test_the_visitor_changes_it_and_so_does_the_app(app):
    assert number(app) == 2
    before = showing(app, "number").key
    assert number(move(app, 5)) == 5
    assert showing(app, "number").key == before, "the same widget"
    with_state(app, drawn=False)
    assert number(with_state(app, drawn=True)) == 5, "it outlives runs that do not draw the widget"
    assert number(press(app, "seven")) == 7
    assert number(move(app, 3)) == 3
    assert app.session_state["changes"] == 2, "what the app has changed is not the visitor's"
    assert number(press(app, "far")) == 2, "what it cannot be is what is usual"


@pytest.mark.parametrize("moved", [None, 4])
def test_a_browser_that_has_not_heard_of_a_change_does_not_undo_it(app, moved):
    before = browser_says(app)
    press(app, "seven")
    if moved is not None:  # meanwhile the widget that is no longer there was moved
        (state,) = [
            one for one in before.widgets if one.WhichOneof("value") == "double_array_value"
        ]
        state.double_array_value.data[:] = [moved]
    assert number(heard_late(app, before)) == 7
    assert number(move(app, 3)) == 3
