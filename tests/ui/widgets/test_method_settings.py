"""Widgets that follow from what is known of a setting."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.helpers.harness import unrevised
from tests.helpers.wait import SECONDS
from treecore.base.settings import Setting
from ui.widgets.method_settings import DEEPEST_SHOWN, in_view, setting_of


def drawn(known: Setting) -> AppTest:
    """The one widget of a setting, on a page of its own."""

    def page(known):
        import streamlit as st

        from ui.widgets.method_settings import setting_control

        st.session_state.result = setting_control(known, "key")

    app = AppTest.from_function(page, args=(known,), default_timeout=SECONDS).run()
    assert not app.exception
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
