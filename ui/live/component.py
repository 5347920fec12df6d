"""The components of the app that the browser draws, out of the scripts of ``treecore/viewer/js``.

``ui/server/routes.py`` serves the modules as one script and each message holds a loader of a few
lines, so the browser fetches them once.
"""

import functools
import hashlib
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import streamlit as st

from treecore.viewer import ASSETS, KERNELS
from ui.language.catalogue import ENGLISH, viewer_words
from ui.language.translate import N_, _, language
from ui.live.channel import Channel
from ui.shell.page_style import styles

SCRIPT = "app/views.js"
"""The script's name in its folder, as deep as its modules, which ask for what lies beside them."""

RENEWED = N_(
    "The server has lost this page's runs: it restarted, or the connection was down too long. "
    "Your settings are still here; press Play to learn the same trees again."
)

# Inline scripts run from a blob, where relative addresses mean nothing: where the app lives, behind
# whatever proxy, shows in the address of Streamlit's own scripts.
_LOADER = """
const own = [...document.scripts].map((s) => s.src).find((s) => s.includes("/static/js/"));
const home = own ? new URL("../../", own) : new URL("/", location.href);
const loaded = import(new URL("%s", home).href);
export default async (component) => {
  const { use } = await loaded;
  await use("app/words.js").learn(%s);
  const setTriggerValue = use("app/leaving.js").patient(component);
  return use("%s").default({ ...component, setTriggerValue });
};
"""


def live_view(
    channel: Channel,
    view: str,
    key: str,
    drawn: str,
    lens: dict[str, Any] | None = None,
    on_lens: Callable[[dict], None] | None = None,
    on_step: Callable[[int], None] | None = None,
) -> None:
    """A run's map, curves and tree; in another state than ``drawn`` the script runs again."""
    mount = browser_component("live", "app/main.js")
    data = place(channel, view, drawn)
    if lens is not None:
        data["lens"] = lens
    mount(
        data=data,
        key=key,
        height="content",
        on_lens_change=_hears(key, "lens", on_lens),
        on_step_change=_hears(key, "step", on_step),
        on_state_change=lambda: None,
    )


def _hears(key: str, name: str, then: Callable[[Any], None] | None) -> Callable[[], None]:
    """Called when a view has said something: passes on what it says under a name, if anything."""

    def heard() -> None:
        if then is not None and (value := st.session_state[key].get(name)) is not None:
            then(value)

    return heard


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


def gallery(
    items: Sequence[dict],
    chosen: str | None,
    key: str,
    strip: bool = False,
    on_change: Callable[[str], None] | None = None,
) -> None:
    """Small pictures of datasets; on_change: is called with the name of the one picked."""
    mount = browser_component("gallery", "pages/gallery.js")
    data = {"items": list(items), "chosen": chosen, "strip": strip}
    mount(data=data, key=key, on_chosen_change=_hears(key, "chosen", on_change))


def history_keeper(session: str, page: str, query: str, mode: int = 0) -> None:
    """Keep the browser's history to the visitor's steps; says if the session is a new one.

    mode: what of the page is shown; another one is seen from its beginning.
    """

    def renewed() -> None:
        st.session_state.renewed = True

    mount = browser_component("history", "pages/history.js")
    data = {"session": session, "page": page, "query": query, "mode": mode}
    mount(
        data=data | ({} if language() == ENGLISH else {"lang": language()}),
        key="history",
        on_renewed_change=renewed,
        on_asked_change=lambda: None,
    )
    if st.session_state.pop("renewed", False):
        st.toast(_(RENEWED), icon=":material/restart_alt:", duration="infinite")


def browser_component(name: str, script: str, style: str = "") -> Callable:
    """Register a component once; two with other rules of style need other names."""
    return _component(name, script, style, language())


@functools.cache
def _component(name: str, script: str, style: str, code: str) -> Callable:
    words = ""
    if code != ENGLISH:
        words, name = (
            f'new URL("words/{code}?{_print_of(viewer_words(code))}", home)',
            f"{name}_{code}",
        )
    loader = _LOADER % (f"{scripts_folder()}/{SCRIPT}", words, script)
    return st.components.v2.component(f"treecore.{name}", js=loader, css=style or None)


def _print_of(text: str) -> str:
    """Changes with a text, and with it an address: browsers may keep old ones."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


@functools.cache
def scripts_folder() -> str:
    """Where our script is: a folder named after what is in it, so that browsers may keep it."""
    digest = hashlib.sha256()
    for path in [KERNELS, *sorted(ASSETS.rglob("*"))]:
        if path.is_file():
            digest.update(path.read_bytes())
    return f"scripts/{digest.hexdigest()[:8]}"


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
    asked = _hears(key, "step", on_step)
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
        on_most_change=_hears(key, "most", on_limit),
        on_slow_change=_hears(key, "slow", on_slow),
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
