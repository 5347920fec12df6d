"""Fixtures all tests may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes tells of the machine and of what else it does, not of the code.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

PAPERS_DATA = Path(os.environ.get("TREECORE_DATA", Path(__file__).parents[2] / "shared" / "data"))


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


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """``shell("train", ...)`` in an empty folder; gives the result of click's runner."""
    from click.testing import CliRunner

    from treecore.commands import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TREECORE_RUNS", raising=False)

    def run(*words, code=0):
        result = CliRunner().invoke(main, [str(word) for word in words])
        assert result.exit_code == code, result.output + result.stderr
        return result

    return run


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
