"""What the server answers beside the pages: whether it serves, and our scripts."""

import asyncio
import json
import re

import pytest
from starlette.applications import Starlette
from starlette.requests import Request

from tests.helpers.coroutines import run_coroutine
from treecore._version import __version__
from ui.server import routes
from ui.shell.router import PAGES


@pytest.mark.parametrize(("ok", "status"), [(True, 200), (False, 503)])
def test_it_says_whether_visitors_are_let_in(monkeypatch, ok, status):
    monkeypatch.setattr(routes.runtime, "exists", lambda: ok)
    answer = run_coroutine(routes.healthz(Request({"type": "http"})))
    assert answer.status_code == status
    assert json.loads(answer.body) == {"ok": ok, "version": __version__}
    assert answer.headers["cache-control"] == "no-store"


def get(path: str) -> tuple[int, dict[bytes, bytes], str]:
    """What the server answers: status, headers and text."""
    sent = []

    async def send(message):
        sent.append(message)

    async def receive():
        await asyncio.Event().wait()  # nobody goes away

    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": []}
    run_coroutine(Starlette(routes=routes.routes())(scope, receive, send))
    text = b"".join(message.get("body", b"") for message in sent[1:]).decode()
    return sent[0]["status"], dict(sent[0]["headers"]), text


@pytest.mark.parametrize("page", ["", *list(PAGES)[1:]])
def test_every_page_runs_our_script_before_streamlit_s_and_asks_for_all_others(page):
    _status, _headers, document = get(f"/{page}")
    ours, theirs, *_ = re.findall(r'<script type="module"([^<]*)', document)
    assert "window.history.pushState" in ours
    assert 'src="./static/js/' in theirs
    [asked] = re.findall(r'<link rel="modulepreload" href="\./([^"]+)"', document)
    status, headers, text = get(f"/{asked}")
    assert status == 200
    assert '"map/map.js": (() => {' in text
    assert b"javascript" in headers[b"content-type"]
    assert b"immutable" in headers[b"cache-control"]


def test_only_scripts_are_served():
    folder = re.search(r"scripts/\w+", get("/")[2])[0]
    for path in ("app/main.js", "pages/none.js", "../__init__.py", "pages/../../__init__.py"):
        assert get(f"/{folder}/{path}")[0] == 404
