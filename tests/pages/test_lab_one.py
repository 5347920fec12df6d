"""The Lab with one learner: every choice leads to a page without exceptions."""

import json
import math

import numpy as np
import pytest

from tests.helpers import harness
from tests.helpers.harness import (
    choose,
    command,
    finished,
    live,
    press,
    run,
    run_until,
    showing,
    state_reached,
    taken_home,
    upload,
    with_state,
)
from tests.helpers.strategies import random_tree
from treecore import Forest
from treecore.data.generators import GENERATORS
from treecore.persistence import Document, from_json, to_json
from treecore.selection import bound_search
from treecore.training.registry import TREES
from ui.shell.safe_text import plain
from ui.widgets.data.gallery import FILES


@pytest.fixture
def app():
    """The Lab with one learner of spirals."""
    return harness.one_tree()


def test_every_dataset_opens(app):
    for name in [*GENERATORS, *FILES]:
        with_state(app, dataset=name)
        assert not app.error, name
        assert app.query_params.get("data", "spirals") == name
        meta, arrays = live(app)
        assert len(arrays["points"]) == sum(meta["shown"][:1]), name


def test_every_method_says_what_it_promises_and_shows_the_settings_of_the_registry(app):
    for name in TREES:
        choose(app, "lab0_method", name)
        assert TREES[name].claim in harness.words(app)
        kinds = ("slider", "select_slider", "number_input", "button_group", "selectbox")
        shown = harness.keys(app, *kinds)
        for setting in TREES[name].settings.definitions():
            assert (f"lab0_{name}_{setting.name}" in shown) == (setting.name != "depth")


def test_a_run_plays_and_restarts_playing_when_settings_change(app):
    before = state_reached(app, "paused")[0]["run"]
    command(app, "play")
    choose(app, "lab_depth", 3)
    choose(app, "lab0_sgd_nu", 50.0)  # perhaps before the first tree
    assert live(app)[0]["run"] != before
    meta, arrays = state_reached(app, "running")
    assert meta["nu"] == 50.0
    assert len(arrays["counts"]) == 8
    command(app, "pause")
    before = state_reached(app, "paused")[0]["epoch"]
    command(app, "step")
    run_until(app, lambda: before < live(app)[0]["epoch"] <= before + 1, "for one pass")
    command(app, "reset")
    assert live(app)[0]["epoch"] == 0, "nothing of the run before it is shown"
    assert len(state_reached(app, "paused")[1]["curves"]) == 1


BAD_FILES = {
    "empty": b"",
    "class": b"a,b,class\n1,2,x\n3,4,x\n",
    "text": b"\x89PNG\r\n\x1a\n\x00\x00",
}


def test_a_bad_file_gets_one_sentence_and_the_page_goes_on(app):
    before = live(app)[0]["run"]
    for word, content in BAD_FILES.items():
        upload(app, content)
        assert len(app.error) == 1, word
        assert word in app.error[0].value
        assert app.error[0].value.startswith(plain("mine.csv: "))
        assert live(app)[0]["run"] == before, "what was on the screen stays there"


def test_words_of_a_file_are_shown_letter_by_letter(app):
    """As Markdown, this name would make the browser fetch an address."""
    upload(app, b"![x](http://elsewhere/a.png),b,class\n1,,x\nq,,y\n5,6,x\n")
    (note,) = [c.value for c in app.caption if "Malformed values were read" in c.value]
    assert "![" not in note.replace("\\!\\[", "")
    assert "elsewhere" in note
    assert len(note) < 1000


def test_the_rows_of_a_file_decide_how_they_are_learnt(app, little_time):
    assert "auto" not in harness.keys(app, "button"), "it is for tables of one's own"
    rows = "\n".join(f"{i},{i * 7 % 11},{'yes' if i % 20 < 10 else 'no'}" for i in range(80))
    upload(app, f"a,b,class\n{rows}".encode())
    showing(app, "lab0_method").set_value("tao")
    press(app, "auto")
    _, choice = app.session_state["auto_choice"]
    assert showing(app, "lab0_method").value == choice.method == choice.decision.best.method
    assert showing(app, "lab_depth").value == choice.settings["depth"]
    if choice.method == "annealed":
        assert app.session_state["lab0_annealed_leaf"] == choice.settings["leaf"]
    (said,) = [c.value for c in app.caption if "Chosen automatically" in c.value]
    assert choice.decision.summary() in said.replace("\xa0%", "%")
    choose(app, "lab0_method", "tao")
    assert showing(app, "lab0_method").value == "tao", "it advises once and does not insist"


def test_nu_and_eta_are_chosen_as_in_the_paper(app, monkeypatch):
    monkeypatch.setattr(bound_search, "NUS", (43.0,))
    monkeypatch.setattr(bound_search, "ETAS", (0.1,))
    choose(app, "lab0_method", "axis")
    showing(app, "lab_depth").set_value(3)
    press(app, "paper")
    _, choice = app.session_state["paper_choice"]
    method = choice.decision.best.method
    assert showing(app, "lab0_method").value == method
    for name, value in choice.settings.items():
        key = "lab_depth" if name == "depth" else f"lab0_{method}_{name}"
        assert app.session_state[key] == value
    assert choice.settings["depth"] == 3
    assert not app.error
    (said,) = [c.value for c in app.caption if "As in the paper" in c.value]
    assert "CO2 tree" in said


