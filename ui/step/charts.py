"""Bars, curves and pictures of a step: numbers in, Plotly figures out."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st
from plotly.graph_objects import Figure
from plotly.subplots import make_subplots

from treecore.data import Dataset
from treecore.inspection import Candidate, Move, Search
from ui.drawing.on_page import show
from ui.drawing.target_style import Answers
from ui.drawing.theme import Paint, add_dots, add_line, dress, faded, paint
from ui.language.translate import _
from ui.shell.safe_text import in_figure

MOST_BARS = 16
"""Features shown as bars; more would not be told apart."""


def candidates_figure(table: list[Candidate], search: Search, unit: str, colours: Paint) -> Figure:
    """Every leaf's loss and penalty as bars, and v_j as a diamond, the greatest on top."""
    names = [_leaf_name(c, search) for c in table]
    places = list(range(len(table)))
    figure = Figure()
    sides = (
        ("loss", _("loss"), _("loss"), colours.minus, 1),
        ("penalty", _("penalty"), _("− penalty"), colours.plus, -1),
    )
    for kind, said, named, colour, sign in sides:
        figure.add_bar(
            y=places,
            x=[sign * float(getattr(c, kind)) for c in table],
            orientation="h",
            name=named,
            marker={
                "color": [faded(colour, 0.85 if c.allowed else 0.3) for c in table],
                "line": {"width": 0},
            },
            hovertemplate=f"{said} %{{x:.3f}}<extra></extra>",
        )
    look = {
        "symbol": "diamond",
        "size": [14 if c.leaf == search.g_leaf else 9 for c in table],
        "color": colours.text,
        "line": {"color": colours.back, "width": 1},
    }
    add_dots(
        figure,
        [float(c.value) for c in table],
        places,
        look,
        name=_("v = loss − penalty"),
        meta="values",
        hovertemplate="v = %{x:.3f}<extra></extra>",
    )
    figure.add_vline(x=float(search.bound), line={"color": colours.accent, "dash": "dot"})
    dress(figure, colours, 90 + 26 * len(table), barmode="relative")
    figure.update_yaxes(
        tickmode="array",
        tickvals=places,
        ticktext=names,
        range=[len(table) - 0.4, -0.6],
        showgrid=False,
    )
    top = max(float(c.loss) for c in table)
    low = max(-2.5 * top, min(float(c.value) for c in table), -1e6)
    figure.update_xaxes(title=unit, range=[1.08 * min(low, 0.0) - 0.02 * top, 1.08 * top])
    return figure


def _leaf_name(c: Candidate, search: Search) -> str:
    marks = []
    if c.leaf == search.g_leaf:
        marks.append("ĝ")
    if c.leaf == search.h_leaf:
        marks.append("ĥ")
    name = (
        _("<b>leaf {leaf}  {marks}</b>", leaf=c.leaf, marks=" ".join(marks))
        if marks
        else _("leaf {leaf}", leaf=c.leaf)
    )
    return name + " "


def weights_figure(
    names: Sequence[str], before: np.ndarray, after: np.ndarray, colours: Paint
) -> tuple[Figure, int]:
    """Bars of a split's weights, (n,), before and after; and how many were left out."""
    shown = np.arange(len(names))
    if len(names) > MOST_BARS:
        size = np.maximum(np.abs(before), np.abs(after)) + 10 * np.abs(after - before)
        shown = np.sort(np.argsort(-size, kind="stable")[:MOST_BARS])
    figure = Figure()
    places = list(range(len(shown)))
    styles = ((_("before"), before, faded(colours.muted, 0.7)), (_("after"), after, colours.accent))
    for name, values, colour in styles:
        figure.add_bar(
            x=places,
            y=values[shown],
            name=name,
            marker={"color": colour, "line": {"width": 0}},
            hovertemplate=f"{name} %{{y:.4f}}<extra></extra>",
        )
    dress(figure, colours, 230, barmode="group")
    texts = [in_figure(names[i], 14) for i in shown.tolist()]
    figure.update_xaxes(tickmode="array", tickvals=places, ticktext=texts, showgrid=False)
    figure.update_yaxes(title=_("weight"))
    return figure, len(names) - len(shown)


def show_weights(
    data: Dataset, before: np.ndarray, after: np.ndarray, key: str, alt: str, meta: str = ""
) -> None:
    """A split's weights before and after a step: of images as pictures, else as bars."""
    colours, p = paint(), data.n_features
    if data.image_shape:
        old, new = (w[:p].reshape(data.image_shape) for w in (before, after))
        shown = {_("before"): old, _("change"): new - old, _("after"): new}
        names = [f"{meta}.{when}" for when in ("before", "change", "after")] if meta else ()
        show(picture_figure(shown, colours, names=names), key, alt)
        st.caption(_("Green pixels push an image to the right, purple ones to the left."))
        return
    features = [*data.feature_names, _("offset")][: len(before)]
    figure, hidden = weights_figure(features, before, after, colours)
    show(figure, key, alt)
    if hidden:
        st.caption(_("{hidden} small weights are not shown.", hidden=hidden))


