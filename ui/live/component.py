"""How components of the app reach the browser, out of the scripts of ``treecore/viewer/js``.

``ui/server/routes.py`` serves the modules as one script and each message holds a loader of a few
lines, so the browser fetches them once.
"""

import functools
import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from treecore.viewer import ASSETS, MODULE
from ui.language.catalogue import ENGLISH, viewer_words
from ui.language.translate import N_, _, language

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


def hears(key: str, name: str, then: Callable[[Any], None] | None) -> Callable[[], None]:
    """Called when a view has said something: passes on what it says under a name, if anything."""

    def heard() -> None:
        if then is not None and (value := st.session_state[key].get(name)) is not None:
            then(value)

    return heard


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
    mount(data=data, key=key, on_chosen_change=hears(key, "chosen", on_change))


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
        # Browsers may keep the words of an older address.
        mark = hashlib.sha256(viewer_words(code).encode()).hexdigest()[:8]
        words, name = f'new URL("words/{code}?{mark}", home)', f"{name}_{code}"
    loader = _LOADER % (f"{scripts_folder()}/{SCRIPT}", words, script)
    return st.components.v2.component(f"treecore.{name}", js=loader, css=style or None)


@functools.cache
def scripts_folder() -> str:
    """Where our script is: a folder named after what is in it, so that browsers may keep it."""
    digest = hashlib.sha256()
    for path in [MODULE, *sorted(ASSETS.rglob("*"))]:
        if path.is_file():
            digest.update(path.read_bytes())
    return f"scripts/{digest.hexdigest()[:8]}"
