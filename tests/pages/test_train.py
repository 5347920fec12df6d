"""The pages in Streamlit's own test harness: every choice leads to a page without exceptions."""

from __future__ import annotations

import json
import time

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.helpers.paths import APP
from tests.helpers.strategies import random_tree
from treecore import warm_up
from treecore.generators import GENERATORS
from treecore.methods import TREES
from treecore.persistence import TreeDocument, to_json
from ui.claims import CLAIMS
from ui.data import FILES, UPLOAD
from ui.text import plain
from ui.wire import unpack


@pytest.fixture(scope="module", autouse=True)
def compiled():
    warm_up()


@pytest.fixture
def app():
    """The page that trains, as a newcomer opens it."""
    page = AppTest.from_file(APP, default_timeout=30)
    page.switch_page("pages/train.py")
    page.run()
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


def test_every_method_says_what_it_promises(app):
    assert list(CLAIMS) == list(TREES)
    for name in ("sgd", "tao", "axis"):
        app.selectbox(key="method").set_value(name).run()
        assert any(CLAIMS[name] in caption.value for caption in app.caption)


@pytest.mark.parametrize("method", TREES)
def test_every_method_shows_the_settings_of_the_registry(app, method):
    app.selectbox(key="method").set_value(method).run()
    assert not app.exception
    shown = {
        w.key
        for kind in ("slider", "select_slider", "number_input", "button_group", "selectbox")
        for w in app.get(kind)
    }
    for setting in TREES[method].settings.known():
        assert f"{method}_{setting.name}" in shown


def test_every_control_explains_itself(app):
    for kind in ("slider", "select_slider", "number_input", "selectbox", "button"):
        for widget in app.get(kind):
            assert widget.proto.help, widget.label


def shown_run(app):
    """Name and meta of the run on the live view, as the last message says it."""
    (live,) = [
        view.proto
        for view in app.get("bidi_component")
        if view.proto.component_name == "treecore.live"
    ]
    return unpack(live.bytes)[0]


def wait_for(app, state):
    for _ in range(200):
        app.run()
        assert not app.exception
        if shown_run(app)["state"] == state:
            return
        time.sleep(0.02)
    raise AssertionError(f"the run is still {shown_run(app)['state']}")


def test_a_run_plays_and_restarts_playing_when_settings_change(app):
    wait_for(app, "paused")
    before = shown_run(app)["run"]
    press(app, "play")
    app.slider(key="sgd_depth").set_value(3).run()
    app.select_slider(key="sgd_nu").set_value(50.0).run()  # perhaps before the first tree
    assert not app.exception
    assert shown_run(app)["run"] != before
    wait_for(app, "running")
    press(app, "pause")
    wait_for(app, "paused")


def test_a_reset_shows_nothing_of_the_run_before_it(app):
    wait_for(app, "paused")
    press(app, "step")
    wait_for(app, "paused")
    press(app, "reset")
    assert shown_run(app)["epoch"] == 0
    wait_for(app, "paused")
    assert shown_run(app)["epoch"] == 0


def test_settings_are_kept_while_another_method_is_tried(app):
    app.slider(key="sgd_depth").set_value(9).run()
    app.selectbox(key="method").set_value("axis").run()
    app.selectbox(key="method").set_value("sgd").run()
    assert app.slider(key="sgd_depth").value == 9


def test_without_a_file_the_page_keeps_what_it_shows(app):
    before = shown_run(app)["run"]
    app.session_state["dataset"] = UPLOAD
    app.run()
    assert not app.exception
    assert shown_run(app)["run"] == before


def upload(app, content, name="mine.csv"):
    app.session_state["dataset"] = UPLOAD
    app.run()
    app.file_uploader(key="csv").upload(name, content, "text/csv").run()
    assert not app.exception


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "empty"),
        (b"a,b,class\n1,2,x\n", "row"),
        (b"a\n1\n2\n3\n", "column"),
        (b"a,b,class\n1,2,x\n3,4,x\n", "class"),
        (b"a,a,class\n1,2,x\n3,4,y\n", "'a'"),
        (b"a,b,class\n1,,x\n3,4,\n5,6,?\n", "1 row only"),
        (b"a,b,class\n1,inf,x\n3,4,y\n", "infinite"),
        (b"a,b,class\n1,2,caf\xe9\n3,4,y\n", "UTF-8"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "text"),
    ],
)
def test_a_bad_file_gets_one_sentence_and_the_page_goes_on(app, content, sentence):
    before = shown_run(app)["run"]
    upload(app, content)
    assert len(app.error) == 1
    assert sentence in app.error[0].value
    assert app.error[0].value.startswith(plain("mine.csv: "))
    assert shown_run(app)["run"] == before, "what was on the screen stays there"


