"""Fixtures all tests may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

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
