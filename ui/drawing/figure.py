"""A figure: traces and a layout, as Plotly reads them in the browser.

Plotly's own classes look at every property when it is set, which was more than half of what a
run of *One step* cost the server. What our figures set stands in the code, so it is enough that
tests give each kind of figure to those classes once (``tests/helpers/harness.py``).
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

_TYPED = ("i1", "u1", "i2", "u2", "i4", "u4", "f4", "f8")
"""Types of arrays that the browser takes as they lie in memory."""

LOCALES = {"en-US": {"format": {"currency": ["", "\N{NO-BREAK SPACE}%"]}}}
"""What Plotly writes before and behind amounts of a currency, for its configuration. Behind a share
it always writes the bare sign: so shares are sent as amounts, and are 74 % as elsewhere."""

_FORMATS = ("hovertemplate", "hoverformat", "tickformat")

_SHARE = re.compile(r"^(?=\.?[\d~]*[%p]$)|(?<=:)(?=\.?[\d~]*[%p]\})")
"""Where the format of a share begins, on an axis or in what the pointer is told."""


class Figure:
    """Traces in panels, named as in Plotly's JavaScript; panel i has the axes ``xi`` and ``yi``."""

    def __init__(self) -> None:
        self.data: list[dict[str, Any]] = []
        self.layout: dict[str, Any] = {}
        self.n_panels = 1

    def add(self, kind: str, panel: int = 1, **properties: Any) -> Figure:
        """Add a trace; what is None is left to Plotly."""
        trace = {"type": kind, **_read(properties)}
        if panel > 1:
            trace |= {"xaxis": f"x{panel}", "yaxis": f"y{panel}"}
        self.data.append(trace)
        return self

    def add_scatter(self, **properties: Any) -> Figure:
        return self.add("scatter", **properties)

    def add_line(
        self, x: Any, y: Any, colour: str, width: float = 2, dash: str | None = None, **more: Any
    ) -> Figure:
        """Add a line; an ornament, of which nothing is told, where it has no ``hovertemplate``."""
        line = {"color": colour, "width": width, "dash": dash, "shape": more.pop("shape", None)}
        return self.add_scatter(x=x, y=y, mode="lines", line=line, **_told(more))

    def add_dots(self, x: Any, y: Any, marker: Mapping[str, Any], **more: Any) -> Figure:
        """Add dots; ornaments, of which nothing is told, where they have no ``hovertemplate``."""
        return self.add_scatter(x=x, y=y, mode="markers", marker=marker, **_told(more))

    def add_bar(self, **properties: Any) -> Figure:
        return self.add("bar", **properties)

    def add_heatmap(self, **properties: Any) -> Figure:
        return self.add("heatmap", **properties)

    def add_vline(self, x: float, line: Mapping[str, Any]) -> None:
        """Add an upright line from end to end of every panel."""
        for number in _numbers(self.n_panels):
            at = {"xref": f"x{number}", "x0": x, "x1": x}
            at |= {"yref": f"y{number} domain", "y0": 0, "y1": 1}
            self._append("shapes", {"type": "line", "line": line, **at})

    def add_annotation(self, **properties: Any) -> None:
        self._append("annotations", _read(properties))

    def add_layout_image(self, **properties: Any) -> None:
        self._append("images", _read(properties))

    def _append(self, name: str, one: dict[str, Any]) -> None:
        self.layout.setdefault(name, []).append(one)

    def update_layout(self, **settings: Any) -> Figure:
        """Settings of the layout; those that a nested one does not name stay."""
        _merge(self.layout, _read(settings))
        return self

    def update_xaxes(self, panel: int | None = None, **settings: Any) -> Figure:
        """Settings of the level axis of a panel, or of all."""
        return self._update_axes("xaxis", panel, settings)

    def update_yaxes(self, panel: int | None = None, **settings: Any) -> Figure:
        """Settings of the upright axis of a panel, or of all."""
        return self._update_axes("yaxis", panel, settings)

    def _update_axes(self, name: str, panel: int | None, settings: dict[str, Any]) -> Figure:
        numbers = _numbers(self.n_panels)
        for number in numbers if panel is None else numbers[panel - 1 : panel]:
            _merge(self.layout.setdefault(f"{name}{number}", {}), _read(settings))
        return self

    def to_dict(self) -> dict[str, Any]:
        """What is sent: the traces' arrays as bytes, all others as lists."""
        return {
            "data": [_sent(trace, typed=True) for trace in self.data],
            "layout": _sent(self.layout, typed=False),
        }


