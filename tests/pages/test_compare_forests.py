"""The page Compare with forests among its contestants, in Streamlit's own test harness."""

from __future__ import annotations

import pytest

from tests.pages.test_compare import board, messages, opened, play, wait_for
from treecore import RunConfig, warm_up
from ui.compare_address import COMPARED

FORESTS = ("random-forest~n_trees~6", "boosted-cart~n_trees~5", "hinge-forest~trees~5~batches~300")


@pytest.fixture(scope="module", autouse=True)
def compiled():
    warm_up()
    warm_up(config=RunConfig("hinge-forest"))


def test_a_tree_stands_beside_forests_on_one_clock():
    app = opened(data="spirals", size="150", depth="3", run=["axis", *FORESTS])
    wait_for(app, "paused")
    assert not app.warning
    rows = play(app)["rows"]
    assert [row[0]["text"].split(" · ")[1] for row in rows] == [
        "Greedy axis-aligned",
        "Random forest",
        "Boosted CART",
        "Random hinge forest",
    ]
    columns = [column["title"] for column in board(app)["columns"]]
    cells = {name: [row[j]["text"] for row in rows] for j, name in enumerate(columns)}
    assert all(text.endswith("%") for text in cells["Test accuracy"])
    assert [text == "–" for text in cells["Log loss"]] == [False, False, True, False]
    assert all(int(text) > 0 for text in cells["Splits"])
    assert len(messages(app, "live_flat")) == 1, "the live view draws the tree alone"
    assert sum("data:image/svg+xml" in str(found.proto) for found in app.get("html")) == 3
    assert app.query_params["run"] == ["axis", *FORESTS]


@pytest.mark.parametrize("clock", ["time", "values", "loss", "share"])
def test_every_clock_shows_forests(clock):
    app = opened(data="spirals", size="100", depth="2", clock=clock, run=["axis", FORESTS[2]])
    meta = play(app)
    assert meta["hand"]["share"] == pytest.approx(1.0)


def test_what_may_be_compared_has_a_depth():
    for name in COMPARED:
        assert "depth" in RunConfig(name).as_dict()


def test_of_numbers_only_what_learns_them_is_offered():
    app = opened(data="hill", size="100", run=["axis", "random-forest~n_trees~3"])
    rows = play(app)["rows"]
    assert len(rows) == 2
    offered = app.selectbox(key="compare0_method").options
    assert "Random forest" in offered
    assert "Boosted CART" not in offered
