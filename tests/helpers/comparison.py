"""The Lab in Streamlit's own harness, and what its charts and its table say."""

from tests.helpers import harness
from tests.helpers.harness import command, news, places, run_until
from ui.lab.several import FIGURES
from ui.live.comparison_sources import BOARD, STRIP


def opened(**query):
    return harness.opened("lab", **query)


def board(app):
    """What the table and the charts say."""
    return _overlay(app, FIGURES)[0] | {"charts": charts(app)[0]["charts"]}


def column(told, title):
    """What a column of the table says of each run."""
    place = [one["title"] for one in told["columns"]].index(title)
    return [row[place]["text"] for row in told["rows"]]


def charts(app):
    return _overlay(app, BOARD)


def _overlay(app, view):
    (place,) = [place for place in places(app, "overlay") if place["view"] == view]
    return news(place)


def views(app, component):
    """Meta and arrays of the runs that components of this name show."""
    return [news(place) for place in places(app, component)]


def reached(app, state):
    run_until(app, lambda: board(app)["state"] == state, f"for a comparison that is {state}")
    return board(app)


def play(app):
    reached(app, "paused")
    app.segmented_control(key="speed").set_value("Unlimited")
    command(app, "play", STRIP)
    return reached(app, "finished")
