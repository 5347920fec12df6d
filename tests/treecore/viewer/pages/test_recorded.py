"""A recording is what a live view would have been told, and its page holds any names."""

import base64
import dataclasses
import re
import zlib

import numpy as np
import pytest

from treecore import RunConfig, Trainer, apply
from treecore.data.generators import generate
from treecore.viewer.messages.wire import unpack
from treecore.viewer.pages.page import page_html
from treecore.viewer.pages.recorded import FRAMES, SHOWN, record

HOSTILE = '</script><script>alert(1)</script>\ud800&"'


def spirals(n=120):
    return generate("spirals", n, 0.1, 0)


def recorded(config, train, **more):
    trainer = Trainer(config, train.X, train.y, validation=None, n_classes=train.n_classes or None)
    return record(trainer, train, **more), trainer


@pytest.fixture(scope="module")
def run():
    return recorded(RunConfig("sgd", depth=3, epochs=30, seed=1), spirals())


def test_messages_follow_each_other_as_a_view_takes_them(run):
    found, _ = run
    messages = [unpack(one) for one in found.messages]
    assert 1 < len(messages) <= SHOWN
    assert "v" in messages[0][0]
    assert not any("v" in meta for meta, _ in messages[1:])
    numbers = [entry["n"] for meta, _ in messages for entry in meta["frames"]]
    assert numbers == list(range(len(numbers)))
    assert 20 < len(numbers) <= FRAMES
    kept = 0
    for meta, arrays in messages:  # points of the curves follow those that are kept
        assert meta["curves"] in (0, kept)
        kept = meta["curves"] + len(arrays["curves"])
        assert "weights" in arrays
    epochs = [entry["epoch"] for meta, _ in messages for entry in meta["frames"]]
    assert epochs == sorted(epochs)
    assert (epochs[0], epochs[-1]) == (0.0, 30.0)
    states = [meta["state"] for meta, _ in messages]
    assert states == ["running"] * (len(messages) - 1) + ["finished"]


def test_the_last_tree_is_the_one_that_was_learnt(run):
    found, trainer = run
    meta, arrays = unpack(found.messages[-1])
    last = len(meta["frames"]) - 1
    train = spirals()
    np.testing.assert_array_equal(
        arrays[f"f{last}.at"], apply(trainer.model, train.X.astype(np.float32))
    )
    assert found.facts[0] == "seed 1"
    assert found.facts[1].startswith("training accuracy ")


def test_a_run_can_be_recorded_up_to_a_pass():
    found, trainer = recorded(RunConfig("sgd", depth=2, epochs=30), spirals(), until=4)
    meta, _ = unpack(found.messages[-1])
    assert meta["state"] == "paused"
    assert meta["frames"][-1]["epoch"] == pytest.approx(4, abs=0.2)
    assert not trainer.finished


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (RunConfig("bagging", n_trees=2), "learns no single tree"),
        (RunConfig("sgd", depth=2, kernel="fourier"), "a kernel, which have no map"),
    ],
)
def test_what_has_no_map_is_refused_in_a_sentence(config, said):
    with pytest.raises(ValueError, match=said):
        recorded(config, spirals())


def test_names_from_a_file_are_text_in_the_page():
    train = spirals()
    hostile = dataclasses.replace(
        train, name=HOSTILE, feature_names=(HOSTILE, "b"), class_names=(HOSTILE, "<b>")
    )
    found, _ = recorded(RunConfig("axis", depth=2), hostile)
    page = page_html(HOSTILE, [found])
    assert "alert(1)</script>" not in page
    assert page.count("<script") == page.count("</script>") == 2
    assert "&lt;/script&gt;" in page
    assert page.encode()  # nothing in it that no file can hold
    own, _ = recorded(RunConfig("axis", depth=2), dataclasses.replace(train, name="own.csv"))
    assert "<h1>own.csv, Greedy axis-aligned</h1>" in page_html("", [own])


def test_a_page_holds_the_messages_as_they_are(run):
    found, _ = run
    page = page_html("two", [found, found])
    held = re.findall(r'<script type="text/plain">([^<]+)</script>', page)
    assert len(held) == 2
    content = zlib.decompress(base64.b64decode(held[0]))
    assert content == b"".join(len(one).to_bytes(4, "little") + one for one in found.messages)
    assert not re.search(r'(?:src|href)="(?!data:)', page)


def test_a_text_alone_is_a_page_without_scripts():
    page = page_html("none", [], before="<h1>A lesson</h1>")
    assert "<h1>A lesson</h1>" in page
    assert "<script" not in page
    assert 'id="unseen"' not in page
    with pytest.raises(ValueError, match="needs a run or a text"):
        page_html("none", [])
