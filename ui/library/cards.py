"""Cards of comparisons, each with a picture of its data and a link to the Lab."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

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
    picture: str,
    title: str,
    sentence: str,
    link: dict[str, str | list[str]],
) -> None:
    """A comparison, a picture of its data by its address, and a link to it in the Lab."""
    with place.container(border=True, height="stretch", horizontal=True, gap="small"):
        if picture:
            seen = f'<img src="{picture}" alt="" width="{SIDE}" height="{SIDE}">'
            st.html(seen, width=SIDE)
        with st.container(gap="xxsmall", width="stretch"):
            st.page_link(page_file("lab"), label=f"**{plain(title)}**", query_params=link)
            st.caption(plain(sentence))
