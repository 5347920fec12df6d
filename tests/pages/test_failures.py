"""A job that fails is a sentence on its page, whatever the error, and never an endless wait."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.helpers import harness
from tests.helpers.harness import news, places, press, run_until
from treecore import Trainer
from ui.jobs.background import BackgroundJob
from ui.library import sweep_job

ERRORS = [SystemError("LLVM"), SystemExit(1)]

TO_BE_TOLD = "omething went wrong"


@pytest.fixture(params=ERRORS, ids=lambda error: type(error).__name__)
def error(request):
    return request.param


@pytest.fixture
def fail(error):
    def fail(*_args, **_named):
        raise error

    return fail


def failed_views(app):
    reported = [news(place) for place in places(app)]
    return [meta for meta, _ in filter(None, reported) if meta.get("state") == "failed"]


@pytest.mark.parametrize("page", ["lab", "learn"])
def test_a_live_view_says_that_its_run_has_failed(monkeypatch, fail, page):
    monkeypatch.setattr(Trainer, "step", fail)
    app = harness.opened(page, **({"lesson": "6"} if page == "learn" else {}))
    run_until(app, lambda: failed_views(app), "for a failure")
    assert BackgroundJob.went_wrong in {meta.get("message") for meta in failed_views(app)}


def errors(app):
    return [one.value for one in app.error if TO_BE_TOLD in one.value]


def test_runs_over_seeds_that_fail_are_told(monkeypatch, fail):
    app = harness.opened("lab")
    monkeypatch.setattr(Trainer, "step", fail)
    press(app, "spread")
    run_until(app, lambda: errors(app), "for the failure")


def test_a_sweep_that_fails_is_told(monkeypatch, fail):
    app = harness.opened("library", tab="Sweeps")
    monkeypatch.setattr(sweep_job, "warm_up", fail)
    press(app, "sweep_start")
    run_until(app, lambda: errors(app), "for the failure")


@pytest.mark.parametrize(
    ("error", "reported"),
    [(RuntimeError("secret"), "Something went wrong"), (MemoryError(), "not enough memory")],
)
def test_a_page_that_cannot_be_drawn_says_so(error, reported):
    def page(error):
        from ui.server.logs import report_failure

        assert report_failure(error)

    app = AppTest.from_function(page, args=(error,)).run()
    (said,) = app.error
    assert reported in said.value
    assert "secret" not in said.value
