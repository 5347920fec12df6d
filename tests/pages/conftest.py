"""Fixtures of every test that opens a page."""

from tests.helpers.harness import compiled, components_known, figures_known, visit

__all__ = ["compiled", "components_known", "figures_known", "visit"]
