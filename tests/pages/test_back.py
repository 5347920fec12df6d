"""Going back: an address of before brings back all that its page showed."""

import pytest

from tests.helpers import harness
from ui.links import visit as visits

PAGES = {
    "lab": {
        "data": "iris",
        "seed": "5",
        "test": "40",
        "fair": "leaves",
        "most": "8",
        "run": "stable-sgd~nu~7.0",
        "plane": "features",
        "across": "3",
        "regions": "loss",
        "layers": "margins",
        "weights": "balanced",
        "hide": "map",
        "slow": "1",
        "at": "5",
    },
    "inspect": {"data": "iris", "method": "oc1", "depth": "3", "rows": "training", "node": "-3"},
    "learn": {"lesson": "4", "seed": "3"},
    "library": {"tab": "Sweeps"},
}
"""For every page a link that is anything but usual."""


@pytest.mark.parametrize("page", PAGES)
def test_both_ways_through_the_history_all_is_as_it_was(page, monkeypatch):
    app = harness.opened(page)
    usual = harness.link(app)
    go(app, PAGES[page])
    assert not app.warning, app.warning[0].value
    other = harness.link(app)
    assert other != usual
    assert PAGES[page].items() <= other.items()
    monkeypatch.setattr(visits, "went_through_history", lambda: True)
    for before in (usual, other, usual):
        go(app, before)
        assert harness.link(app) == before
        assert not app.warning


def test_numbers_leave_no_loss_behind(monkeypatch):
    app = harness.one_tree()
    usual = harness.link(app)
    go(app, {"data": "hill", "loss": "huber"})
    assert harness.link(app)["loss"] == "huber"
    monkeypatch.setattr(visits, "went_through_history", lambda: True)
    go(app, usual)
    assert harness.link(app) == usual


def go(app, params):
    app.query_params = dict(params)
    harness.run(app)
    harness.run(app)  # as the page does of itself, once it is drawn
