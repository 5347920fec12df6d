"""One server and one browser for all browser tests of a process."""

from __future__ import annotations

import os

import pytest

from tests.helpers.browser import CHROMIUM_FLAGS, chromium_path, serving


def pytest_collection_modifyitems(items):
    """All that lies here drives a browser."""
    for item in items:
        if item.path.is_relative_to(os.path.dirname(__file__)):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Where the served app keeps runs (``runs``) and sweeps (``sweeps``)."""
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="session")
def served(folder):
    """The app, served for all tests: its address and its process."""
    with serving(folder) as served:
        yield served


@pytest.fixture(scope="session")
def address(served):
    """Where the app is served."""
    return served[0]


@pytest.fixture(scope="session")
def chromium():
    """The system's Chromium."""
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_FLAGS)
        yield browser
        browser.close()
