"""Figures on the page, each with a table of its numbers."""

from functools import cache
from typing import Any

import plotly.io as pio
import streamlit as st
from plotly.basedatatypes import BaseFigure

from ui.drawing.figure import LOCALES, Figure
from ui.drawing.figure_table import table_html
from ui.language.translate import separators


def show(figure: Figure, key: str, alt: str, **more):
    """A figure on the page, without a tool bar, and its table for keyboards and screen readers."""
    config = {"displayModeBar": False, "scrollZoom": False, "locales": LOCALES}
    sent = _AsItIs(figure)
    chosen = st.plotly_chart(sent, key=key, width="stretch", config=config, alt=alt, **more)
    if table := table_html(figure, alt):
        st.html(table)
    return chosen


class _AsItIs(BaseFigure):
    """A figure that Streamlit sends as it is: it makes anew what is not one of Plotly's own."""

    def __init__(self, figure: Figure):
        self._figure = figure

    def to_dict(self) -> dict[str, Any]:
        """What is sent, with Streamlit's template beneath it, whose colours the page replaces."""
        spec = self._figure.to_dict()
        own = {"template": _template(), "separators": separators()}
        return spec | {"layout": own | spec["layout"]}


@cache
def _template() -> dict[str, Any]:
    return pio.templates[pio.templates.default].to_plotly_json()


def picked(key: str) -> int:
    """The number that the clicked point of a figure carries with it, -1 for none."""
    points = st.session_state[key].selection.points
    clicked = points[0].get("customdata", -1) if points else -1
    if isinstance(clicked, dict):  # as Streamlit gives a row of an array
        clicked = clicked["0"]
    return int(clicked[0] if isinstance(clicked, list | tuple) else clicked)
