"""Verdicts on a measurement beside a published one: computed, never written.

*Above* is better than published, for errors lower, by more than one standard error of the
difference; *below* is worse by more; else both are *equal within error*.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
import pandas as pd

ABOVE, EQUAL, BELOW = "above", "equal within error", "below"
MORE, FEWER = "more leaves", "fewer leaves"
ORDER = ABOVE, MORE, EQUAL, BELOW, FEWER


def spread(values: Iterable[float]) -> float:
    """Standard deviation of several measurements; NaN where there is one."""
    return float(pd.Series(list(values)).std(ddof=1))


def mean_error(deviation: float, runs: int, percent: float = np.nan, n_rows: float = 0) -> float:
    """Standard error of a mean of several runs; of one run, that of a share of so many test rows.

    deviation: of the runs; runs: how many; percent: the mean; n_rows: test rows of one run, 0 where
    it is no share of them. NaN where neither is known.
    """
    of_runs = deviation / np.sqrt(runs) if runs > 1 else 0.0
    of_rows = np.sqrt(percent * (100 - percent) / n_rows) if n_rows else 0.0
    return float(np.fmax(of_runs, of_rows)) or np.nan


def verdict(ours: float, theirs: float, *errors: float, higher: bool = True) -> str | None:
    """Compare two numbers by their standard errors; None where a number or all errors are missing.

    higher: whether the greater number is the better one.
    """
    if np.isnan([ours, theirs]).any() or np.isnan(errors).all():
        return None
    lead = (ours - theirs) * (1 if higher else -1)
    error = np.sqrt(np.nansum(np.square(errors)))
    return EQUAL if abs(lead) <= error else ABOVE if lead > 0 else BELOW


def tally(verdicts: Iterable[str | None]) -> str:
    """Count verdicts, in words; empty where there is none."""
    counts = Counter(filter(lambda one: isinstance(one, str), verdicts))
    return ", ".join(f"{counts[kind]} {kind}" for kind in ORDER if counts[kind])
