"""Cards of comparisons, each with a picture of its data and a link to the Lab."""

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.drawing.png import as_address, png
from ui.drawing.theme import Paint, paint, rgb
from ui.shell.router import page_file
from ui.shell.safe_text import plain

SIDE = 72
"""Pixels of a card's picture."""


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
