"""Curves of a run whose tree cannot be drawn, or that has none yet, as it is at work."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st

from treecore import Event
from treecore.training.registry import METHODS
from ui.drawing.theme import Paint, dress, paint, show

HEIGHT = 260


def curves(history: Sequence[Event], numbers: bool, key: str) -> None:
    """Loss, what is right, and active leaves, side by side over the passes."""
    colours, unit = paint(), METHODS[history[-1].stage].unit
    good = "r2" if numbers else "accuracy"
    charts = (
        ("Loss", (("bound", "bound"), ("loss", "training"), ("validation_loss", "held out"))),
        (
            "R²" if numbers else "Accuracy",
            ((good, "training"), (f"validation_{good}", "held out")),
        ),
        ("Active leaves", (("active_leaves", "active"),)),
    )
    for place, (title, names) in zip(st.columns(3), charts, strict=True):
        with place:
            st.markdown(f"**{title}**")
            show(
                _figure(history, names, unit, colours),
                f"{key}_{title}",
                f"{title} over the run, {len(history)} trees.",
            )


def _figure(history: Sequence[Event], names, unit: str, colours: Paint) -> go.Figure:
    figure = go.Figure()
    looks = {
        "bound": (colours.accent, "solid"),
        "held out": (colours.text, "dash"),
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
            name=title,
            line={"color": colour, "width": 1.8, "dash": dash},
            hovertemplate=f"{title} %{{y:.4~g}} at {unit} %{{x:.4~g}}<extra></extra>",
        )
    dress(figure, colours, HEIGHT)
    figure.update_layout(showlegend=len(names) > 1)
    figure.update_xaxes(title=f"{unit}s")
    figure.update_yaxes(rangemode="tozero")
    return figure
