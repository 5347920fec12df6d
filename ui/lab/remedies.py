"""What holds runs of a comparison back, why, and one click that mends it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.jobs.chosen_data import ChosenData
from ui.jobs.diagnosis import diagnose
from ui.lab.link import place
from ui.live.comparison import Comparison
from ui.widgets.data_defaults import usual_settings
from ui.widgets.method_settings import widget_key


def remedies(comparison: Comparison, data: ChosenData) -> None:
    """A line for every finished run that has not learnt; a depth is not its own to change."""
    for number, one in enumerate(comparison.contestants):
        history = one.runner.look().history if one.is_tree else ()
        if not history or history[-1].progress < 1:
            continue
        usual = usual_settings(str(data.key[0]), one.config.method)
        found = diagnose(history, one.config, usual, data.train.n_features)
        if found is None or "depth" in found.change:
            continue
        key = f"remedy_{one.numeral}"
        with st.container(key=key, horizontal=True, vertical_alignment="center"):
            st.markdown(f":small[**{one.numeral}**: {found.sentence}]", width="stretch")
            st.button(
                found.offer,
                key=f"mend_{one.numeral}",
                on_click=_begin_again,
                args=(comparison, number, found.change),
            )


def _begin_again(comparison: Comparison, number: int, change: dict[str, Any]) -> None:
    """Change settings of one contestant; the page's next run plays the new comparison."""
    method = comparison.contestants[number].config.method
    for name, value in change.items():
        st.session_state[widget_key(method, name, place(number))] = value
    comparison.play()