def stacked(heights: Sequence[float], gap: float) -> Figure:
    """Panels above each other, which share what is level; heights and the gap as shares."""
    figure = Figure()
    figure.n_panels = n = len(heights)
    shares = np.array(heights) / sum(heights) * (1 - gap * (n - 1))
    tops = 1 - np.cumsum([0, *(shares[:-1] + gap)])
    for panel, (top, share) in enumerate(zip(tops.tolist(), shares.tolist(), strict=True), 1):
        shared = {"matches": f"x{n}", "showticklabels": False} if panel < n else {}
        figure.update_xaxes(panel, anchor=f"y{_numbers(n)[panel - 1]}", domain=[0.0, 1.0], **shared)
        figure.update_yaxes(
            panel, anchor=f"x{_numbers(n)[panel - 1]}", domain=[max(0.0, top - share), top]
        )
    return figure


def side_by_side(titles: Sequence[str], gap: float, font: Mapping[str, Any]) -> Figure:
    """Panels in a row, each under its title."""
    figure = Figure()
    figure.n_panels = n = len(titles)
    width = (1 - gap * (n - 1)) / n
    for panel, (title, number) in enumerate(zip(titles, _numbers(n), strict=True), 1):
        left = (panel - 1) * (width + gap)
        figure.update_xaxes(panel, anchor=f"y{number}", domain=[left, left + width])
        figure.update_yaxes(panel, anchor=f"x{number}", domain=[0.0, 1.0])
        figure.add_annotation(
            text=title,
            font=font,
            showarrow=False,
            x=left + width / 2,
            xref="paper",
            xanchor="center",
            y=1.0,
            yref="paper",
            yanchor="bottom",
            yshift=3,
        )
    return figure


def _numbers(n_panels: int) -> list[str]:
    """What Plotly writes behind the names of the panels' axes: nothing behind the first."""
    return ["", *(str(i) for i in range(2, n_panels + 1))]


def _told(properties: dict[str, Any]) -> dict[str, Any]:
    own = {} if "hovertemplate" in properties else {"hoverinfo": "skip", "showlegend": False}
    return own | properties


def _read(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Properties without those that are None; a title that is a text becomes one that has it."""
    found = {}
    for name, value in properties.items():
        if isinstance(value, Mapping):
            found[name] = _read(value)
        elif name == "title" and isinstance(value, str):
            found[name] = {"text": value}
        elif value is not None:
            found[name] = value
    return found


def _merge(old: dict[str, Any], new: dict[str, Any]) -> None:
    for name, value in new.items():
        if isinstance(value, dict) and isinstance(old.get(name), dict):
            _merge(old[name], value)
        else:
            old[name] = value


def _sent(value: Any, typed: bool) -> Any:
    if isinstance(value, np.ndarray):
        return _bytes_of(value) if typed else value.tolist()
    if isinstance(value, dict):
        return {
            name: _SHARE.sub("$", one)
            if name in _FORMATS and isinstance(one, str)
            else _sent(one, typed)
            for name, one in value.items()
        }
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [_sent(one, typed) for one in value]
    return value


def _bytes_of(array: np.ndarray) -> Any:
    """An array as Plotly's typed arrays are written: type, shape and bytes in base 64."""
    if array.dtype in (np.int64, np.uint64) and array.size:
        low, high = array.min(), array.max()
        fits = [t for t in _TYPED[:6] if np.iinfo(t).min <= low and high <= np.iinfo(t).max]
        array = array.astype(fits[0]) if fits else array
    name = array.dtype.str[1:]
    if name not in _TYPED or array.ndim > 2:
        return array.tolist()
    raw = array.astype(array.dtype.newbyteorder("<"))
    shape = {"shape": ", ".join(map(str, array.shape))} if array.ndim > 1 else {}
    return {"dtype": name, "bdata": base64.b64encode(raw.tobytes()).decode(), **shape}