def test_words_of_a_file_are_shown_letter_by_letter(app):
    """As Markdown, this name would make the browser fetch an address."""
    upload(app, b"![x](http://elsewhere/a.png),b,class\n1,,x\nq,,y\n5,6,x\n")
    assert "![" not in app.error[0].value.replace("\\!\\[", "")
    assert len(app.error[0].value) < 1000


def test_a_file_with_semicolons_is_learnt_from(app):
    rows = "\n".join(f"{i};{i * 7 % 11};{'yes' if i % 3 else 'no'}" for i in range(40))
    upload(app, f"a;b;answer\n{rows}".encode())
    assert not app.error
    assert any("40 rows, 2 features, 2 classes" in c.value for c in app.caption)
    assert shown_run(app)["classes"] == ["no", "yes"]


def test_more_classes_than_points_on_the_map_and_a_single_feature(app):
    rows = "\n".join(f"{i},k{i % 60}" for i in range(6000))
    upload(app, f"a,class\n{rows}".encode())
    app.slider(key="test_share").set_value(5).run()
    assert not app.exception
    assert len(shown_run(app)["classes"]) == 60
    assert shown_run(app)["axes"] == {"x": "a", "y": "", "note": ""}


def saved(**changes):
    """A small saved tree that fits the spirals, with some entries changed."""
    text = to_json(
        TreeDocument(
            tree=random_tree(np.random.default_rng(0), n_splits=3, n_features=2, n_classes=2),
            feature_names=("x1", "x2"),
            class_names=("A", "B"),
        )
    )
    return json.dumps(json.loads(text) | changes).encode()


BAD_TREES = {
    "empty": (b"", ""),
    "truncated": (saved()[:-30], ""),
    "not an object": (b"[1, 2]", ""),
    "other format": (saved(format="other"), "format"),
    "wrong version": (saved(version=99), "version"),
    "cycle": (
        saved(
            splits=[{"feature": 0, "threshold": 0.0, "left": {"split": 0}, "right": {"leaf": 0}}]
        ),
        "",
    ),
    "shapes": (saved(leaves=[{"value": [0.0]}]), ""),
    "NaN": (saved().replace(b'"threshold": ', b'"threshold": NaN, "was": ', 1), ""),
    "encoding": (b"\xff\xfe\x00", ""),
    "other data": (saved(features=["a", "b"]), "made for"),
    "hostile name": (saved(features=["\ud800", "b"]), "surrogate"),
}


@pytest.mark.parametrize(("content", "sentence"), BAD_TREES.values(), ids=BAD_TREES)
def test_a_bad_tree_gets_one_sentence_and_the_run_stays(app, content, sentence):
    before = shown_run(app)["run"]
    app.file_uploader(key="saved_tree").upload("tree.json", content, "application/json").run()
    assert not app.exception
    assert len(app.error) == 1
    assert sentence in app.error[0].value
    assert app.error[0].value.startswith(plain("tree.json: "))
    assert shown_run(app)["run"] == before


def test_learning_goes_on_from_a_saved_tree(app):
    before = shown_run(app)["run"]
    app.file_uploader(key="saved_tree").upload("tree.json", saved(), "application/json").run()
    assert not app.exception
    assert not app.error
    assert shown_run(app)["run"] != before
    wait_for(app, "paused")
    press(app, "step")
    wait_for(app, "paused")


def test_a_link_is_repeated_until_somebody_changes_something():
    page = AppTest.from_file(APP, default_timeout=30)
    page.switch_page("pages/train.py")
    page.query_params["run"] = "tao"
    page.query_params["test"] = "40"
    for _ in range(3):  # a browser that is loading may see only the last of these
        page.run()
        assert not page.exception
        for widget in (page.selectbox(key="method"), page.slider(key="test_share")):
            assert widget.proto.set_value
        assert page.selectbox(key="method").value == "tao"
    page.slider(key="test_share").set_value(10).run()
    assert page.slider(key="test_share").value == 10
    assert page.selectbox(key="method").value == "tao"
    page.selectbox(key="method").set_value("axis").run()
    page.run()
    assert page.selectbox(key="method").value == "axis"
    assert page.slider(key="test_share").value == 10
    assert not page.selectbox(key="method").proto.set_value
