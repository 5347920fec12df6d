"""What the live view says in other languages, as JSON for its scripts."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from ui.language.catalogue import languages, viewer_words

A_DAY = "public, max-age=86400"
"""Addresses change with what they lead to, see ``ui/live/component.py``."""


async def words(request: Request) -> Response:
    """The catalogue of the language that the address names."""
    code = request.path_params["language"]
    if code not in languages():
        return PlainTextResponse("Not Found", 404)
    return Response(
        viewer_words(code), media_type="application/json", headers={"Cache-Control": A_DAY}
    )
