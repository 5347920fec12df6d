"""A drawing as SVG text, written by hand: shapes go in, a file comes out that stands alone."""

from __future__ import annotations

import base64
import math
from html import escape

from treecore.viewer.palette import PALETTE

FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif"


class SvgCanvas:
    """Shapes on a sheet of colour ``back``; lengths are in pixels, y grows downwards."""

    def __init__(self, width: float, height: float, title: str, back: str):
        self.width, self.height, self.title = width, height, title
        self._parts = [f'<rect width="{width:g}" height="{height:g}" fill="{back}"/>']

    def line(self, x0, y0, x1, y1, colour: str, width: float = 1.0) -> None:
        """A straight line. x0, y0, x1, y1: pixels, from the upper left corner."""
        self._parts.append(
            f'<line x1="{_n(x0)}" y1="{_n(y0)}" x2="{_n(x1)}" y2="{_n(y1)}" stroke="{colour}" '
            f'stroke-width="{_n(width)}"/>'
        )

    def circle(self, x, y, radius, fill: str, edge: str = "none", width: float = 1.0) -> None:
        """A filled circle."""
        self._parts.append(
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="{fill}" stroke="{edge}" '
            f'stroke-width="{_n(width)}"/>'
        )

    def rect(self, x, y, wide, high, fill: str) -> None:
        """A filled rectangle."""
        self._parts.append(
            f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(wide)}" height="{_n(high)}" fill="{fill}"/>'
        )

    def marker(self, kind: int, x, y, radius, fill: str, edge: str = "none", width=1.0) -> None:
        """The marker of class number ``kind``: colour is not all that tells classes apart."""
        shape = PALETTE["markers"][kind % len(PALETTE["markers"])]
        corners, turn, reach = shape["corners"], shape["turn"], radius * shape["size"]
        if not corners:
            self.circle(x, y, radius, fill, edge, width)
            return
        angles = [math.pi * (turn + 2 * i / corners) for i in range(corners)]
        points = " ".join(
            f"{_n(x + reach * math.cos(a))},{_n(y + reach * math.sin(a))}" for a in angles
        )
        self._parts.append(
            f'<polygon points="{points}" fill="{fill}" stroke="{edge}" stroke-width="{_n(width)}"/>'
        )

    def image(self, x, y, wide, high, address: str) -> None:
        """A picture, stretched to its place."""
        self._parts.append(
            f'<image x="{_n(x)}" y="{_n(y)}" width="{_n(wide)}" height="{_n(high)}" '
            f'preserveAspectRatio="none" href="{address}"/>'
        )

    def text(self, x, y, text: str, colour: str, size: float = 12, anchor: str = "start") -> None:
        """A line of text; x, y: the foot of the line at its anchor."""
        self._parts.append(
            f'<text x="{_n(x)}" y="{_n(y)}" fill="{colour}" font-size="{_n(size)}" '
            f'text-anchor="{anchor}">{_clean(text)}</text>'
        )

    def svg(self) -> str:
        """The whole file."""
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" role="img" '
            f'viewBox="0 0 {self.width:g} {self.height:g}" width="{self.width:g}" '
            f'height="{self.height:g}" font-family="{escape(FONT)}">'
            f"<title>{_clean(self.title)}</title>" + "".join(self._parts) + "</svg>\n"
        )

    def address(self) -> str:
        """The drawing as the address of an image, to be shown without being fetched."""
        return "data:image/svg+xml;base64," + base64.b64encode(self.svg().encode()).decode()


def _n(value: float) -> str:
    """Hundredths of a pixel are enough."""
    return f"{round(float(value), 2):g}"


def _clean(text: str) -> str:
    """Text for XML: names from a file may hold its marks, and characters that it forbids."""
    text = text.encode("utf-8", "replace").decode()
    return escape("".join(c if c.isprintable() else " " for c in text))
