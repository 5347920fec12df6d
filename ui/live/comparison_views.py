"""Places on the comparison's page that the browser draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from ui.live.channel import Channel
from ui.live.component import Heard, browser_component, place
from ui.shell.page_style import styles

LEGEND = "legend"
"""Key of the container whose view says what the signs of all maps mean."""


def small_view(
    channel: Channel, view: str, key: str, flat: bool, on_step: Callable[[int], None] | None = None
) -> None:
    """One run of several: its map, where the data are ``flat`` (two features), and its tree."""
    _few("live_flat" if flat else "live_tree", channel, view, key, on_step)


def slow_view(channel: Channel, view: str, key: str, on_step: Callable[[int], None]) -> None:
    """Steps of one run in slow motion, see :mod:`ui.live.step_source`: map and tree."""
    _few("live_slow", channel, view, key, on_step)


def _few(name: str, channel: Channel, view: str, key: str, on_step) -> None:
    key = f"{key}_{name}"

    def requested() -> None:
        if on_step is not None and (which := st.session_state[key].get("step")) is not None:
            on_step(int(which))

    mount = browser_component(name, "app/main.js", styles("few", name))
    mount(data=place(channel, view), key=key, height="content", on_step_change=requested)


def board_view(
    channel: Heard,
    view: str,
    key: str,
    drawn: str | None = None,
    on_limit: Callable[[int], None] | None = None,
    on_slow: Callable[[], None] | None = None,
) -> None:
    """A part of the board; drawn: the state that the page is drawn for."""

    def moved() -> None:
        most = st.session_state[key].get("most")
        if on_limit is not None and most is not None:
            on_limit(int(most))

    def slowed() -> None:
        if on_slow is not None and st.session_state[key].get("slow"):
            on_slow()

    mount = browser_component("overlay", "charts/overlay.js")
    mount(
        data=place(channel, view, drawn),
        key=key,
        height="content",
        on_state_change=lambda: None,
        on_most_change=moved,
        on_slow_change=slowed,
    )


def picture_view(channel: Channel, view: str, key: str) -> None:
    """A picture that the server draws, in the place of a run."""
    mount = browser_component("picture", "pages/picture.js")
    mount(data=place(channel, view), key=key, height="content")


def strips_view(low: float, high: float, strips: Sequence[dict], key: str) -> None:
    """Accuracies over seeds, a strip a contestant, on one axis from low to high."""
    mount = browser_component("strips", "charts/strips.js")
    data = {"low": low, "high": high, "strips": list(strips)}
    mount(data=data, key=key, height="content")
