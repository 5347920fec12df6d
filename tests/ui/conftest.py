"""Fixtures of every test of what pages are made of."""

from tests.helpers.harness import compiled, components_known, figures_known, visit

__all__ = ["compiled", "components_known", "figures_known", "visit"]
