"""Curves of a race: errors by trees or by seconds, and the losses of hinge forests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treecore.viewer.pages.thinning import evenly
from ui.drawing.figure import Figure
from ui.drawing.method_colours import run_colours
from ui.drawing.theme import PERCENT, Paint, dress
from ui.forests.job import ForestStatus, Measurement
from ui.forests.presets import NUMERALS, RacerPlan
from ui.language.translate import N_, _

MOST_POINTS = 400
"""Points of one line; a chart is hardly wider in pixels that matter."""

DASHES = {
    N_("held-out"): N_("solid"),
    N_("out-of-bag"): N_("dashed"),
    N_("training"): N_("dotted"),
}
"""Which rows a line is about, and how it is drawn, in words."""

_DASH = {"solid": "solid", "dashed": "dash", "dotted": "dot"}


@dataclass(frozen=True)
class Racer:
    """What the charts need to know of one racer; ``rivals`` are the methods of all of them."""

    number: int
    plan: RacerPlan
    look: ForestStatus
    rivals: tuple[str, ...]

    @property
    def numeral(self) -> str:
        return NUMERALS[self.number]

    @property
    def label(self) -> str:
        return f"{self.numeral} · {self.plan.title}"

    def colour(self, paint: Paint) -> str:
        """Of its lines."""
        return run_colours(self.rivals, paint.dark)[self.number]


def errors_of(marks: Sequence[Measurement]) -> dict[str, np.ndarray]:
    """Errors by which rows they are about, float64 (n_marks,), NaN where not measured."""

    def column(values) -> np.ndarray:
        return np.array([np.nan if v is None else v for v in values], dtype=np.float64)

    return {
        "held-out": column(mark.held for mark in marks),
        "out-of-bag": column(mark.event.oob_error for mark in marks),
        "training": column(mark.event.error for mark in marks),
    }


def error_figure(racers: Sequence[Racer], by: str, numbers: bool, paint: Paint) -> Figure:
    """Errors of all racers, on rows of three kinds.

    numbers: whether targets are numbers: errors are squared ones then, otherwise shares.
    """
    figure = Figure()
    most = 1.0
    for racer in racers:
        marks = [racer.look.marks[i] for i in evenly(len(racer.look.marks), MOST_POINTS)]
        if not marks:
            continue
        errors = errors_of(marks)
        hinge = racer.plan.hinge
        if by == "trees":
            at = np.array([mark.event.done for mark in marks], dtype=np.float64)
        else:
            at = np.array([mark.event.seconds for mark in marks])
        first = True
        for rows, values in errors.items():
            if np.isnan(values).all():
                continue
            x, y = at, values
            if hinge and by == "trees":  # they learn together: there never are fewer of them
                level = _kept_error(racer.look, rows)
                if level is None:
                    level = float(values[~np.isnan(values)][-1])
                x, y = np.array([0.0, racer.plan.n_trees]), np.repeat(level, 2)
            most = max(most, float(x.max()))
            figure.add_scatter(
                x=x,
                y=y,
                mode="lines+markers" if len(x) < 3 else "lines",
                name=racer.label if first else f"{racer.numeral} {_(rows)}",
                legendgroup=racer.numeral,
                showlegend=first,
                marker={"size": [0, 9] if hinge and by == "trees" else 6, "symbol": "diamond"},
                line={
                    "color": racer.colour(paint),
                    "dash": _DASH[DASHES[rows]],
                    "width": 2.4 if rows == "held-out" else 1.7,
                },
                hovertemplate=f"{racer.numeral} {_(rows)}: %{{y:{'.4~g' if numbers else '.2%'}}}"
                "<extra></extra>",
            )
            first = False
    dress(figure, paint, 470, uirevision=by)
    figure.update_layout(hovermode="x unified" if by == "trees" else "closest")
    if by == "trees":
        figure.update_xaxes(title=_("trees"), range=[0, most * 1.02])
    else:
        figure.update_xaxes(title=_("seconds of learning"), type="log")
    what = _("mean squared error") if numbers else _("error")
    figure.update_yaxes(
        title=what, rangemode="tozero", tickformat=None if numbers else PERCENT, zeroline=False
    )
    return figure


def _kept_error(look: ForestStatus, rows: str) -> float | None:
    """The error of the forest that a finished run keeps; None while it learns."""
    if not look.at_rest or look.training_error is None:
        return None
    return {"held-out": look.result, "training": look.training_error}.get(rows)


def loss_figure(racers: Sequence[Racer], paint: Paint) -> Figure:
    """Losses of the hinge forests by mini-batches, on the rows they learn from and choose by."""
    figure = Figure()
    for racer in racers:
        marks = [racer.look.marks[i] for i in evenly(len(racer.look.marks), MOST_POINTS)]
        at = [mark.event.done for mark in marks]
        for rows, dash in (("loss", "dot"), ("validation_loss", "solid")):
            values = [getattr(mark.event, rows) for mark in marks]
            if all(value is None for value in values):
                continue
            part = _("training") if rows == "loss" else _("validation")
            figure.add_scatter(
                x=at,
                y=values,
                mode="lines" if len(at) > 2 else "lines+markers",
                name=f"{racer.numeral} {part}",
                line={"color": racer.colour(paint), "dash": dash, "width": 2},
                hovertemplate=f"{racer.numeral} {part} %{{y:.3f}}<extra></extra>",
            )
    dress(figure, paint, 260)
    figure.update_xaxes(title=_("mini-batches"), rangemode="tozero")
    figure.update_yaxes(title=_("loss"), rangemode="tozero", zeroline=False)
    return figure
