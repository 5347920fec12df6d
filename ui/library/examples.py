"""What the Library has before anything is kept: comparisons to open in the Lab, as cards."""

from dataclasses import dataclass

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.drawing.png import as_address, png
from ui.drawing.theme import Paint, paint, rgb
from ui.lab.link import FORESTS
from ui.language.translate import N_, _
from ui.shell.router import page_file
from ui.shell.safe_text import plain
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
        said: dict[str, str | list[str]] = {"v": "1", "data": self.data, "run": list(self.runs)}
        return said | {"clock": "share", "fair": "leaves", "most": f"{self.leaves or 16}"}


EXAMPLES = (
    Example(
        N_("Four squares"),
        N_("Four leaves are enough, but greedy splits do not find them."),
        "xor",
        (GREEDY, "sgd"),
        4,
    ),
    Example(
        N_("Handwritten digits"),
        N_("Sixteen leaves learnt together, beside sixteen grown greedily."),
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
        N_("Deep trees that vote, and trees that correct each other's mistakes."),
        "spirals",
        FORESTS,
    ),
)


def examples() -> None:
    """A row of cards, each with the data's picture and a link to the Lab."""
    items = {item["name"]: item for item in pictures()}
    with cards("examples"):
        for example, column in zip(EXAMPLES, st.columns(len(EXAMPLES)), strict=True):
            item, title, sentence = items[example.data], _(example.title), _(example.sentence)
            card(column, item, title, sentence, example.link())


def cards(name: str) -> DeltaGenerator:
    """The place of some cards."""
    look = "padding-inline: 0; min-width: 44px"  # as a thumb needs
    st.html(f"<style>.st-key-{name} [data-testid=stPageLink] a {{ {look} }}</style>")
    return st.container(key=name)


def card(
    place: DeltaGenerator,
    item: dict | None,
    title: str,
    sentence: str,
    link: dict[str, str | list[str]],
) -> None:
    """A comparison with the picture of its data, if there is one, and a link to it in the Lab."""
    with place.container(border=True, height="stretch", horizontal=True, gap="small"):
        if item is not None:
            address = thumbnail(item, paint(), 2 * SIDE)
            seen = f'<img src="{address}" alt="" width="{SIDE}" height="{SIDE}">'
            st.html(seen, width=SIDE)
        with st.container(gap="xxsmall", width="stretch"):
            st.page_link(page_file("lab"), label=f"**{plain(title)}**", query_params=link)
            st.caption(plain(sentence))


def thumbnail(item: dict, colours: Paint, side: int) -> str:
    """The address of a picture of so many pixels, of one of the picker's :func:`pictures`."""
    if "image" in item:
        shade = np.asarray(item["image"])
        n = round(len(shade) ** 0.5)
        shade = (shade if colours.dark else 1 - shade).reshape(n, n)
        large = np.kron(shade, np.ones((side // n, side // n)))
        return as_address(png(np.rint(255 * large[..., None].repeat(3, axis=2)).astype(np.uint8)))
    points = np.asarray(item["points"], dtype=float)
    low, high, dot = points[:, :2].min(axis=0), points[:, :2].max(axis=0), side // 18
    across, up = np.rint((side - dot - 1) * (points[:, :2] - low) / (high - low)).astype(int).T
    pixels = np.empty((side, side, 3), dtype=np.uint8)
    pixels[:] = rgb(colours.back)
    last = len(colours.ramp) - 1
    for x, y, answer in zip(across, side - dot - 1 - up, points[:, 2], strict=True):
        colour = (
            colours.ramp[round(last * answer)] if "numbers" in item else colours.of(int(answer))
        )
        pixels[y : y + dot, x : x + dot] = rgb(colour)
    return as_address(png(pixels))
