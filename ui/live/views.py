"""Views that the browser draws, each of what it hears by a channel."""

from collections.abc import Callable
from typing import Any, Protocol

from ui.language.translate import language
from ui.live.channel import Channel
from ui.live.component import browser_component, hears
from ui.shell.page_style import styles


class Heard(Protocol):
    """What views hear: a channel, or runs that the browser learns."""

    language: str

    @property
    def address(self) -> str: ...


def place(channel: Heard, view: str, drawn: str | None = None) -> dict[str, Any]:
    """What the page says to a view, which hears the rest by its channel; ``Told`` in JavaScript."""
    channel.language = language()
    message: dict[str, Any] = {"wire": channel.address, "view": view}
    return message if drawn is None else message | {"drawn": drawn}


def live_view(
    channel: Channel,
    view: str,
    key: str,
    drawn: str,
    lens: dict[str, Any],
    on_lens: Callable[[dict], None],
    on_step: Callable[[int], None],
) -> None:
    """A run's map, curves and tree; in another state than ``drawn`` the script runs again."""
    mount = browser_component("live", "app/main.js")
    mount(
        data=place(channel, view, drawn) | {"lens": lens},
        key=key,
        height="content",
        on_lens_change=hears(key, "lens", on_lens),
        on_step_change=hears(key, "step", on_step),
        on_state_change=lambda: None,
    )


def picture_buttons(
    channel: Channel, view: str, key: str, title: str, name: str, disabled: bool
) -> None:
    """Buttons that save what a live view shows, below this title, as SVG or PNG by the browser."""
    mount = browser_component("savepicture", "pages/savepicture.js")
    data = {"of": place(channel, view), "title": title, "name": name, "disabled": disabled}
    mount(data=data, key=key, width="content", height="content")


def pulse_view(channel: Channel, view: str, key: str, drawn: str) -> None:
    """Run the script, or this fragment, when the source's ``state`` is not the one ``drawn``."""
    mount = browser_component("pulse", "pages/pulse.js")
    message = place(channel, view, drawn)
    mount(data=message, key=key, height="content", on_state_change=lambda: None)


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
    mount = browser_component(name, "app/main.js", styles("few", name))
    asked = hears(key, "step", on_step)
    mount(data=place(channel, view), key=key, height="content", on_step_change=asked)


def board_view(
    channel: Heard,
    view: str,
    key: str,
    drawn: str | None = None,
    on_limit: Callable[[int], None] | None = None,
    on_slow: Callable[[bool], None] | None = None,
) -> None:
    """A part of the board; drawn: the state that the page is drawn for."""
    mount = browser_component("overlay", "charts/overlay.js")
    mount(
        data=place(channel, view, drawn),
        key=key,
        height="content",
        on_state_change=lambda: None,
        on_most_change=hears(key, "most", on_limit),
        on_slow_change=hears(key, "slow", on_slow),
    )


def picture_view(channel: Channel, view: str, key: str) -> None:
    """A picture that the server draws, in the place of a run."""
    mount = browser_component("picture", "pages/picture.js")
    mount(data=place(channel, view), key=key, height="content")
