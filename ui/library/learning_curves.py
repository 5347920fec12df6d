"""Curves of a run whose tree is not drawn, and of several runs laid over one another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from treecore import Event
from treecore.training.registry import METHODS
from ui.drawing.figure import Figure
from ui.drawing.theme import Paint, dress, paint, show
from ui.language.translate import N_, _

HEIGHT = 260

CURVES_BY = {"passes": N_("Passes"), "seconds": N_("Seconds")}
"""What curves are drawn over."""

BOUND, TRAINING, HELD_OUT, ACTIVE = N_("bound"), N_("training"), N_("held out"), N_("active")


def curves(history: Sequence[Event], numbers: bool, key: str) -> None:
    """Loss, what is right, and active leaves, side by side over the passes."""
    colours, unit = paint(), METHODS[history[-1].stage].unit
    good = "r2" if numbers else "accuracy"
    charts = (
        (_("Loss"), (("bound", BOUND), ("loss", TRAINING), ("validation_loss", HELD_OUT))),
        (
            "R²" if numbers else _("Accuracy"),
            ((good, TRAINING), (f"validation_{good}", HELD_OUT)),
        ),
        (_("Active leaves"), (("active_leaves", ACTIVE),)),
    )
    for place, (title, names) in zip(st.columns(3), charts, strict=True):
        with place:
            st.markdown(f"**{title}**")
            show(
                _figure(history, names, unit, colours),
                f"{key}_{title}",
                _("{title} over the run, {history} trees.", title=title, history=len(history)),
            )


def overlaid(
    runs: Mapping[str, Sequence[Event]],
    lines: Sequence[str],
    numbers: bool,
    by: str,
    key: str,
) -> None:
    """The same figure of several runs in one chart: loss, what is right, and active leaves.

    runs: at most as many as there are :data:`DASHES`, by name; lines: their colours; numbers:
    whether they predict numbers; by: one of :data:`CURVES_BY`.
    """
    good = "r2" if numbers else "accuracy"
    charts = (
        (_("Loss, training"), "loss", "loss"),
        (
            _("{value}, held out", value="R²" if numbers else _("Accuracy")),
            f"validation_{good}",
            good,
        ),
        (_("Active leaves"), "active_leaves", "active_leaves"),
    )
    colours = paint()
    for place, (title, name, otherwise) in zip(st.columns(3), charts, strict=True):
        with place:
            st.markdown(f"**{title}**")
            figure = Figure()
            for i, (run, history) in enumerate(runs.items()):
                figure.add_scatter(
                    x=[event.done if by == "passes" else event.seconds for event in history],
                    y=[_figure_of(event, name, otherwise) for event in history],
                    mode="lines" if len(history) > 2 else "lines+markers",
                    name=run,
                    line={"color": lines[i], "width": 2, "dash": DASHES[i]},
                    hovertemplate=f"%{{y:.4~g}}, %{{x:.4~g}}<extra>{escape(run)}</extra>",
                )
            dress(figure, colours, HEIGHT)
            figure.update_layout(showlegend=False)
            figure.update_xaxes(title=_(CURVES_BY[by]), type="linear" if by == "passes" else "log")
            show(
                figure,
                f"{key}_{title}",
                _(
                    "{title} of {runs}, by {by}.",
                    title=title,
                    runs=", ".join(runs),
                    by=_(CURVES_BY[by]),
                ),
            )


DASHES = ("solid", "dash", "dot", "dashdot")


def _figure_of(event: Event, name: str, otherwise: str) -> float | None:
    """A figure of the held-out rows, or of the training rows where none were held out."""
    value = getattr(event, name)
    return getattr(event, otherwise) if value is None else value


def _figure(history: Sequence[Event], names, unit: str, colours: Paint) -> Figure:
    figure = Figure()
    looks = {
        BOUND: (colours.accent, "solid"),
        HELD_OUT: (colours.text, "dash"),
    }
    for name, title in names:
        values = [getattr(event, name) for event in history]
        if all(value is None for value in values):
            continue
        colour, dash = looks.get(title, (colours.text, "solid"))
        figure.add_scatter(
            x=[event.done for event in history],
            y=values,
            mode="lines",
            name=_(title),
            line={"color": colour, "width": 1.8, "dash": dash},
            hovertemplate=f"{_(title)} %{{y:.4~g}}, {_(unit)} %{{x:.4~g}}<extra></extra>",
        )
    dress(figure, colours, HEIGHT)
    figure.update_layout(showlegend=len(names) > 1)
    figure.update_xaxes(title=_(unit))
    figure.update_yaxes(rangemode="tozero")
    return figure
