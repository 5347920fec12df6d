"""Fixtures all tests may use."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from tests.helpers.compiling import take_turns

# How long an example takes tells of the machine and of what else it does, not of the code. What
# `make test` tries is the same every time; `make test-all` looks further, at random.
timeless = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fixed", timeless, max_examples=50, derandomize=True, database=None)
settings.register_profile("few", settings.get_profile("fixed"), max_examples=10)  # without numba
settings.register_profile("random", timeless, max_examples=300, print_blob=True)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "fixed")
settings.load_profile(PROFILE)
if PROFILE != "random" and hasattr(providers, "_get_local_constants"):
    # It also tries numbers that stand in loaded modules, which are others in each process.
    nothing = providers._local_constants
    providers._get_local_constants = lambda: nothing


def pytest_collection_finish():
    """What was imported and collected stays: the garbage collector need not look at it again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def compiled_once(tmp_path_factory):
    """Where tests run in several processes, no two of them compile the same kernel."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        take_turns(tmp_path_factory.getbasetemp().parent)


@pytest.fixture(autouse=True)
def main_module(monkeypatch):
    """Puts ``__main__`` back when a test ends.

    ``AppTest`` runs a page as ``__main__`` and leaves it there, and a process that a later test
    starts would run the page once more, since ``multiprocessing`` imports that module anew.
    """
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


@pytest.fixture(scope="session")
def paper_data():
    """``load(name)`` gives an archive of the papers' data, or skips where it is absent."""
    import numpy as np

    def load(name):
        path = Path(os.environ.get("TREECORE_DATA", "")) / f"{name}.npz"
        if not path.exists():
            pytest.skip(f"{path.name} is not at hand; set TREECORE_DATA to the folder that has it")
        with np.load(path) as archive:
            return {key: archive[key] for key in archive.files}

    return load


@pytest.fixture
def rng():
    import numpy as np

    return np.random.default_rng(0)


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """``shell("train", ...)`` in an empty folder; gives the result of click's runner."""
    from click.testing import CliRunner

    from treecore.cli import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TREECORE_RUNS", raising=False)

    def run(*words, code=0, given=None):
        result = CliRunner().invoke(main, [str(word) for word in words], input=given)
        assert result.exit_code == code, result.output + result.stderr
        return result

    return run


@pytest.fixture
def little_time(monkeypatch):
    """Candidates for a default tree that learn next to nothing, in next to no time."""
    monkeypatch.setattr("treecore.selection.teacher.TREES", 4)
    monkeypatch.setattr("treecore.selection.folds.FEW", 0)
    monkeypatch.setattr("treecore.selection.taught_rows.FEWEST", 200)
    monkeypatch.setattr("treecore.selection.candidates.ROUNDS", 1)
    monkeypatch.setattr("treecore.selection.candidates.ROUNDS_ALONE", 1)
