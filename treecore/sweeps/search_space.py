"""The candidates of a search, by scikit-learn's machinery: all combinations, or some at random."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Range:
    """Numbers to be drawn from, both ends allowed.

    log: whether ratios are drawn evenly, in place of differences.
    """

    low: float
    high: float
    log: bool
    integer: bool

    def rvs(self, random_state: np.random.RandomState) -> float:
        """One number; of four digits, so that a table of runs can be read."""
        low, high = (math.log(self.low), math.log(self.high)) if self.log else (self.low, self.high)
        if self.integer and not self.log:
            return int(random_state.randint(int(self.low), int(self.high) + 1))
        value = random_state.uniform(low, high)
        value = math.exp(value) if self.log else value
        value = round(value) if self.integer else float(f"{value:.4g}")
        return min(max(value, self.low), self.high)


def grid(entries: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every combination of the values of each entry, lists by name."""
    from sklearn.model_selection import ParameterGrid  # slow to import, and seldom needed

    return list(ParameterGrid(list(entries)))


def draw(entries: Sequence[dict[str, Any]], count: int, seed: int) -> list[dict[str, Any]]:
    """Combinations drawn at random, each entry as likely as another.

    Where there are only lists none comes twice, and there may be fewer than ``count`` in all.

    entries: lists of values, or a :class:`Range`, by name.
    """
    if not any(isinstance(value, Range) for entry in entries for value in entry.values()):
        count = min(count, len(grid(entries)))
    from sklearn.model_selection import ParameterSampler

    return list(ParameterSampler(list(entries), count, random_state=seed))
