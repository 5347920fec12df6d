"""Which colour a method has: the same on every page that draws runs of several methods."""

from __future__ import annotations

from collections.abc import Sequence

from treecore.training import METHODS
from treecore.viewer import PALETTE


def colour_numbers(methods: Sequence[str]) -> list[int]:
    """Colours of runs drawn together: of their methods, another for who has an earlier run's."""
    own = [METHODS[name].colour for name in methods]
    last = len(PALETTE["methods"]["light"]) - 1
    free = (number for number in range(last, -1, -1) if number not in own)
    found: list[int] = []
    for number in own:
        found.append(next(free, number) if number in found else number)
    return found


def line_colour(number: int, dark: bool) -> str:
    """The colour of that number on a light or a dark page."""
    return PALETTE["methods"]["dark" if dark else "light"][number]


def run_colours(methods: Sequence[str], dark: bool) -> list[str]:
    return [line_colour(number, dark) for number in colour_numbers(methods)]
