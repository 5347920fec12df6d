"""Whether the app serves."""

import json

import pytest
from starlette.requests import Request

from tests.helpers.coroutines import run_coroutine
from treecore._version import __version__
from ui.server import routes


@pytest.mark.parametrize(("ok", "status"), [(True, 200), (False, 503)])
def test_it_says_whether_visitors_are_let_in(monkeypatch, ok, status):
    monkeypatch.setattr(routes.runtime, "exists", lambda: ok)
    answer = run_coroutine(routes.healthz(Request({"type": "http"})))
    assert answer.status_code == status
    assert json.loads(answer.body) == {"ok": ok, "version": __version__}
    assert answer.headers["cache-control"] == "no-store"
