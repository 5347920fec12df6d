"""The first page: a real run in a loop, and doors that lead somewhere."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from tests.helpers import harness
from tests.helpers.harness import run
from tests.helpers.wait import until
from treecore import Trainer, predict
from treecore.data.dataset import split
from treecore.data.generators import generate
from treecore.viewer.messages.wire import unpack
from ui.home.recording import CONFIG, DATA, FRAMES, Recording
from ui.shell.router import PAGES, page_file


@pytest.fixture(scope="module")
def recorded():
    """The recording, once its run has ended."""
    recording = Recording()
    until(lambda: recording.picture().ready, "for the end of the run")
    return unpack(recording.picture().payload)


def test_the_points_are_there_before_the_run(monkeypatch):
    compiled = threading.Event()
    monkeypatch.setattr("ui.jobs.training_job.warm_up", lambda tell: compiled.wait())
    recording = Recording()
    try:
        assert not recording.picture().ready
        meta, arrays = unpack(recording.picture().payload)
        assert meta["frames"] == []
        assert len(arrays["points"]) == len(arrays["label"]) == 375
    finally:
        recording.close()
        compiled.set()


def test_every_frame_is_a_tree_of_the_run(recorded):
    meta, _arrays = recorded
    assert 100 <= len(meta["frames"]) <= FRAMES
    epochs = [frame["epoch"] for frame in meta["frames"]]
    assert epochs == sorted(epochs)
    assert epochs[0] == 0
    assert epochs[-1] == 100
    active = [frame["active"] for frame in meta["frames"]]
    assert active[0] > active[-1] > 1


def test_the_last_frame_is_the_tree_that_the_core_learns(recorded):
    meta, arrays = recorded
    name, noise, size, share, seed = DATA
    train, _ = split(generate(name, size, noise, seed), share / 100, seed)
    trainer = Trainer(CONFIG, train.X, train.y, n_classes=2)
    tree = trainer.run()
    # The picture's own way down the lines, as the browser goes it.
    last = len(meta["frames"]) - 1
    lines, children = arrays[f"f{last}.split"].astype(np.float64), arrays["children"]
    guess = []
    for x in arrays["points"].astype(np.float64):
        node = 0
        while node >= 0:
            w1, w2, b = lines[node]
            node = children[node, int(w1 * x[0] + w2 * x[1] > b)]
        guess.append(arrays[f"f{last}.leaf"][~node])
    assert np.mean(np.array(guess) == predict(tree, train.X)) > 0.995, "up to rounded ties"
    assert meta["frames"][-1]["accuracy"] == np.mean(predict(tree, train.X) == train.y)
    assert meta["frames"][-1]["accuracy"] > 0.95, "something to look at"


def test_the_page_opens_with_its_doors():
    app = harness.opened("home")
    assert app.title[0].value == "Watch trees learn"
    (view,) = [v for v in app.get("bidi_component") if v.proto.component_name == "treecore.home"]
    assert view.proto.component_name == "treecore.home"
    labels = " ".join(link.proto.label for link in app.get("page_link"))
    for title, _ in list(PAGES.values())[1:]:
        assert title in labels


def test_a_page_never_waits_for_the_kernels(monkeypatch):
    """While they are compiled the page has its points, and says what is under way."""
    compiled = threading.Event()

    def slow(tell):
        tell("Compiling kernel 1 of 9")
        compiled.wait()  # for ever, to a page that waited

    monkeypatch.setattr("ui.jobs.training_job.warm_up", slow)
    try:
        app = harness.opened("home")
        (place,) = harness.places(app, "home")
        meta, arrays = harness.news(place)
        assert meta["frames"] == []
        assert len(arrays["points"]) == 375
        until(
            lambda: harness.news(place)[0]["message"] == "Compiling kernel 1 of 9",
            "for a word on it",
        )
    finally:
        compiled.set()


def test_the_order_of_pages():
    titles = [title for title, _ in PAGES.values()]
    assert titles[:5] == ["Home", "Learn", "Train", "Compare", "Forests"]
    assert all(Path(page_file(name)).exists() for name in PAGES)


def test_what_is_said_of_python_is_the_readme():
    app = harness.opened("home")
    app.session_state["home_in_python"] = True  # the expander is opened
    run(app)
    reported = next(m.value for m in app.markdown if "SGDTreeClassifier(" in m.value)
    assert "from treecore import RunConfig, Trainer, predict" in reported
    assert "](treecore" not in reported, "links to files would lead nowhere"
    assert "## What it measures" not in reported


def test_a_link_with_unknown_words_is_told_in_one_line():
    app = harness.opened("home", colour="blue", depth="7")
    (reported,) = app.warning
    assert "colour" in reported.value
    assert "depth" in reported.value
    run(app)
    assert len(app.warning) == 1, "until another link comes"