def picture_figure(
    pictures: dict[str, np.ndarray], colours: Paint, names: Sequence[str] = ()
) -> Figure:
    """Weights (rows, columns) by titles, side by side on one scale; names: in formulas."""
    n, titles = len(pictures), list(pictures)
    figure = make_subplots(cols=n, subplot_titles=titles, horizontal_spacing=0.2 / n)
    figure.update_annotations(font={"size": 12, "color": colours.text}, yshift=3)
    top = max(float(np.abs(picture).max()) for picture in pictures.values()) or 1.0
    for i, picture in enumerate(pictures.values(), start=1):
        scale = [[0, colours.minus], [0.5, colours.back], [1, colours.plus]]
        figure.add_heatmap(
            z=picture,
            zmin=-top,
            zmax=top,
            colorscale=scale,
            showscale=False,
            hovertemplate="%{z:.3g}<extra></extra>",
            row=1,
            col=i,
            **({"meta": names[i - 1]} if names else {}),
        )
    dress(figure, colours, 200)
    figure.update_layout(margin={"l": 4, "r": 4, "t": 30, "b": 6})
    frame: dict[str, Any] = {"showline": True, "mirror": True, "linecolor": colours.faint}
    frame |= {"showticklabels": False, "ticks": "", "showgrid": False, "zeroline": False}
    figure.update_xaxes(**frame, constrain="domain")
    figure.update_yaxes(**frame, autorange="reversed", scaleanchor="x", constrain="domain")
    for i in range(2, n + 1):
        figure.update_yaxes(scaleanchor=f"x{i}", col=i)
    return figure


def _short(names: Sequence[str], c: int) -> str:
    return in_figure(names[c], 12) if c < len(names) else _("(no class)")


def move_figure(move: Move, answers: Answers, name: str, colours: Paint) -> Figure:
    """The impurity at every value of a coefficient, and below it the U_j by class or by number."""
    figure = make_subplots(
        rows=2, shared_xaxes=True, row_heights=[0.68, 0.32], vertical_spacing=0.04
    )
    low, high = _window(move)
    edges, heights = _steps(move)
    add_line(
        figure,
        edges,
        heights,
        colours.text,
        shape="hv",
        name=_("impurity"),
        showlegend=False,
        hovertemplate=_("value %{x:.3g}: impurity %{y:.3f}<extra></extra>"),
        row=1,
        col=1,
    )
    targets = answers.data.y
    for kind, rows, marker in answers.kinds():
        here = np.isin(move.rows, rows)
        if not here.any():
            continue
        if answers.numbers:
            marker = marker | {"color": targets[move.rows[here]], "showscale": False}
        add_dots(
            figure,
            move.crossings[here],
            targets[move.rows[here]],
            {"size": 7} | marker,
            customdata=move.rows[here],
            name=kind,
            hovertemplate=_("example %{customdata}: U = %{x:.3g}<extra></extra>"),
            row=2,
            col=1,
        )
    marks = [(move.present, colours.muted, "dash", move.impurity_before, _("present value"))]
    if move.best is not None:
        marks.append((move.best, colours.accent, "solid", move.impurity_best, _("best value")))
    for x, colour, dash, y, what in marks:
        figure.add_vline(x=x, line={"color": colour, "dash": dash, "width": 2})
        add_dots(
            figure,
            [x],
            [y],
            {"size": 12, "color": colour, "symbol": "diamond"},
            name=what,
            hovertemplate=what + _(" %{x:.3g}, impurity %{y:.3f}<extra></extra>"),
            row=1,
            col=1,
        )
    dress(figure, colours, 300)
    figure.update_xaxes(range=[low, high])
    figure.update_xaxes(title=_("value of the coefficient of {name}", name=name), row=2)
    figure.update_yaxes(title=_("impurity"), row=1)
    lower = {"visible": False, "range": [-0.7, answers.data.n_classes - 0.3]}
    if answers.numbers:
        lower = {"title": _short([answers.data.target_name], 0)}
    figure.update_yaxes(**lower, row=2)
    return figure


def _window(move: Move) -> tuple[float, float]:
    """Values worth looking at: crossings far out would press all others into one line."""
    if not len(move.crossings):
        return move.present - 1.0, move.present + 1.0
    low, high = np.quantile(move.crossings, [0.12, 0.88])
    wanted = [low, high, move.present] + ([move.best] if move.best is not None else [])
    low, high = min(wanted), max(wanted)
    margin = 0.08 * (high - low) or 1.0
    return float(low - margin), float(high + margin)


def _steps(move: Move) -> tuple[list[float], list[float | None]]:
    """The step curve: each impurity holds from one crossing to the next."""
    heights = [float(height) if np.isfinite(height) else None for height in move.impurities]
    edges = move.starts.tolist()
    if edges:  # the last one holds up to the last crossing
        edges.append(float(move.crossings[-1]))
        heights.append(heights[-1])
    return edges, heights
