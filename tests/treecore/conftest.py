"""Fixtures of the core's tests."""

from __future__ import annotations

import pytest


@pytest.fixture
def little_time(monkeypatch):
    """Candidates for a default tree that learn next to nothing, in next to no time."""
    monkeypatch.setattr("treecore.selection.teacher.TREES", 4)
    monkeypatch.setattr("treecore.selection.folds.FEW", 0)
    monkeypatch.setattr("treecore.selection.pruned.FEW", 0)
    monkeypatch.setattr("treecore.selection.taught_rows.FEWEST", 200)
    monkeypatch.setattr("treecore.selection.candidates.ROUNDS", 1)
    monkeypatch.setattr("treecore.selection.candidates.ROUNDS_ALONE", 1)
