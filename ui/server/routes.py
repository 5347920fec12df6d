"""The addresses that the server answers beside Streamlit's own, all below its base path."""

import functools
import mimetypes
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import streamlit
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from streamlit import config, runtime

from treecore import __version__
from treecore.viewer import ASSETS, KERNELS, modules_of
from ui.language.catalogue import languages, viewer_words
from ui.learn.tab import engine
from ui.live.component import scripts_folder
from ui.server.live import live
from ui.server.metrics import metrics
from ui.shell.router import MOVED, PAGES
from ui.step.link import to_lab

FOR_EVER, A_DAY = "public, max-age=31536000, immutable", "public, max-age=86400"
"""Addresses of scripts and words change with what they lead to, see ``ui/live/component.py``."""

_SCRIPTS = {
    "": ["pages/home.js"],
    "learn": ["app/main.js"],
    "lab": ["pages/gallery.js", "app/main.js", "charts/overlay.js"],
}
"""What a page draws at first, beside what keeps the history."""

_DOCUMENT = Path(streamlit.__file__).parent / "static" / "index.html"
_FIRST = '<script type="module"'
"""What Streamlit's own script begins with; modules run in the order in which they stand."""

mimetypes.add_type("text/javascript", ".js")  # some systems call it plain text


async def front_page(request: Request) -> Response:
    """Streamlit's document; which page is drawn in it, its address says."""
    page = request.url.path.rpartition("/")[2]
    return HTMLResponse(_document(page), headers={"Cache-Control": "no-cache"})


@functools.cache
def _document(page: str) -> str:
    """Streamlit's, with one script of ours before its own, which adds an entry to the browser's
    history as a page completes its address: Back would lead to what is completed again.

    The page's modules are loaded at once, not level by level as they import one another.
    """
    entries = ["pages/history.js", "app/leaving.js", "app/words.js", *_SCRIPTS.get(page, [])]
    names = dict.fromkeys(name for entry in entries for name, _ in modules_of(entry))
    folder = f"./{scripts_folder()}"
    kinds = {".js": "modulepreload", ".json": 'modulepreload" as="json'}
    links = [(kinds[Path(name).suffix], name) for name in names]
    if "app/style.js" in names:
        links.append(('preload" as="fetch" crossorigin="anonymous', "live.css"))
    ours = "".join(f'<link rel="{how}" href="{folder}/{name}">\n    ' for how, name in links)
    ours += f'{_FIRST} src="{folder}/pages/address.js"></script>\n    '
    return _DOCUMENT.read_text(encoding="utf-8").replace(_FIRST, ours + _FIRST, 1)


async def moved(request: Request) -> Response:
    """Send a visitor of a page of before on to the one it is now, with what the link says."""
    given = request.query_params
    name = request.url.path.rpartition("/")[2]
    page, usual = MOVED[name]
    if name == "step":
        return RedirectResponse(f"{page}?{urlencode(to_lab(given))}")
    if "folder" in given:
        usual = {}
    said = [f"{name}={one}" for name, all in usual.items() if name not in given for one in all]
    query = "&".join([*said, *filter(None, [request.url.query])])
    return RedirectResponse(f"{page}?{query}" if query else page)


async def healthz(request: Request) -> JSONResponse:
    """200 and ``{"ok": true, "version": ...}`` where visitors are let in, else 503."""
    ok = runtime.exists()
    return JSONResponse(
        {"ok": ok, "version": __version__},
        status_code=200 if ok else 503,
        headers={"Cache-Control": "no-store"},
    )


async def words(request: Request) -> Response:
    """What the live view says in the language that the address names, as JSON for its scripts."""
    code = request.path_params["language"]
    if code not in languages():
        return PlainTextResponse("Not Found", 404)
    headers = {"Cache-Control": A_DAY}
    return Response(viewer_words(code), media_type="application/json", headers=headers)


async def kernels(request: Request) -> Response:
    """What a lesson is learnt by in a visitor's browser."""
    headers = {"Cache-Control": FOR_EVER}
    return FileResponse(KERNELS, media_type="application/wasm", headers=headers)


class Scripts(StaticFiles):
    """The folder ``treecore/viewer/js``, as files that browsers may keep."""

    def file_response(self, *words: Any, **settings: Any) -> Response:
        response = super().file_response(*words, **settings)
        response.headers["Cache-Control"] = FOR_EVER
        return response


OURS: dict[str, Callable] = {"/healthz": healthz, "/metrics": metrics}
"""By path, what answers a plain request there."""


def routes() -> list[BaseRoute]:
    """For ``st.App``; the base path is that of Streamlit's configuration."""
    engine()  # it says what is wrong with the environment
    base = (config.get_option("server.baseUrlPath") or "").strip("/")
    prefix = f"/{base}" if base else ""
    plain: list[BaseRoute] = [Route(prefix + path, answer) for path, answer in OURS.items()]
    # The first page has no name; those that nobody knows Streamlit answers, and says so.
    plain += [Route(f"{prefix}/{name}", front_page) for name in ("", *list(PAGES)[1:])]
    plain += [Route(f"{prefix}/{name}", moved) for name in MOVED]
    plain.append(Route(f"{prefix}/words/{{language}}", words))
    plain.append(Route(f"{prefix}/{scripts_folder()}/{KERNELS.name}", kernels))
    plain.append(Mount(f"{prefix}/{scripts_folder()}", Scripts(directory=ASSETS)))
    return [*plain, WebSocketRoute(f"{prefix}/live/{{token}}", live)]
