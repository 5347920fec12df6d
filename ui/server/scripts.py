"""The scripts of the live view and of the other components, as files that browsers may keep."""

from __future__ import annotations

import mimetypes
from typing import Any

from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from treecore.viewer import ASSETS

FOR_EVER = "public, max-age=31536000, immutable"
"""Their address changes with what they are, see ``ui/live/component.py``."""

mimetypes.add_type("text/javascript", ".js")  # some systems call it plain text


class Scripts(StaticFiles):
    """The folder ``treecore/viewer/js``."""

    def __init__(self) -> None:
        super().__init__(directory=ASSETS)

    def file_response(self, *words: Any, **settings: Any) -> Response:
        """As Starlette's, with how long it may be kept."""
        response = super().file_response(*words, **settings)
        response.headers["Cache-Control"] = FOR_EVER
        return response
