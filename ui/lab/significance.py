"""Whether one learner is ahead of another over several draws, by a test whose error is stated."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy import stats

LEVEL = 0.01
"""The error of a verdict: how often two equal learners would be told apart, at most."""


def p_value(first: Sequence[float], second: Sequence[float], test_per_train: float = 0.0) -> float:
    """Two-sided p-value of a paired t-test.

    test_per_train: held-out rows for each training row, where the draws are other divisions of one
    table. They share rows, so a plain t-test would be too sure; this is the correction of Nadeau
    and Bengio (2003), "Inference for the generalization error", equation 9. 0 for fresh points.
    """
    apart = np.subtract(first, second)
    n = len(apart)
    variance = float(np.var(apart, ddof=1)) if n > 1 else math.nan
    if n < 2 or variance == 0:
        return 1.0 if n < 2 or not apart.any() else 0.0
    t = float(np.mean(apart)) / math.sqrt((1 / n + test_per_train) * variance)
    return float(2 * stats.t.sf(abs(t), n - 1))
