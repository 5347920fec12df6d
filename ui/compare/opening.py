"""How the page opens data: at the depth at which they teach something, with a typical seed."""

from __future__ import annotations

from collections.abc import Container, Sequence

import streamlit as st

from ui.compare.link import OPENING_DEPTHS, USUAL, USUAL_DEPTH, USUALLY_SHOWN, read_comparison
from ui.compare.measured_races import (
    RIVALS,
    TEST_SHARE,
    MeasuredRace,
    measured_races,
    rival_text,
)
from ui.links.runs import run_text
from ui.widgets.data.picker import USUAL_DATA

OPENING_SIZE = 500
"""Rows that points are drawn with at first."""

COUNT = "compare_n"
"""The session's key of how many race."""

FOLLOWED = "compare_opening"
"""The session's key of the data whose depth and seed the page has taken, and these."""


def opening(name: str) -> tuple[int, int]:
    """Depth and seed at which data open.

    One seed may flatter a method. Of those that were measured it is the one whose accuracies lie
    nearest to their means over all seeds.
    """
    depth = OPENING_DEPTHS.get(name, USUAL_DEPTH)
    race = measured_races().get((name, OPENING_SIZE, depth))
    shown = [run_text(config, leave_out=("depth",)) for config in USUAL[:USUALLY_SHOWN]]
    return depth, race.typical_seed(shown) if race else 0


def follow_data(said: Container[str] = ()) -> None:
    """Take the depth and the seed of the data that are chosen now.

    What a visitor has chosen stays, and so does the seed of another page.

    said: keys of the session's state that a link has just set.
    """
    state = st.session_state
    name = state.get("dataset", USUAL_DATA)
    before = state.get(FOLLOWED)
    if before is not None and before[0] == name:
        return
    now = dict(zip(("compare_depth", "seed"), opening(name), strict=True))
    for key, value in now.items():
        untouched = before is not None and state.get(key) == before[1][key]
        if key not in said and COUNT not in said and (key not in state or untouched):
            state[key] = value
    state[FOLLOWED] = (name, now)


def open_race(race: MeasuredRace, runs: Sequence[str] = RIVALS) -> None:
    """Have the page show some runs of a measured race, with a seed that is typical of them."""
    params = {
        "data": [race.data],
        "size": [f"{race.size}"],
        "test": [f"{TEST_SHARE}"],
        "seed": [f"{race.typical_seed(runs)}"],
        "depth": [f"{race.depth}"],
        "clock": ["share"],
        "run": [rival_text(race.data, name) for name in runs],
    }
    if race.noise is not None:
        params["noise"] = [f"{round(100 * race.noise)}"]
    st.session_state.update(read_comparison(params).state)
    follow_data((COUNT,))
