"""A run goes on in the app that the command line began, and the other way round."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.helpers.paths import APP
from treecore import RunConfig, Trainer
from treecore.runs import RunFolder, begin, go_on, resume
from treecore.sources import Source, read_parts
from ui.runner import Runner

CONFIG = RunConfig("stable-sgd", depth=4, epochs=12)
SOURCE = Source("sample:spirals", size=200)


@pytest.fixture(autouse=True)
def runs(tmp_path, monkeypatch):
    monkeypatch.setenv("TREECORE_RUNS", str(tmp_path))
    st.cache_resource.clear()  # all sessions of this harness are one, which never ends
    yield tmp_path
    st.cache_resource.clear()


def keep(app):
    app.session_state["export"] = True  # opens what the button is in
    app.run()
    app.button(key="keep").click().run()
    assert not app.exception


def page(**query):
    app = AppTest.from_file(APP, default_timeout=60)
    app.switch_page("pages/train.py")
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def play_to_the_end(app):
    app.button_group(key="speed").set_value(["Unlimited"]).run()
    app.button(key="play").click().run()
    end = time.monotonic() + 60
    while not app.button(key="play").disabled or app.button(key="pause").disabled is False:
        assert time.monotonic() < end
        time.sleep(0.05)
        app.run()
        assert not app.exception


def whole_tree(config=CONFIG, source=SOURCE):
    train, held = read_parts(source)
    return Trainer(
        config, train.X, train.y, validation=(held.X, held.y), n_classes=train.n_classes
    ).run()


def same(tree, other):
    return all(np.array_equal(a, b) for a, b in zip(tree, other))


def test_what_the_command_line_began_goes_on_in_the_app(runs):
    run = go_on(begin(runs / "begun", CONFIG, SOURCE))
    for _ in range(5):
        next(run)
    run.close()
    app = page(folder="begun")
    assert any("stable-sgd on sample" in caption.value for caption in app.caption)
    play_to_the_end(app)
    keep(app)
    folder = RunFolder.open(runs / "begun")
    assert folder.state == "finished"
    assert same(folder.read_model().tree, whole_tree())
    assert [event.done for event in folder.events()] == list(range(13))


def test_what_the_app_began_goes_on_on_the_command_line(runs):
    app = page(data="spirals", size="200", run="stable-sgd~depth~4~epochs~300")
    app.button(key="play").click().run()
    time.sleep(0.3)
    app.button(key="pause").click().run()
    keep(app)
    assert any("treecore train --resume" in code.value for code in app.code)
    kept = resume(runs / "spirals-stable-sgd-1")
    assert 0 < len(kept.past) < 301
    for _ in go_on(kept):
        pass
    config = RunConfig("stable-sgd", depth=4, epochs=300)
    assert same(kept.folder.read_model().tree, whole_tree(config))


def test_a_reset_of_a_kept_run_begins_anew(runs):
    kept = begin(runs / "begun", CONFIG, SOURCE)
    for _ in go_on(kept):
        pass
    app = page(folder="begun")
    app.button(key="reset").click().run()
    play_to_the_end(app)
    keep(app)
    assert same(RunFolder.open(runs / "begun").read_model().tree, whole_tree())


def test_a_run_is_left_again(runs):
    kept = begin(runs / "begun", CONFIG, SOURCE)
    for _ in go_on(kept):
        pass
    app = page(folder="begun")
    app.button(key="leave_folder").click().run()
    assert not app.exception
    assert app.selectbox(key="method")


@pytest.mark.parametrize("name", ["none", "../..", "/etc", "x" * 500, ""])
def test_a_link_to_no_run_gets_one_sentence(runs, name):
    (runs / "odd").mkdir()
    app = page(folder=name)
    assert not app.exception
    assert app.selectbox(key="method"), "the page as it usually is"
    for _ in range(2):  # and it stays there when the page is drawn again
        assert any("cannot be gone on with" in warning.value for warning in app.warning)
        app.run()


def test_a_question_is_answered_between_two_steps():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2))
    config = RunConfig("sgd", depth=4, epochs=100_000)
    runner = Runner(lambda: Trainer(config, X, (X[:, 0] > 0).astype(int)), np.inf, playing=True)
    try:
        while runner.look().state != "running":
            time.sleep(0.01)
        for _ in range(20):
            state = runner.ask(lambda trainer: trainer.state())
            again = Trainer.from_state(state, config, X, (X[:, 0] > 0).astype(int))
            again.step()
    finally:
        runner.close()


def test_a_question_before_the_run_has_begun_is_refused():
    begun = threading.Event()
    runner = Runner(lambda: begun.wait(30), np.inf)
    try:
        with pytest.raises(ValueError, match="has not begun"):
            runner.ask(lambda trainer: None)
    finally:
        runner.close()
        begun.set()
