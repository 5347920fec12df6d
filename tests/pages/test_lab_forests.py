"""The Lab with forests among its learners, in Streamlit's own test harness."""

from __future__ import annotations

import pytest

from tests.helpers.comparison import board, opened, play, reached, views
from tests.helpers.harness import keys, press, run, showing
from treecore import RunConfig
from ui.lab.link import COMPARED

FORESTS = ("random-forest~n_trees~6", "boosted-cart~n_trees~5", "hinge-forest~trees~5~batches~300")


def test_a_tree_stands_beside_forests_on_one_clock():
    app = opened(data="spirals", size="150", depth="3", run=["axis", *FORESTS[:2]])
    reached(app, "paused")
    assert not app.warning
    rows = play(app)["rows"]
    assert [row[0]["text"].split(" · ")[1] for row in rows] == [
        "Greedy axis-aligned",
        "Random forest",
        "Boosted CART",
    ]
    columns = [column["title"] for column in board(app)["columns"]]
    cells = {name: [row[j]["text"] for row in rows] for j, name in enumerate(columns)}
    assert all(text.endswith("%") for text in cells["Test accuracy"])
    assert [text == "–" for text in cells["Log loss"]] == [False, False, True]
    assert all(int(text) > 0 for text in cells["Splits"])
    assert len(views(app, "live_flat")) == 1, "the live view draws the tree alone"
    pictures = [meta["image"] for meta, _ in views(app, "picture")]
    assert len(pictures) == 2
    assert all(picture.startswith("data:image/svg+xml") for picture in pictures)
    assert app.query_params["run"] == ["axis", *FORESTS[:2]]


@pytest.mark.parametrize("runs", [FORESTS[:1], FORESTS[:2]])
def test_forests_need_no_tree_beside_them(runs):
    app = opened(data="moons", run=list(runs))
    assert len(play(app)["rows"]) == len(runs)
    assert "spread" in keys(press(app, "spread"), "button")


def test_every_clock_shows_forests():
    app = opened(data="spirals", size="100", depth="2", clock="loss", run=["axis", FORESTS[2]])
    assert play(app)["hand"]["share"] == pytest.approx(1.0)
    for clock in ("time", "values", "share"):
        showing(app.selectbox, "lab_clock").set_value(clock)
        run(app)
        assert board(app)["hand"]["share"] == pytest.approx(1.0), clock


def test_what_may_be_compared_has_a_depth():
    for name in COMPARED:
        assert "depth" in RunConfig(name).as_dict()


def test_of_numbers_only_what_learns_them_is_offered():
    app = opened(data="hill", size="100", run=["axis", "random-forest~n_trees~3"])
    rows = play(app)["rows"]
    assert len(rows) == 2
    offered = showing(app.selectbox, "lab0_method").options
    assert "Random forest" in offered
    assert "Boosted CART" not in offered
