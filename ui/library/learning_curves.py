"""Curves of a run whose tree is not drawn, and of several runs laid over one another."""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

import streamlit as st
from plotly.graph_objects import Figure

from treecore import Event
from treecore.training import METHODS
from ui.drawing.on_page import show
from ui.drawing.theme import PERCENT, dress, paint
from ui.language.translate import N_, _

CURVES_BY = {"passes": N_("Epochs"), "seconds": N_("Seconds")}
"""What curves are drawn over."""

DASHES = ("solid", "dash", "dot", "dashdot")

Line = tuple[str, list[float], list[float | None], str, str]
"""Its name, x, y, colour and dash."""


def curves(history: Sequence[Event], numbers: bool, key: str) -> None:
    """Loss, what is right, and active leaves of one run, side by side over the passes."""
    colours, unit, good = paint(), METHODS[history[-1].stage].unit, "r2" if numbers else "accuracy"

    def line(name: str, field: str, colour: str = colours.text, dash: str = "solid") -> Line:
        values = [getattr(event, field) for event in history]
        return name, [event.done for event in history], values, colour, dash

    def pair(field: str) -> list[Line]:
        held = line(_("test"), f"validation_{field}", dash="dash")
        return [line(_("training"), field), held]

    share = "R²" if numbers else _("Accuracy")
    charts = {
        _("Loss"): [line(_("bound"), "bound", colours.accent), *pair("loss")],
        share: pair(good),
        _("Active leaves"): [line(_("active"), "active_leaves")],
    }
    _show(
        charts,
        {"title": _(unit)},
        key,
        lambda title: _(
            "{title} over the run, {history} trees.", title=title, history=len(history)
        ),
        share,
        alone=True,
    )


def overlaid(
    runs: Mapping[str, Sequence[Event]], lines: Sequence[str], numbers: bool, by: str, key: str
) -> None:
    """The same of several runs in one chart each, with their colours; by: of CURVES_BY."""
    good = "r2" if numbers else "accuracy"
    share = _("{value}, test", value="R²" if numbers else _("Accuracy"))
    fields = {
        _("Loss, training"): ("loss", "loss"),
        share: (f"validation_{good}", good),  # of the training rows where none were held out
        _("Active leaves"): ("active_leaves", "active_leaves"),
    }
    charts: dict[str, list[Line]] = {title: [] for title in fields}
    for (run, history), colour, dash in zip(runs.items(), lines, DASHES, strict=False):
        x = [event.done if by == "passes" else event.seconds for event in history]
        for title, (field, otherwise) in fields.items():
            values = [getattr(event, field) for event in history]
            if all(value is None for value in values):
                values = [getattr(event, otherwise) for event in history]
            charts[title].append((run, x, values, colour, dash))
    axis = {"title": _(CURVES_BY[by]), "type": "linear" if by == "passes" else "log"}
    names, over = ", ".join(runs), _(CURVES_BY[by])
    _show(
        charts,
        axis,
        key,
        lambda title: _("{title} of {runs}, by {by}.", title=title, runs=names, by=over),
        share,
    )


def _show(
    charts: Mapping[str, Sequence[Line]],
    axis: dict[str, Any],
    key: str,
    alt: Callable[[str], str],
    share: str,
    alone: bool = False,
) -> None:
    """Charts in a row, by their titles, ``share`` in per cent; what has no value is left out."""
    known = {
        title: [line for line in lines if any(value is not None for value in line[2])]
        for title, lines in charts.items()
    }
    shown = [(title, lines) for title, lines in known.items() if lines]
    for place, (title, lines) in zip(st.columns(3), shown, strict=False):
        figure, form = Figure(), ".1%" if title == share else ".4~g"
        for name, x, y, colour, dash in lines:
            figure.add_scatter(
                x=x,
                y=y,
                mode="lines" if len(x) > 2 else "lines+markers",
                name=name,
                line={"color": colour, "width": 2, "dash": dash},
                hovertemplate=f"%{{y:{form}}}, %{{x:.4~g}}<extra>{escape(name)}</extra>",
            )
        dress(figure, paint(), 260)
        figure.update_layout(showlegend=alone and len(lines) > 1)
        figure.update_xaxes(**axis)
        ticks = PERCENT if title == share else ""
        figure.update_yaxes(rangemode="tozero" if alone else "normal", tickformat=ticks)
        with place:
            st.markdown(f"**{title}**")
            show(figure, f"{key}_{title}", alt(title))
