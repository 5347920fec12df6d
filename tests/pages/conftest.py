"""Fixtures of every test that opens a page."""

from tests.helpers.harness import compiled, visit

__all__ = ["compiled", "visit"]
