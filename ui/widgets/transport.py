"""The row of buttons that plays, pauses, steps and resets what learns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from ui.language.translate import N_, _

LOOKS = {
    "play": (N_("Play"), "play_arrow"),
    "pause": (N_("Pause"), "pause"),
    "step": (N_("Step"), "skip_next"),
    "reset": (N_("Reset"), "replay"),
}
"""Label and icon of each button, in the order of the row."""


@dataclass(frozen=True)
class Act:
    """What one button does.

    run: says what should be, and not what should change: a click that arrives twice does no harm.
    """

    run: Callable[..., None]
    help: str
    disabled: bool = False


def transport_buttons(place: str, **acts: Act) -> None:
    """Those buttons that are given by their names in :data:`LOOKS`, into the present container.

    place: what their keys begin with.
    """
    for name, (label, icon) in LOOKS.items():
        if act := acts.get(name):
            st.button(
                _(label),
                on_click=act.run,
                type="primary" if name == "play" else "secondary",
                icon=f":material/{icon}:",
                disabled=act.disabled,
                key=f"{place}{name}",
                help=act.help,
            )
