"""Where a split on one feature cuts, given the values on either side."""

from __future__ import annotations

import numpy as np


def threshold_between(lower: np.float32, upper: np.float32) -> np.float32:
    """The middle of two values, in float32, at least ``lower`` and always below ``upper``."""
    middle = np.float32((float(lower) + float(upper)) / 2)
    return middle if middle < upper else np.float32(lower)
