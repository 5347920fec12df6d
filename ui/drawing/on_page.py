"""Figures on the page, each with a table of its numbers."""

import re

import streamlit as st
from plotly.graph_objects import Figure

from ui.drawing.figure_table import table_html
from ui.language.translate import separators

LOCALES = {"en-US": {"format": {"currency": ["", "\N{NO-BREAK SPACE}%"]}}}
"""What Plotly writes before and behind amounts of a currency, for its configuration. Behind a share
it always writes the bare sign: so shares are sent as amounts, and are 74 % as elsewhere."""

_SHARE = re.compile(r"(?<=:)(?=\.?[\d~]*[%p]\})")
"""Where the format of a share begins, in what the pointer is told."""


def show(figure: Figure, key: str, alt: str, **more):
    """A figure on the page, without a tool bar, and its table for keyboards and screen readers."""
    config = {"displayModeBar": False, "scrollZoom": False, "locales": LOCALES}
    figure.layout.separators = separators()
    for trace in figure.data:
        if trace.hovertemplate:
            trace.hovertemplate = _SHARE.sub("$", trace.hovertemplate)
    chosen = st.plotly_chart(figure, key=key, width="stretch", config=config, alt=alt, **more)
    if table := table_html(figure, alt):
        st.html(table)
    return chosen


def picked(key: str) -> int:
    """The number that the clicked point of a figure carries with it, -1 for none."""
    points = st.session_state[key].selection.points
    clicked = points[0].get("customdata", -1) if points else -1
    if isinstance(clicked, dict):  # as Streamlit gives a row of an array
        clicked = clicked["0"]
    return int(clicked[0] if isinstance(clicked, list | tuple) else clicked)
