"""A file is made by the click, and sent until the browser says that it has it."""

import threading

import pytest
from streamlit.testing.v1 import AppTest

from tests.helpers.wait import SECONDS
from treecore.viewer.messages.wire import unpack
from ui.widgets import file_download as module


def page():
    import streamlit as st

    from ui.widgets.file_download import file_button, hand_over

    st.session_state.setdefault("clicks", 0)

    def make():
        st.session_state.clicks += 1
        return f"größer, {st.session_state.clicks}"

    def refuse():
        raise ValueError("this file cannot be: take another")

    file_button("Take", make, "a.txt", "text/plain", key="take")
    file_button("Bytes", lambda: bytes(range(256)), "a.onnx", "application/x", key="bytes")
    file_button("Refused", refuse, "b.txt", "text/plain", key="refused")
    hand_over()


@pytest.fixture
def app():
    return AppTest.from_function(page, default_timeout=SECONDS).run()


def handed(app):
    return [unpack(view.proto.bytes) for view in app.get("bidi_component")]


def test_a_file_is_made_by_the_click_and_sent_again_as_the_same_file(app):
    assert app.session_state.clicks == 0
    assert handed(app) == []
    app.button(key="take").click().run()
    ((first, arrays),) = handed(app)
    assert (first["name"], first["type"]) == ("a.txt", "text/plain")
    assert arrays["content"].tobytes().decode() == "größer, 1"
    ((again, _),) = handed(app.run())
    assert again["id"] == first["id"]
    assert app.session_state.clicks == 1
    app.button(key="take").click().run()
    ((other, arrays),) = handed(app)
    assert other["id"] != first["id"]
    assert arrays["content"].tobytes().decode() == "größer, 2"
    app.button(key="bytes").click().run()
    assert handed(app)[0][1]["content"].tobytes() == bytes(range(256))


def test_what_cannot_be_made_is_told_in_its_sentence(app):
    app.button(key="refused").click().run()
    assert not app.exception
    assert handed(app) == []
    assert [toast.value for toast in app.toast] == ["this file cannot be: take another"]
    assert not app.run().toast, "and told once"


def test_a_page_that_is_drawn_while_a_file_is_made_waits_and_hands_it_over(monkeypatch):
    held, clicks, sent = module._HandOver(), [], []
    started, go_on = threading.Event(), threading.Event()

    def make():
        started.set()
        assert go_on.wait(SECONDS)
        return "whole"

    monkeypatch.setattr(module, "session_value", lambda kind: held)
    monkeypatch.setattr(module, "language", lambda: "en")
    monkeypatch.setattr(module, "browser_component", lambda *_: lambda data, **_: sent.append(data))
    monkeypatch.setattr(module.st, "button", lambda label, on_click: clicks.append(on_click))
    module.file_button("Take", make, "a.txt", "text/plain")
    click, drawing = threading.Thread(target=clicks[0]), threading.Thread(target=module.hand_over)
    click.start()
    assert started.wait(SECONDS)
    drawing.start()
    drawing.join(0.2)  # it could end, if it did not wait
    go_on.set()
    click.join()
    drawing.join()
    ((_, arrays),) = map(unpack, sent)
    assert arrays["content"].tobytes() == b"whole"
