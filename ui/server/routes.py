"""The addresses that the server answers beside Streamlit's own, all below its base path."""

from __future__ import annotations

from collections.abc import Callable

from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from streamlit import config

from ui.live.component import scripts_folder
from ui.server.front_page import front_page, moved
from ui.server.health import healthz
from ui.server.live import live
from ui.server.metrics import metrics
from ui.server.scripts import Scripts
from ui.server.words import words
from ui.shell.router import MOVED, PAGES

OURS: dict[str, Callable] = {"/healthz": healthz, "/metrics": metrics}
"""By path, what answers a plain request there."""


def routes() -> list[BaseRoute]:
    """For ``st.App``; the base path is that of Streamlit's configuration."""
    base = (config.get_option("server.baseUrlPath") or "").strip("/")
    prefix = f"/{base}" if base else ""
    plain: list[BaseRoute] = [Route(prefix + path, answer) for path, answer in OURS.items()]
    # The first page has no name; those that nobody knows Streamlit answers, and says so.
    plain += [Route(f"{prefix}/{name}", front_page) for name in ("", *list(PAGES)[1:])]
    plain += [Route(f"{prefix}/{name}", moved) for name in MOVED]
    plain.append(Route(f"{prefix}/words/{{language}}", words))
    plain.append(Mount(f"{prefix}/{scripts_folder()}", Scripts()))
    return [*plain, WebSocketRoute(f"{prefix}/live/{{token}}", live)]
