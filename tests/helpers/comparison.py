"""The page Compare in Streamlit's own harness, and what its board says."""

from __future__ import annotations

from tests.helpers import harness
from tests.helpers.harness import command, news, places, run_until
from ui.live.comparison_sources import BOARD, STRIP


def opened(**query):
    return harness.opened("compare", **query)


def board(app):
    return charts(app)[0]


def charts(app):
    (place,) = [place for place in places(app, "overlay") if place["view"] == BOARD]
    return news(place)


def views(app, component):
    """Meta and arrays of the runs that components of this name show."""
    return [news(place) for place in places(app, component)]


def reached(app, state):
    run_until(app, lambda: board(app)["state"] == state, f"for a comparison that is {state}")
    return board(app)


def play(app):
    reached(app, "paused")
    app.segmented_control(key="compare_speed").set_value("Unlimited")
    command(app, "play", STRIP)
    return reached(app, "finished")
