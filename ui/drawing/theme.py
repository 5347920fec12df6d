"""Colours and manners that figures share, out of the palette of :mod:`treecore.viewer.palette`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st
from plotly.graph_objects import Figure

from treecore.training import METHODS
from treecore.viewer import PALETTE

SYMBOLS: tuple[str, ...] = tuple(marker["symbol"] for marker in PALETTE["markers"])
"""One marker a class: colour is not all that tells classes apart."""


PERCENT = "$.3~p"
"""How Plotly writes shares on an axis, whatever its steps: no label comes twice; as amounts of the
currency of :mod:`ui.drawing.on_page`."""


@dataclass(frozen=True)
class Paint:
    """Colours for one theme, as Plotly reads them."""

    dark: bool
    back: str
    panel: str
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


def _paint(shade: str) -> Paint:
    # Numbers from least to most are cividis, which colour-blind people read as everybody does
    # (Nunez et al. 2018).
    return Paint(
        dark=shade == "dark",
        classes=tuple(PALETTE["classes"][shade]),
        ramp=tuple(PALETTE["ramps"]["number"][shade]),
        **PALETTE["page"][shade],
    )


LIGHT, DARK = _paint("light"), _paint("dark")


def paint() -> Paint:
    return DARK if st.context.theme.type == "dark" else LIGHT


def symbol(label: int) -> str:
    return SYMBOLS[label % len(SYMBOLS)]


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, 0 to 255, of a colour as ``#rrggbb``."""
    r, g, b = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return r, g, b


def faded(colour: str, share: float) -> str:
    r, g, b = rgb(colour)
    return f"rgba({r},{g},{b},{share:.2f})"


def dress(figure: Figure, colours: Paint, height: int, **layout) -> Figure:
    """Margins, transparent ground and quiet axes for a figure."""
    look = {
        "height": height,
        "dragmode": False,  # a finger on a chart scrolls the page
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": colours.text, "size": 14},
        "hoverlabel": {"bgcolor": colours.back, "font": {"color": colours.text}},
        "legend": {"orientation": "h", "yanchor": "bottom", "y": 1, "x": 0, "traceorder": "normal"},
    }
    for name, value in (look | layout).items():  # update_layout takes eight times as long
        figure.layout[name] = value
    figure.update_xaxes(gridcolor=faded(colours.faint, 0.5), zerolinecolor=colours.faint)
    figure.update_yaxes(gridcolor=faded(colours.faint, 0.5), zerolinecolor=colours.faint)
    return figure


def add_line(
    figure: Figure, x: Any, y: Any, colour: str, width: float = 2, dash: str = "solid", **more: Any
) -> None:
    """Add a line; an ornament, of which nothing is told, where it has no ``hovertemplate``."""
    line = {"color": colour, "width": width, "dash": dash, "shape": more.pop("shape", None)}
    figure.add_scatter(x=x, y=y, mode="lines", line=line, **_told(more))


def add_dots(figure: Figure, x: Any, y: Any, marker: dict[str, Any], **more: Any) -> None:
    """Add dots; ornaments, of which nothing is told, where they have no ``hovertemplate``."""
    figure.add_scatter(x=x, y=y, mode="markers", marker=marker, **_told(more))


def _told(properties: dict[str, Any]) -> dict[str, Any]:
    own = {} if "hovertemplate" in properties else {"hoverinfo": "skip", "showlegend": False}
    return own | properties


def colour_numbers(methods: Sequence[str]) -> list[int]:
    """Colours of runs drawn together: of their methods, another for who has an earlier run's."""
    own = [METHODS[name].colour for name in methods]
    last = len(PALETTE["methods"]["light"]) - 1
    free = (number for number in range(last, -1, -1) if number not in own)
    found: list[int] = []
    for number in own:
        found.append(next(free, number) if number in found else number)
    return found


def line_colour(number: int, dark: bool) -> str:
    return PALETTE["methods"]["dark" if dark else "light"][number]


def run_colours(methods: Sequence[str], dark: bool) -> list[str]:
    return [line_colour(number, dark) for number in colour_numbers(methods)]
