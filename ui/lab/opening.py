"""How the Lab opens data: with a limit at which they teach something, and a typical seed."""

from __future__ import annotations

from collections.abc import Container

import streamlit as st

from ui.lab.draws import all_draws, learner_text
from ui.lab.link import OPENING_LEAVES, USUAL, USUAL_BUDGET, USUALLY_SHOWN
from ui.widgets.data.picker import FILES, USUAL_DATA, USUAL_SIZE, sample

COUNT = "lab_n"
"""The session's key of how many learners there are."""

FOLLOWED = "lab_opening"
"""The session's key of the data whose limit and seed the page has taken, and these."""


def opening(name: str) -> tuple[int, int]:
    """Limit in leaves and seed with which data open: the most typical seed of all draws."""
    leaves = OPENING_LEAVES.get(name, USUAL_BUDGET)
    size = sample(name).n_samples if name in FILES else USUAL_SIZE
    draws = all_draws().get((name, size, leaves))
    shown = [learner_text(config) for config in USUAL[:USUALLY_SHOWN]]
    known = draws is not None and all(text in draws.runs for text in shown)
    return leaves, draws.typical_seed(shown) if draws and known else 0


def follow_data(said: Container[str] = ()) -> None:
    """Take limit and seed of the data chosen now, but for what a visitor or a link has set."""
    state = st.session_state
    name = state.get("dataset", USUAL_DATA)
    before = state.get(FOLLOWED)
    if before is not None and before[0] == name:
        return
    now = dict(zip(("lab_most", "seed"), opening(name), strict=True))
    for key, value in now.items():
        untouched = before is not None and state.get(key) == before[1][key]
        if key not in said and COUNT not in said and (key not in state or untouched):
            state[key] = value
    state[FOLLOWED] = (name, now)
