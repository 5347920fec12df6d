"""Charts of the page Inspect: data in, a Plotly figure out."""

from collections.abc import Sequence

import numpy as np
from plotly.graph_objects import Figure

from treecore.losses import Reliability
from ui.drawing.theme import PERCENT, Paint, add_dots, add_line, dress, faded
from ui.language.translate import _
from ui.shell.safe_text import in_figure

MOST_BARS = 12
"""Features in a chart; the others together are one more."""


def reliability_figure(found: Reliability, colours: Paint) -> Figure:
    """Share right over the probability that was promised; perfect is the diagonal."""
    seen = found.rows > 0
    middle = (found.edges[1:] + found.edges[:-1]) / 2
    width = float(found.edges[1] - found.edges[0])
    figure = Figure()
    figure.add_bar(
        x=middle[seen],
        y=found.accuracy[seen],
        width=0.94 * width,
        marker={"color": faded(colours.accent, 0.55)},
        customdata=np.stack([found.rows[seen], found.confidence[seen]], axis=1),
        hovertemplate=_(
            "%{customdata[0]} examples, probability %{customdata[1]:.1%}, right %{y:.1%}"
        )
        + "<extra></extra>",
        showlegend=False,
    )
    dot = {"color": colours.accent, "size": 9, "line": {"color": colours.back, "width": 1}}
    add_dots(figure, found.confidence[seen], found.accuracy[seen], dot)
    add_line(figure, [0, 1], [0, 1], colours.muted, 1, "dash")
    dress(figure, colours, 330)
    low = float(found.edges[np.flatnonzero(seen)[0]]) if seen.any() else 0.0
    figure.update_xaxes(
        title=_("probability of the predicted class"), tickformat=PERCENT, range=[low, 1.01]
    )
    figure.update_yaxes(title=_("accuracy"), tickformat=PERCENT, range=[0, 1.03])
    return figure


def largest(names, values: np.ndarray, errors: np.ndarray | None = None):
    """The largest values by their names, all others together as one more."""
    order = [int(j) for j in np.argsort(-np.abs(values), kind="stable") if values[j] != 0]
    n = MOST_BARS + (len(order) == MOST_BARS + 1)  # a single other has that bar for itself
    shown, rest = order[:n], order[n:]
    sentence, found = [names[j] for j in shown], values[shown]
    off = None if errors is None else errors[shown]
    if rest:
        sentence.append(_("{n} others together", n=len(rest)))
        found = np.append(found, values[rest].sum())
        off = None if off is None else np.append(off, 0.0)
    return sentence, found, off


def signed_bars(
    names: Sequence[str],
    values: np.ndarray,
    colours: Paint,
    title: str,
    errors: np.ndarray | None = None,
) -> Figure:
    """Numbers by name, the first on top, to the right if positive; errors: half widths."""
    figure = Figure()
    figure.add_bar(
        x=values,
        y=list(range(len(names))),
        orientation="h",
        marker={"color": [colours.plus if v >= 0 else colours.minus for v in values]},
        error_x=None if errors is None else {"array": errors, "color": colours.muted},
        customdata=[in_figure(name) for name in names],
        hovertemplate=_("%{customdata}: %{x:.3~g}<extra></extra>"),
        showlegend=False,
    )
    dress(figure, colours, 92 + 28 * max(1, len(names)))
    figure.update_xaxes(title=title, zeroline=True)
    figure.update_yaxes(
        tickmode="array",
        tickvals=list(range(len(names))),
        ticktext=[in_figure(name, 24) for name in names],
        autorange="reversed",
        showgrid=False,
        zeroline=False,
    )
    return figure


def confusion_figure(
    y: np.ndarray, guess: np.ndarray, class_names: Sequence[str], colours: Paint
) -> Figure:
    """How often each class is taken for each other one; y, guess: int (n_samples,)."""
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


def errors_figure(y: np.ndarray, guess: np.ndarray, target_name: str, colours: Paint) -> Figure:
    """What is predicted of every example, over what it is: a perfect tree is on the diagonal."""
    guess = np.asarray(guess, dtype=np.float64).reshape(len(y))
    ends = [min(y.min(), guess.min()), max(y.max(), guess.max())]
    figure = Figure()
    add_line(figure, ends, ends, colours.muted, 1)
    add_dots(
        figure,
        y,
        guess,
        {"color": colours.accent, "size": 6, "opacity": 0.55},
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
