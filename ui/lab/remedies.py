"""What holds a run back, why, and one click that mends it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from treecore import Event, RunConfig
from ui.jobs.chosen_data import ChosenData
from ui.jobs.diagnosis import diagnose
from ui.lab.learners import take_settings
from ui.live.comparison import NUMERALS


def remedy(
    number: int,
    config: RunConfig,
    history: Sequence[Event],
    data: ChosenData,
    then: Callable[[], None],
    alone: bool = False,
) -> None:
    """A line for a run that has not learnt; a click changes its settings, then calls ``then``."""
    found = diagnose(tuple(history), config, data.train.n_features)
    if found is None or ("depth" in found.change and not alone):
        return
    who = "" if alone else f"**{NUMERALS[number]}**: "
    key = f"remedy_{NUMERALS[number]}"
    with st.container(key=key, horizontal=True, vertical_alignment="center"):
        st.markdown(f":small[{who}{found.sentence}]", width="stretch")
        st.button(
            found.offer,
            key=f"mend_{NUMERALS[number]}",
            on_click=_begin_again,
            args=(number, config.method, found.change, then),
        )


def _begin_again(
    number: int, method: str, change: Mapping[str, Any], then: Callable[[], None]
) -> None:
    take_settings(method, change, number)
    then()
