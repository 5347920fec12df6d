"""What the Library has before anything is kept: comparisons to open in the Lab, as cards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from treecore.viewer.pictures.svg import SvgCanvas
from ui.drawing.png import as_address, png
from ui.drawing.theme import Paint, paint, rgb
from ui.lab.link import FORESTS
from ui.language.translate import N_, _
from ui.shell.router import page_file
from ui.widgets.data.picker import pictures

SIDE = 72
"""Pixels of a card's picture."""

GREEDY = "axis~criterion~gini"


@dataclass(frozen=True)
class Example:
    """A comparison in the Lab. leaves: the limit of its trees; 0 without trees."""

    title: str
    sentence: str
    data: str
    runs: tuple[str, ...]
    leaves: int = 0

    def link(self) -> dict[str, str | list[str]]:
        """Its link, at the usual seed."""
        said: dict[str, str | list[str]] = {"v": "1", "data": self.data, "run": list(self.runs)}
        return said | {"clock": "share", "fair": "leaves", "most": f"{self.leaves or 16}"}


EXAMPLES = (
    Example(
        N_("Four squares"),
        N_("Four leaves are enough, and greed does not find them."),
        "xor",
        (GREEDY, "sgd"),
        4,
    ),
    Example(
        N_("Handwritten digits"),
        N_("Sixteen leaves learnt together beside sixteen chosen one by one."),
        "digits",
        (GREEDY, "sgd", "annealed"),
        16,
    ),
    Example(
        N_("Where greed wins"),
        N_("Two spirals: with sixteen leaves the greedy tree is ahead."),
        "spirals",
        (GREEDY, "sgd"),
        16,
    ),
    Example(
        N_("Two forests"),
        N_("Deep trees that vote, and trees that mend each other's mistakes."),
        "spirals",
        FORESTS,
    ),
)


def examples() -> None:
    """A row of cards, each with the data's picture and a link to the Lab."""
    items = {item["name"]: item for item in pictures()}
    st.html("<style>.st-key-examples [data-testid=stPageLink] a { padding-inline: 0 }</style>")
    with st.container(key="examples"):
        for example, column in zip(EXAMPLES, st.columns(len(EXAMPLES)), strict=True):
            with column.container(border=True, height="stretch", horizontal=True, gap="small"):
                address = thumbnail(items[example.data], paint())
                seen = f'<img src="{address}" alt="" width="{SIDE}" height="{SIDE}">'
                st.html(seen, width=SIDE)
                with st.container(gap="xxsmall", width="stretch"):
                    st.page_link(
                        page_file("lab"),
                        label=f"**{_(example.title)}**",
                        query_params=example.link(),
                    )
                    st.caption(_(example.sentence))


def thumbnail(item: dict, colours: Paint) -> str:
    """The address of a small picture of some data, of one of the picker's :func:`pictures`."""
    if "image" in item:
        shade = np.asarray(item["image"])
        side = round(len(shade) ** 0.5)
        shade = (shade if colours.dark else 1 - shade).reshape(side, side)
        large = np.kron(shade, np.ones((SIDE // side, SIDE // side)))
        return as_address(png(np.rint(255 * large[..., None].repeat(3, axis=2)).astype(np.uint8)))
    points = np.asarray(item["points"], dtype=float)
    low, high = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
    drawing = SvgCanvas(SIDE, SIDE, item["title"], colours.back)
    for (x, y), label in zip((points[:, :2] - low) / (high - low), points[:, 2], strict=True):
        at = 4 + (SIDE - 8) * x, 4 + (SIDE - 8) * (1 - y)
        drawing.marker(int(label), *at, 2.2, colours.of(int(label)), colours.back, 0.3)
    return drawing.address()


SMALL = 36
"""Pixels of the picture in a table's row."""


def small_picture(item: dict, colours: Paint) -> str:
    """The same in few pixels and few bytes: a table may have very many rows."""
    if "image" in item:
        return thumbnail(item, colours)
    points = np.asarray(item["points"], dtype=float)
    low, high = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
    across, up = np.rint((SMALL - 3) * (points[:, :2] - low) / (high - low)).astype(int).T
    pixels = np.empty((SMALL, SMALL, 3), dtype=np.uint8)
    pixels[:] = rgb(colours.back)
    last = len(colours.ramp) - 1
    for x, y, answer in zip(across, SMALL - 3 - up, points[:, 2], strict=True):
        colour = (
            colours.ramp[round(last * answer)] if "numbers" in item else colours.of(int(answer))
        )
        pixels[y : y + 2, x : x + 2] = rgb(colour)
    return as_address(png(pixels))
