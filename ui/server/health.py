"""``/healthz``: whether the app serves, for what watches over it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse
from streamlit import runtime

from treecore._version import __version__


async def healthz(request: Request) -> JSONResponse:
    """200 and ``{"ok": true, "version": ...}`` where visitors are let in, else 503."""
    ok = runtime.exists()
    return JSONResponse(
        {"ok": ok, "version": __version__},
        status_code=200 if ok else 503,
        headers={"Cache-Control": "no-store"},
    )
