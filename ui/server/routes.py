"""The addresses that the server answers beside Streamlit's own, all below its base path."""

from __future__ import annotations

from starlette.routing import BaseRoute, WebSocketRoute
from streamlit import config

from ui.server.live import live


def routes() -> list[BaseRoute]:
    """For ``st.App``; the base path is that of Streamlit's configuration."""
    base = (config.get_option("server.baseUrlPath") or "").strip("/")
    prefix = f"/{base}" if base else ""
    return [WebSocketRoute(f"{prefix}/live/{{token}}", live)]
