"""The page Compare in Streamlit's own harness, and what its board says."""

from __future__ import annotations

from tests.helpers import harness
from tests.helpers.harness import press, run_until, sent


def opened(**query):
    return harness.opened("compare", **query)


def board(app):
    (meta,) = [m for m, _ in sent(app, "overlay") if "table" in m["parts"]]
    return meta


def charts(app):
    ((meta, arrays),) = [(m, a) for m, a in sent(app, "overlay") if "charts" in m["parts"]]
    return meta, arrays


def reached(app, state):
    run_until(app, lambda: board(app)["state"] == state, f"for a comparison that is {state}")
    return board(app)


def play(app):
    reached(app, "paused")
    app.segmented_control(key="compare_speed").set_value("Unlimited")
    press(app, "compare_play")
    return reached(app, "finished")
