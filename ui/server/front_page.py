"""The document that every page begins with: Streamlit's, with one script of ours before its own.

Streamlit adds an entry to the browser's history when a page completes its address, before any
component is there that could keep it from that; Back would lead to the address that is completed
again.
"""

from __future__ import annotations

import functools
from pathlib import Path

import streamlit
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from ui.live.component import scripts_folder

_DOCUMENT = Path(streamlit.__file__).parent / "static" / "index.html"
_FIRST = '<script type="module"'
"""What Streamlit's own script begins with; modules run in the order in which they stand."""


async def front_page(request: Request) -> Response:
    """Streamlit's document; which page is drawn in it, its address says."""
    return HTMLResponse(_document(), headers={"Cache-Control": "no-cache"})


@functools.cache
def _document() -> str:
    ours = f'{_FIRST} src="./{scripts_folder()}/pages/address.js"></script>\n    '
    return _DOCUMENT.read_text(encoding="utf-8").replace(_FIRST, ours + _FIRST, 1)
