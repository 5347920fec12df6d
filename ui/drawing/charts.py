"""Charts that do not move: data in, a Plotly figure out."""

from __future__ import annotations

import numpy as np

from ui.drawing.figure import Figure
from ui.drawing.theme import DARK, LIGHT, PERCENT
from ui.language.translate import _
from ui.shell.safe_text import in_figure


def confusion_figure(
    y: np.ndarray, guess: np.ndarray, class_names: tuple[str, ...], dark: bool
) -> Figure:
    """How often each class is taken for each other one.

    y, guess: int (n_samples,), true and predicted classes; dark: whether the page is dark.
    """
    colours = DARK if dark else LIGHT
    k = len(class_names)
    table = np.bincount(y * k + guess, minlength=k * k).reshape(k, k)
    share = table / np.maximum(table.sum(axis=1, keepdims=True), 1)
    figure = Figure().add_heatmap(
        z=share,
        text=table,
        texttemplate="%{text}" if k <= 15 else None,
        # Opaque: Plotly chooses black or white numbers by the colour of the cell alone.
        colorscale=[[0, colours.panel], [1, colours.accent]],
        zmin=0,
        zmax=1,
        xgap=1,
        ygap=1,
        colorbar={"title": _("share of row"), "tickformat": PERCENT, "thickness": 12},
        hovertemplate=_("%{text} of class %{y} predicted as %{x}<extra></extra>"),
    )
    # Positions, not names: Plotly would take the names of digits for numbers.
    ticks = {
        "showgrid": False,
        "tickmode": "array",
        "tickvals": list(range(k)),
        "ticktext": [in_figure(name) for name in class_names],
    }
    figure.update_layout(
        height=min(720, 150 + 34 * k),
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        xaxis={"title": _("predicted class"), **ticks},
        yaxis={"title": _("true class"), "autorange": "reversed", **ticks},
    )
    return figure


def errors_figure(y: np.ndarray, guess: np.ndarray, target_name: str, dark: bool) -> Figure:
    """What is predicted of every example, over what it is: a perfect tree is on the diagonal.

    y, guess: float (n_samples,), true and predicted numbers; dark: whether the page is dark.
    """
    guess = np.asarray(guess, dtype=np.float64).reshape(len(y))
    ends = [min(y.min(), guess.min()), max(y.max(), guess.max())]
    quiet, strong = "#6b7780" if dark else "#9aa5ad", (DARK if dark else LIGHT).accent
    figure = Figure()
    figure.add_scatter(
        x=ends, y=ends, mode="lines", line={"color": quiet, "width": 1}, hoverinfo="skip"
    )
    figure.add_scatter(
        x=y,
        y=guess,
        mode="markers",
        marker={"color": strong, "size": 6, "opacity": 0.55},
        customdata=guess - y,
        hovertemplate=_("%{x:.4~g}, predicted %{y:.4~g}: off by %{customdata:.3~g}<extra></extra>"),
    )
    name = in_figure(target_name)
    figure.update_layout(
        height=420,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        showlegend=False,
        xaxis={"title": _("true {name}", name=name), "zeroline": False},
        yaxis={"title": _("predicted {name}", name=name), "zeroline": False},
    )
    return figure
