"""Fixtures all tests may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import settings

# How long an example takes tells of the machine and of what else it does, not of the code.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

PAPERS_DATA = Path(os.environ.get("TREECORE_DATA", Path(__file__).parents[2] / "shared" / "data"))


_AGAIN: list[str] = []


_APP = {"ui", "streamlit", "harness", "experiments", "forests", "steps"}
"""Packages of the app, and of what tests open its pages with."""


def _of_the_app(module) -> bool:
    origins = {str(getattr(value, "__module__", "")) for value in vars(module).values()}
    return any(name.split(".")[0] in _APP for name in origins)


def pytest_runtest_protocol(item, nextitem):
    """A test of the app that fails is run once more before it counts, and is named.

    The app learns in threads of its own, and a browser draws in others: on a busy machine
    something now and then comes sooner or later than any test waits.
    """
    if item.get_closest_marker("browser") is None and not _of_the_app(item.module):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    if any(report.failed for report in reports):
        _AGAIN.append(item.nodeid)
        item._initrequest()
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def pytest_terminal_summary(terminalreporter):
    for nodeid in _AGAIN:
        terminalreporter.write_line(f"failed once, and was run again: {nodeid}")


@pytest.fixture(scope="session")
def paper_data():
    """``load(name)`` gives an archive of the papers' data, or skips where it is absent."""
    import numpy as np

    def load(name):
        path = PAPERS_DATA / f"{name}.npz"
        if not path.exists():
            pytest.skip(f"{path.name} is not at hand; set TREECORE_DATA to the folder that has it")
        with np.load(path) as archive:
            return {key: archive[key] for key in archive.files}

    return load


@pytest.fixture(scope="module")
def served():
    """The app, served for the tests of one module; see :func:`browser.serving`."""
    from browser import serving

    with serving() as served:
        yield served


@pytest.fixture(scope="module")
def address(served):
    """Where the app is served."""
    return served[0]


@pytest.fixture(scope="module")
def chromium():
    """The system's Chromium."""
    from browser import CHROMIUM_FLAGS, chromium_path

    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_FLAGS)
        yield browser
        browser.close()
