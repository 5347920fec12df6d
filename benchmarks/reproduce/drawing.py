"""Drawing by matplotlib without a screen: one style for all figures.

Ours is solid with filled marks, what was published is dashed with hollow ones, in the same colour
where the method is the same. The colours are Okabe and Ito's, which colour-blind people tell apart.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, RED, PINK = (
    "#000000", "#E69F00", "#56B4E9", "#009E73", "#C9B400", "#0072B2", "#D55E00", "#CC79A7",
)  # fmt: skip
"""Okabe and Ito's palette, its yellow darkened to be seen on white."""

STYLE = {
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same picture everywhere
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e4e4e4",
    "axes.axisbelow": True,
    "lines.linewidth": 1.6,
    "lines.markersize": 4.5,
    "legend.frameon": False,
    "figure.titlesize": 12.0,
}

OURS = {"linestyle": "-", "marker": "o"}
PUBLISHED = {"linestyle": "--", "marker": "o", "markerfacecolor": "white", "linewidth": 1.2}


def as_png(size: tuple[float, float], title: str, draw: Callable[[Canvas], None]) -> bytes:
    """Draw a picture, the same bytes for the same data; without pyplot, which keeps state."""
    out = io.BytesIO()
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE)
        canvas = Canvas(figsize=size, layout="constrained")
        draw(canvas)
        canvas.suptitle(title)
        canvas.savefig(out, format="png", dpi=110, metadata={"Software": None})
    return out.getvalue()


def curve(axes: Axes, x: Sequence, y: Sequence, label: str, colour: str, **style) -> None:
    """Draw a line through points as ours, or in another style; missing values are left out."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if np.isfinite(y).any():
        axes.plot(x[np.isfinite(y)], y[np.isfinite(y)], label=label, color=colour, **OURS | style)


def legend_below(canvas: Canvas, n_columns: int) -> None:
    """Put one legend of all axes under them, each label once."""
    handles = {}
    for axes in canvas.axes:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    canvas.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=n_columns)


def bars(axes: Axes, groups: Sequence[str], series: Sequence[tuple]) -> None:
    """Draw bars by group with whiskers of one deviation.

    groups: names under the bars; series: ours are filled, published ones hollow; values that are
    missing leave a gap.
    """
    width = 0.84 / len(series)
    for i, (label, colour, ours, values, deviations) in enumerate(series):
        values = np.asarray(values, dtype=float)
        places = np.flatnonzero(np.isfinite(values))
        axes.bar(
            places - 0.42 + (i + 0.5) * width,
            values[places],
            0.9 * width,
            yerr=np.nan_to_num(np.asarray(deviations, dtype=float)[places]),
            error_kw={"linewidth": 0.8, "ecolor": "#444444"},
            label=label,
            color=colour if ours else "white",
            edgecolor=colour,
            linestyle="-" if ours else "--",
            linewidth=1.2,
        )
    axes.set_xticks(range(len(groups)), groups)
    axes.grid(axis="x", visible=False)
