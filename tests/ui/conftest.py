"""Fixtures of every test of what pages are made of."""

from tests.helpers.harness import compiled, components_known, visit
from tests.helpers.library import folders
from tests.helpers.pacing import clock, permits

__all__ = ["clock", "compiled", "components_known", "folders", "permits", "visit"]
