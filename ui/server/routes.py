"""The addresses that the server answers beside Streamlit's own, all below its base path."""

from __future__ import annotations

from collections.abc import Callable

from starlette.routing import BaseRoute, Route, WebSocketRoute
from streamlit import config

from ui.server.health import healthz
from ui.server.live import live
from ui.server.metrics import metrics
from ui.server.words import words

OURS: dict[str, Callable] = {"/healthz": healthz, "/metrics": metrics}
"""By path, what answers a plain request there."""


def routes() -> list[BaseRoute]:
    """For ``st.App``; the base path is that of Streamlit's configuration."""
    base = (config.get_option("server.baseUrlPath") or "").strip("/")
    prefix = f"/{base}" if base else ""
    plain = [Route(prefix + path, answer) for path, answer in OURS.items()]
    plain.append(Route(f"{prefix}/words/{{language}}", words))
    return [*plain, WebSocketRoute(f"{prefix}/live/{{token}}", live)]
