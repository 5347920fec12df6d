"""The row of buttons that plays, pauses, steps and resets."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.helpers.wait import SECONDS


def test_the_row_has_the_buttons_that_are_given_in_one_order():
    def page():
        import streamlit as st

        from ui.widgets.transport import Act, transport_buttons

        clicked = st.session_state.setdefault("clicked", [])
        transport_buttons(
            "a_",
            reset=Act(lambda: clicked.append("reset"), "Back."),
            play=Act(lambda: clicked.append("play"), "On."),
            step=Act(lambda: clicked.append("step"), "One.", disabled=True),
        )

    app = AppTest.from_function(page, default_timeout=SECONDS).run()
    assert [button.key for button in app.button] == ["a_play", "a_step", "a_reset"]
    assert [button.label for button in app.button] == ["Play", "Step", "Reset"]
    assert [button.disabled for button in app.button] == [False, True, False]
    app.button(key="a_reset").click().run()
    app.button(key="a_play").click().run()
    assert app.session_state.clicked == ["reset", "play"]
