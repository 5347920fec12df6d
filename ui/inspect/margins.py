"""How clearly rows are told apart: the distribution of their margins, or of errors of numbers."""

from __future__ import annotations

import numpy as np

from treecore.viewer import evenly
from ui.drawing.figure import Figure
from ui.drawing.theme import PERCENT, Paint, dress
from ui.inspect.forest_scene import Scene
from ui.language.translate import _

MOST_POINTS = 400


def margin_values(scene: Scene) -> dict[str, np.ndarray]:
    """Margins by which rows they are of; for numbers, what is predicted less what is true."""
    values = {}
    for rows, part in (("held-out", scene.data.held), ("training", scene.data.train)):
        if part is None:
            continue
        if scene.numbers:
            values[rows] = scene.scores(part.given)[:, 0] - part.y
        else:
            values[rows] = scene.margins(part.given, part.y)
    return values


def margins_figure(values: dict[str, np.ndarray], numbers: bool, paint: Paint) -> Figure:
    """The share of rows with at most each margin. values: dict of float arrays."""
    figure = Figure()
    low, high = -1.0, 1.0
    if numbers:
        high = max(float(np.abs(v).max()) for v in values.values()) or 1.0
        low = -high
    looks = {"held-out": (paint.accent, "solid"), "training": (paint.minus, "dot")}
    for rows, margins in values.items():
        colour, dash = looks[rows]
        ordered = np.sort(margins)
        share = np.arange(1, len(ordered) + 1) / len(ordered)
        keep = evenly(len(ordered), MOST_POINTS)
        figure.add_scatter(
            x=np.concatenate([[low], ordered[keep], [high]]),
            y=np.concatenate([[0.0], share[keep], [1.0]]),
            mode="lines",
            name=_(rows),
            line={"color": colour, "dash": dash, "width": 2.2, "shape": "hv"},
            hovertemplate=_("%{y:.1%} have at most %{x:.3f}<extra>") + _(rows) + "</extra>",
        )
    dress(figure, paint, 330)
    figure.add_vline(x=0, line={"color": paint.muted, "width": 1, "dash": "dash"})
    quantity = _("predicted − true") if numbers else _("margin")
    figure.update_xaxes(title=quantity, range=[low * 1.02, high * 1.02], zeroline=False)
    what = _("share of rows up to this")
    figure.update_yaxes(title=what, tickformat=PERCENT, rangemode="tozero", zeroline=False)
    return figure
