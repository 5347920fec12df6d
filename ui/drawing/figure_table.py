"""What a figure shows as a table, for those who read or hear numbers rather than see shapes."""

import math
import re
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from html import escape, unescape
from typing import Any

import numpy as np
from plotly.basedatatypes import BasePlotlyType
from plotly.graph_objects import Figure

from ui.language.translate import _, written

MOST = 60
"""Rows of a table; of more points every so manieth is told."""

Row = tuple[str, ...]
Point = Callable[[], Row]


def figure_table(figure: Figure) -> tuple[Row, list[Row], int]:
    """Heads, rows (at most :data:`MOST`, evenly from all points), and how many points there are."""
    traces = figure.data
    heads, points = _heads(figure), [one for t in traces for one in _points(figure, t)]
    shown = sorted({int(i) for i in np.linspace(0, len(points) - 1, min(MOST, len(points)))})
    rows = [points[i]() for i in shown]
    filled_columns = [j for j in range(len(heads)) if any(row[j] for row in rows)]
    return (
        tuple(heads[j] for j in filled_columns),
        [tuple(row[j] for j in filled_columns) for row in rows],
        len(points),
    )


def table_html(figure: Figure, alt: str) -> str:
    """The table behind a line that opens it; nothing where a figure has no points."""
    heads, rows, n_points = figure_table(figure)
    if not rows:
        return ""
    head = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    some = ""
    if n_points > len(rows):
        some = _(" {shown} of {n} points.", shown=len(rows), n=n_points)
    title = _("As a table: {alt}", alt=alt)
    return (
        f'<details class="numbers"><summary>{escape(title)}</summary><table>'
        f"<caption>{escape(alt)}{some}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table></details>"
    )


def _heads(figure: Figure) -> Row:
    titles = [_text(axis.title.text) for axis in (figure.layout.xaxis, figure.layout.yaxis)]
    return (_("series"), titles[0] or "x", titles[1] or "y", _("value"), _("kind"))


def _points(figure: Figure, trace: BasePlotlyType) -> Iterator[Point]:
    name = _text(trace.name)
    if trace.hoverinfo == "skip" and not name:
        return  # regions, edges: what they say, points and nodes say
    names = ((trace[f"{s}axis"] or s).replace(s, f"{s}axis", 1) for s in ("x", "y"))
    sides = [figure.layout[axis] for axis in names]
    hidden, ticks = [side.visible is False for side in sides], [_ticks(s) for s in sides]
    hover = trace.hovertemplate or ""
    what = "" if "%{" in hover else _text(hover)  # what the pointer is told, where that is words

    def row(x: Any, y: Any, z: Any = None) -> Row:
        at = ("" if hidden[i] else _value(v, ticks[i]) for i, v in enumerate((x, y)))
        return (name, *at, "" if z is None else _value(z, {}), what)

    xs, ys = trace.x, trace.y
    if trace.type == "heatmap":
        z = np.asarray(trace.z)
        xs = range(z.shape[1]) if xs is None else xs
        ys = range(z.shape[0]) if ys is None else ys
        yield from (partial(row, x, y, z[i, j]) for i, y in enumerate(ys) for j, x in enumerate(xs))
        return
    n_points = len(xs if ys is None else ys)
    xs, ys = (range(n_points) if side is None else side for side in (xs, ys))
    for x, y in zip(xs, ys, strict=False):
        if x is not None and y is not None:  # nothing stands where a line is broken
            yield partial(row, x, y)


def _ticks(axis: BasePlotlyType) -> dict[float, str]:
    """What an axis writes at its values, where it writes words."""
    values, texts = axis.tickvals, axis.ticktext
    if values is None or texts is None:
        return {}
    return {float(value): _text(text) for value, text in zip(values, texts, strict=False)}


def _value(value: Any, names: dict[float, str]) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, date):
        return str(value)[: len("2026-01-31 12:00")]
    if value is None or not math.isfinite(value):
        return "–"
    return names.get(float(value)) or written(float(value), ".4g")


def _text(text: Any) -> str:
    """Letters alone: Plotly's texts hold a little HTML, and names in them are escaped."""
    lines = re.sub(r"<br\s*/?>", ", ", str(text or ""))
    return unescape(re.sub(r"<extra>.*?</extra>|<[^<>]*>", "", lines)).strip()
