"""Which colour a method has: the same on every page that draws runs of several methods."""

from __future__ import annotations

from collections.abc import Sequence

from treecore.training import METHODS
from treecore.viewer import PALETTE

ORDER = (
    "axis",
    "sgd",
    "oc1",
    "annealed",
    "tao",
    "stable-sgd",
    "co2",
    "random-oblique",
    "hinge-forest",
    "hinge-ferns",
)
"""Methods in the order of their colours in the palette, those that are seen most first."""


def colour_numbers(methods: Sequence[str]) -> list[int]:
    """Colours of runs drawn together: of their methods, another for who has an earlier run's."""
    own = [ORDER.index(METHODS[name].base or name) for name in methods]
    free = (number for number in reversed(range(len(ORDER))) if number not in own)
    found: list[int] = []
    for number in own:
        found.append(next(free, number) if number in found else number)
    return found


def line_colour(number: int, dark: bool) -> str:
    """The colour of that number on a light or a dark page."""
    return PALETTE["methods"]["dark" if dark else "light"][number]


def run_colours(methods: Sequence[str], dark: bool) -> list[str]:
    return [line_colour(number, dark) for number in colour_numbers(methods)]
