"""Fewer of very many: which moments of a run stay when there are too many to hold or to draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

Item = TypeVar("Item")


def every_second(items: Sequence[Item]) -> list[Item]:
    """The first, every second one after it, and the last: still as far apart as they can be."""
    return [*items[:-1:2], *items[-1:]]


def evenly(n: int, most: int) -> np.ndarray:
    """Places of at most ``most`` (2 or more) of ``n`` items, the first and the last among them."""
    return np.unique(np.linspace(0, n - 1, min(most, n)).round().astype(int))
