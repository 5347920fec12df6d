"""The document that every page begins with: Streamlit's, with one script of ours before its own.

Streamlit adds an entry to the browser's history when a page completes its address, before any
component is there that could keep it from that; Back would lead to the address that is completed
again.
"""

from __future__ import annotations

import functools
from pathlib import Path
from urllib.parse import urlencode

import streamlit
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from ui.live.component import scripts_folder
from ui.shell.router import MOVED
from ui.step.link import to_lab

_DOCUMENT = Path(streamlit.__file__).parent / "static" / "index.html"
_FIRST = '<script type="module"'
"""What Streamlit's own script begins with; modules run in the order in which they stand."""


async def front_page(request: Request) -> Response:
    """Streamlit's document; which page is drawn in it, its address says."""
    return HTMLResponse(_document(), headers={"Cache-Control": "no-cache"})


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


@functools.cache
def _document() -> str:
    ours = f'{_FIRST} src="./{scripts_folder()}/pages/address.js"></script>\n    '
    return _DOCUMENT.read_text(encoding="utf-8").replace(_FIRST, ours + _FIRST, 1)
