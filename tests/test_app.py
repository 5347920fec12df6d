"""The pages in Streamlit's own test harness: every choice leads to a page without exceptions."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from treecore import warm_up
from treecore.generators import GENERATORS
from treecore.methods import METHODS
from ui.data import FILES, UPLOAD

APP = str(Path(__file__).parents[1] / "app.py")


@pytest.fixture(scope="module", autouse=True)
def compiled():
    warm_up()


@pytest.fixture
def app():
    """The app as a newcomer opens it."""
    page = AppTest.from_file(APP, default_timeout=30).run()
    assert not page.exception
    return page


def press(app, key):
    app.button(key=key).click().run()
    assert not app.exception


@pytest.mark.parametrize("name", [*GENERATORS, *FILES])
def test_every_dataset_opens(app, name):
    app.session_state["dataset"] = name
    app.run()
    assert not app.exception
    assert not app.error
    assert app.get("bidi_component"), "the gallery and the live view are there"


@pytest.mark.parametrize("method", METHODS)
def test_every_method_shows_the_settings_of_the_registry(app, method):
    app.selectbox(key="method").set_value(method).run()
    assert not app.exception
    shown = {
        w.key
        for kind in ("slider", "select_slider", "number_input", "button_group")
        for w in app.get(kind)
    }
    for setting in METHODS[method].settings.known():
        assert f"{method}_{setting.name}" in shown


def test_every_control_explains_itself(app):
    for kind in ("slider", "select_slider", "number_input", "selectbox", "button"):
        for widget in app.get(kind):
            assert widget.proto.help, widget.label


def test_a_run_plays_and_restarts_when_a_setting_changes(app):
    press(app, "play")
    app.slider(key="sgd_depth").set_value(3).run()
    assert not app.exception
    for key in ("pause", "step", "reset"):
        if not app.button(key=key).disabled:
            press(app, key)


def test_without_a_file_the_page_keeps_what_it_shows(app):
    app.session_state["dataset"] = UPLOAD
    app.run()
    assert not app.exception
    assert not app.button(key="reset").disabled


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "empty"),
        (b"a,b,class\n1,2,x\n", "row"),
        (b"a\n1\n2\n3\n", "column"),
        (b"a,b,class\n1,2,x\n3,4,x\n", "class"),
        (b"a,a,class\n1,2,x\n3,4,y\n", "'a'"),
        (b"a,b,class\n1,,x\n3,4,y\n", "missing"),
        (b"a,b,class\n1,inf,x\n3,4,y\n", "infinite"),
        (b"a,b,class\n1,2,caf\xe9\n3,4,y\n", "UTF-8"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "text"),
    ],
)
def test_a_bad_file_gets_one_sentence_and_the_page_goes_on(app, content, sentence):
    app.session_state["dataset"] = UPLOAD
    app.run()
    app.file_uploader(key="csv").upload("mine.csv", content, "text/csv").run()
    assert not app.exception
    assert len(app.error) == 1
    assert sentence in app.error[0].value
    assert app.error[0].value.startswith("mine.csv: ")
    app.session_state["dataset"] = "moons"
    app.run()
    assert not app.exception
    assert not app.error


def test_a_file_with_semicolons_is_learnt_from(app):
    app.session_state["dataset"] = UPLOAD
    app.run()
    rows = "\n".join(f"{i};{i * 7 % 11};{'yes' if i % 3 else 'no'}" for i in range(40))
    app.file_uploader(key="csv").upload("mine.csv", f"a;b;answer\n{rows}".encode(), "text/csv")
    app.run()
    assert not app.exception
    assert not app.error
    assert any("40 rows, 2 features, 2 classes" in c.value for c in app.caption)
    assert app.selectbox(key=next(s.key for s in app.selectbox if s.key.startswith("target_")))


@pytest.mark.parametrize("content", [b"", b"{", b"[1, 2]", b'{"format": "other"}', b"\xff\xfe\x00"])
def test_a_bad_tree_gets_one_sentence_and_the_run_stays(app, content):
    app.file_uploader(key="saved_tree").upload("tree.json", content, "application/json").run()
    assert not app.exception
    assert len(app.error) == 1
    assert app.error[0].value.startswith("tree.json: ")
    assert not app.button(key="reset").disabled
