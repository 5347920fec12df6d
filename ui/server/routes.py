"""The addresses that the server answers beside Streamlit's own, all below its base path."""

import functools
from collections.abc import Callable
from pathlib import Path
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
from starlette.routing import BaseRoute, Route, WebSocketRoute
from streamlit import config, runtime

from treecore import __version__
from treecore.viewer import ASSETS, MODULE, script_of
from ui.language.catalogue import languages, viewer_words
from ui.learn.tab import engine
from ui.live.component import SCRIPT, scripts_folder
from ui.server.live import live
from ui.server.metrics import metrics
from ui.shell.router import MOVED, PAGES
from ui.step.link import to_lab

FOR_EVER, A_DAY = "public, max-age=31536000, immutable", "public, max-age=86400"
"""Addresses of scripts and words change with what they lead to, see ``ui/live/component.py``."""

_DOCUMENT = Path(streamlit.__file__).parent / "static" / "index.html"
_FIRST = '<script type="module"'
"""What Streamlit's own script begins with; modules run in the order in which they stand."""


async def front_page(request: Request) -> Response:
    """Streamlit's document; which page is drawn in it, its address says."""
    return HTMLResponse(_document(), headers={"Cache-Control": "no-cache"})


@functools.cache
def _document() -> str:
    """Streamlit's, with one script of ours before its own, which adds an entry to the browser's
    history as a page completes its address: Back would lead to what is completed again.
    """
    first = (ASSETS / "pages/address.js").read_text(encoding="utf-8")
    ours = f'<link rel="modulepreload" href="./{scripts_folder()}/{SCRIPT}">\n    '
    ours += f"{_FIRST}>\n{first}</script>\n    "
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
    return FileResponse(MODULE, media_type="application/wasm", headers=headers)


async def script(request: Request) -> Response:
    """All modules of ``treecore/viewer/js`` as one."""
    names = sorted(path.relative_to(ASSETS).as_posix() for path in ASSETS.rglob("*.js"))
    headers = {"Cache-Control": FOR_EVER}
    return Response(script_of(*names), media_type="text/javascript", headers=headers)


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
    plain.append(Route(f"{prefix}/{scripts_folder()}/{MODULE.name}", kernels))
    plain.append(Route(f"{prefix}/{scripts_folder()}/{SCRIPT}", script))
    return [*plain, WebSocketRoute(f"{prefix}/live/{{token}}", live)]
