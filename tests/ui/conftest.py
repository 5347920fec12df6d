"""Fixtures of every test of what pages are made of."""

from tests.helpers.harness import compiled, visit

__all__ = ["compiled", "visit"]
