"""Colours and manners that the figures of the page *One step* share.

The colours are those of the live view (``ui/live/js/app/theme.js``): a class looks the same
everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
import streamlit as st

LINES = (
    ("#0072b2", "#56b4e9"),
    ("#c44e00", "#ff9a4d"),
    ("#00805d", "#2fd6a3"),
    ("#9c4a86", "#e3a2c9"),
)
"""Colours of the contestants' curves, on a light and on a dark page; see
``live/js/charts/overlay.js``."""

_LIGHT = ("#065e96", "#d97e21", "#319765", "#c76fa9", "#09bdee")
_LIGHT += ("#bbb164", "#886bdc", "#5a1d00", "#c8333c", "#2b3431")
_DARK = ("#499ed2", "#ffa050", "#1fd8a4", "#e3a2c9", "#ace7ff")
_DARK += ("#fcef93", "#9690ff", "#947610", "#f36661", "#79787b")

# Numbers from least to most: cividis, which colour-blind people read as everybody does (Nunez et
# al. 2018), and as ``ui/live/js/map/lenses.js`` has it.
_RAMP_LIGHT = ("#00224e", "#35456c", "#666970", "#948e77", "#c8b866", "#fee838")
_RAMP_DARK = ("#1d3f7a", "#46598a", "#71758a", "#9c9680", "#cdbd6c", "#fee838")

SYMBOLS = ("circle", "square", "triangle-up", "diamond", "triangle-down")
SYMBOLS += ("pentagon", "triangle-right", "hexagon", "triangle-left", "star")
"""One marker a class: colour is not all that tells classes apart."""


@dataclass(frozen=True)
class Paint:
    """Colours for one theme, as Plotly reads them."""

    dark: bool
    back: str
    text: str
    muted: str
    faint: str
    accent: str
    plus: str
    minus: str
    classes: tuple[str, ...]
    ramp: tuple[str, ...]

    def of(self, label: int) -> str:
        """Colour of a class; they begin anew after ten."""
        return self.classes[label % len(self.classes)]


LIGHT = Paint(
    False, "#ffffff", "#1c2730", "#5f6b74", "#c3ccd3", "#0b6b9e", "#0b7f73", "#9a3d96", _LIGHT,
    _RAMP_LIGHT,
)  # fmt: skip
DARK = Paint(
    True, "#12181d", "#e6edf2", "#9daab4", "#3c4853", "#5db8e8", "#4cc7b6", "#d98fd6", _DARK,
    _RAMP_DARK,
)  # fmt: skip


def paint() -> Paint:
    """The colours of the visitor's theme."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def symbol(label: int) -> str:
    """The marker of a class."""
    return SYMBOLS[label % len(SYMBOLS)]


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, 0 to 255, of a colour as ``#rrggbb``."""
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def faded(colour: str, share: float) -> str:
    """A colour let through to this share."""
    r, g, b = rgb(colour)
    return f"rgba({r},{g},{b},{share:.2f})"


def dress(figure: go.Figure, colours: Paint, height: int, **layout) -> go.Figure:
    """Margins, transparent ground and quiet axes for a figure."""
    figure.update_layout(
        height=height,
        dragmode=False,  # a finger on a chart scrolls the page
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"color": colours.text, "size": 12},
        hoverlabel={"bgcolor": colours.back, "font": {"color": colours.text}},
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0, "traceorder": "normal"},
        **layout,
    )
    figure.update_xaxes(gridcolor=faded(colours.faint, 0.5), zerolinecolor=colours.faint)
    figure.update_yaxes(gridcolor=faded(colours.faint, 0.5), zerolinecolor=colours.faint)
    return figure


def show(figure: go.Figure, key: str, alt: str, **more):
    """A figure on the page, without Plotly's tool bar; ``alt`` says what it shows."""
    config = {"displayModeBar": False, "scrollZoom": False}
    return st.plotly_chart(figure, key=key, width="stretch", config=config, alt=alt, **more)


def picked(key: str) -> int:
    """The number that the clicked point of a figure carries with it, -1 for none."""
    points = st.session_state[key].selection.points
    told = points[0].get("customdata", -1) if points else -1
    return int(told[0] if isinstance(told, list | tuple) else told)


def number(value: float) -> str:
    """Three digits that mean something."""
    return "–" if value is None or not np.isfinite(value) else f"{float(value):.3g}"
