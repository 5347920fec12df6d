"""Where a split on one feature cuts, given the values on either side."""

from __future__ import annotations

import numpy as np


def threshold_between(lower: np.float32, upper: np.float32) -> np.float32:
    """A threshold between two neighbouring values: their middle, rounded to float32.

    Whatever exceeds it is at least ``upper``, so rows are routed as they were counted.

    lower, upper: ``lower < upper``. Returns never below ``lower``, always below ``upper``.
    """
    middle = np.float32((float(lower) + float(upper)) / 2)
    return middle if middle < upper else np.float32(lower)
