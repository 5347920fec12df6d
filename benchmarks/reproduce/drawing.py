"""Drawing by matplotlib without a screen: one style for all figures.

Ours is solid with filled marks, what was published is dashed with hollow ones, in the same colour
where the method is the same. The colours are Okabe and Ito's, which colour-blind people tell apart.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.reproduce.folder import FigureError

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
    "svg.hashsalt": "treecore",  # equal data give equal bytes
    "svg.fonttype": "path",
}

OURS = {"linestyle": "-", "marker": "o"}
THEIRS = {"linestyle": "--", "marker": "o", "markerfacecolor": "white", "linewidth": 1.2}


def check_drawing() -> None:
    """Raise FigureError, in one sentence, where matplotlib is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise FigureError("drawing needs matplotlib: pip install 'treecore[figures]'") from error


@contextlib.contextmanager
def picture(size: tuple[float, float]) -> Iterator[Any]:
    """An empty matplotlib Figure in our style; without pyplot, so that no state is left behind."""
    check_drawing()
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE)
        canvas = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(canvas)
        yield canvas


def png_of(canvas) -> bytes:
    """The picture as PNG, the same bytes for the same data."""
    out = io.BytesIO()
    canvas.savefig(out, format="png", dpi=110, metadata={"Software": None})
    return out.getvalue()


def svg_of(canvas) -> str:
    """The picture as an SVG element to be put into a page."""
    out = io.BytesIO()
    canvas.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue().decode()
    text = text[text.index("<svg") :]
    # In a page it is as wide as there is room; the view box keeps its proportions.
    return re.sub(r' (width|height)="[\d.]+pt"', "", text, count=2)


def curve(axes, x: Sequence, y: Sequence, label: str, colour: str, ours: bool) -> None:
    """A line through points; values that are None are left out."""
    kept = [(a, b) for a, b in zip(x, y, strict=True) if b is not None]
    if kept:
        style = OURS if ours else THEIRS
        axes.plot(*zip(*kept, strict=True), label=label, color=colour, **style)


def legend_below(canvas, axes, n_columns: int) -> None:
    """One legend for all axes, under them; each label once."""
    found: dict[str, Any] = {}
    for one in axes:
        for handle, label in zip(*one.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    canvas.legend(found.values(), found.keys(), loc="outside lower center", ncols=n_columns)


def bars(
    axes,
    groups: Sequence[str],
    series: Sequence[tuple[str, str, bool, Sequence[float | None], Sequence[float | None]]],
) -> None:
    """Bars by group with whiskers of one deviation.

    Parameters
    ----------
    axes : matplotlib Axes
    groups : sequence of str
        Under the bars.
    series : sequence of (label, colour, ours, values, deviations)
        Ours are filled, published ones hollow; values that are None leave a gap.
    """
    width = 0.84 / len(series)
    for i, (label, colour, ours, values, deviations) in enumerate(series):
        kept = [g for g, value in enumerate(values) if value is not None]
        axes.bar(
            [g - 0.42 + (i + 0.5) * width for g in kept],
            [values[g] for g in kept],
            0.9 * width,
            yerr=[deviations[g] or 0.0 for g in kept],
            error_kw={"linewidth": 0.8, "ecolor": "#444444"},
            label=label,
            color=colour if ours else "white",
            edgecolor=colour,
            linestyle="-" if ours else "--",
            linewidth=1.2,
        )
    axes.set_xticks(range(len(groups)), groups)
    axes.grid(axis="x", visible=False)
