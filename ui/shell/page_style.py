"""The style of the pages: the files of the folder ``styles``, in the colours of the palette."""

from functools import cache
from pathlib import Path
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from treecore.viewer import PALETTE
from ui.language.translate import _

_LIGHT, _DARK = PALETTE["page"]["light"], PALETTE["page"]["dark"]

_TOKENS = {
    "comment": ("#5a6470", "#a9b5bf"),
    "keyword": ("#0b5cad", "#79b8ff"),
    "punctuation": ("#5a6470", "#a9b5bf"),
    "operator": ("#9a4a00", "#ffab70"),
    "boolean": ("#0a6b2e", "#85e89d"),
    "number": ("#0a6b5e", _DARK["plus"]),
    "string": ("#0a6b2e", "#85e89d"),
    "string-interpolation": ("#0a6b2e", "#85e89d"),
}
"""Colours of programs, on a light and on a dark page."""


@cache
def styles(*names: str) -> str:
    folder = Path(__file__).with_name("styles")
    return "\n".join((folder / f"{name}.css").read_text(encoding="utf-8") for name in names)


@cache
def colours() -> str:
    """The palette as custom properties, as in ``var(--tc-back)``, which follow the theme."""
    shades = (f"--tc-{name}: light-dark({_LIGHT[name]}, {_DARK[name]});" for name in _LIGHT)
    return f":root {{ {' '.join(shades)} }}"


def surface() -> None:
    """Lay the styles under a page. Called by ``ui/main.py``."""
    programs = "".join(
        f"[data-testid=stCode] .token.{kind} "
        f"{{ color: light-dark({on_light}, {on_dark}) !important }}"
        for kind, (on_light, on_dark) in _TOKENS.items()
    )
    more = f':root {{ --tc-more: "{_("More")}" }}'
    st.html(f"<style>{colours()}{more}{styles('page')}{programs}</style>")


def lay(*names: str) -> None:
    st.html(f"<style>{styles(*names)}</style>")


def picture_columns(
    page: str, gap: Literal["small", "medium"] = "small"
) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Two columns, as for pictures; one lies below the other where there is little room."""
    return st.container(key=f"pictures_{page}").columns(2, gap=gap)