def saved(**changes):
    """A small saved tree that fits the spirals, with some entries changed."""
    text = to_json(
        Document(
            model=random_tree(np.random.default_rng(0), n_splits=3, n_features=2, n_classes=2),
            feature_names=("x1", "x2"),
            class_names=("A", "B"),
        )
    )
    return json.dumps(json.loads(text) | changes).encode()


def saved_forest():
    forest = Forest((from_json(saved()).model,), np.ones(1), "shares")
    return to_json(Document(forest, ("x1", "x2"), ("A", "B"))).encode()


def saved_numbers():
    tree = random_tree(np.random.default_rng(0), n_splits=3, n_features=2, n_classes=1)
    return to_json(Document(tree, ("x1", "x2"), (), output_names=("height",))).encode()


BAD_TREES = {
    "numbers": (saved_numbers(), plain("predicts numbers (height), but the data have classes")),
    "a forest": (saved_forest(), "this file holds a forest"),
    "truncated": (saved()[:-30], ""),
    "other data": (saved(features=["a", "b"]), "trained on"),
    "hostile name": (saved(features=["\ud800", "b"]), "surrogate"),
}


def upload_tree(app, content):
    app.file_uploader(key="saved_tree").upload("tree.json", content, "application/json")
    return run(app)


def test_a_bad_tree_gets_one_sentence_and_the_run_stays(app):
    before = live(app)[0]["run"]
    for name, (content, sentence) in BAD_TREES.items():
        upload_tree(app, content)
        assert len(app.error) == 1, name
        assert sentence in app.error[0].value
        assert app.error[0].value.startswith(plain("tree.json: "))
        assert live(app)[0]["run"] == before


def test_learning_goes_on_from_a_saved_tree(app):
    before = live(app)[0]["run"]
    assert not showing(app, "lab_depth").disabled
    assert showing(app, "lab0_sgd_start").value == "random"
    upload_tree(app, saved())
    assert not app.error
    assert showing(app, "lab_depth").disabled, "the tree decides"
    assert "lab0_sgd_start" not in harness.keys(app, "selectbox")
    assert live(app)[0]["run"] != before
    meta, arrays = state_reached(app, "paused")
    assert meta["epoch"] == 0
    assert len(arrays["f0.children"]) == 3, "the splits of the saved tree"


def test_a_link_is_repeated_until_somebody_changes_something(monkeypatch):
    monkeypatch.setattr("ui.links.visit.SECONDS_TO_LOAD", math.inf)
    page = harness.one_tree(weights="balanced", test="40")
    for _ in range(3):  # a browser that is loading may see only the last of these
        assert page.toggle(key="balanced").proto.set_value
        assert showing(page, "test_share").proto.default == [40], "it begins with that"
        assert page.toggle(key="balanced").value
        run(page)
    choose(page, "test_share", 10)
    assert showing(page, "test_share").value == 10
    assert page.toggle(key="balanced").value
    choose(page, "balanced", False)
    run(page)
    assert not page.toggle(key="balanced").value
    assert showing(page, "test_share").value == 10
    assert not page.toggle(key="balanced").proto.set_value
    monkeypatch.setattr("ui.links.visit.SECONDS_TO_LOAD", -1.0)  # it has had the time to load
    page = run(harness.one_tree(weights="balanced"))
    assert page.toggle(key="balanced").value
    assert not page.toggle(key="balanced").proto.set_value


@pytest.mark.parametrize(
    ("query", "said", "key", "value"),
    [
        (
            {"run": "sgd~epochs~12", "data": "quickening"},
            "ν\u00a0=\u00a020 is too small",
            "lab0_sgd_nu",
            200,
        ),
        ({"depth": "1"}, "too few leaves", "lab_depth", 3),
    ],
)
def test_a_run_that_does_not_learn_says_why_and_one_click_mends_it(query, said, key, value):
    app = harness.one_tree(**query)
    finished(app)
    assert said in harness.words(run(app))
    before = live(app)[0]["run"]
    press(app, "mend_I")
    assert showing(app, key).value == value
    assert live(app)[0]["run"] != before
    state_reached(app, "finished")


def test_the_page_that_trains_holds_the_kernels_and_the_starts_of_the_run():
    app = harness.one_tree(data="moons", run="sgd~depth~2", size="60")
    command(app, "play")
    run_until(app, lambda: any(b.key == "export_live" and not b.disabled for b in app.button))
    name, page = taken_home(app, "export_live")
    assert name.endswith("-live.html")
    assert b'id="kernels"' in page
    assert page.count(b'class="start"') == 1
    _name, page = taken_home(app, "export_html")
    assert b'class="start"' not in page, "that one only plays"
