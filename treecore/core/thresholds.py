"""Where a split on one feature cuts, given the values on either side."""

from __future__ import annotations

import numpy as np

from treecore.compiling.kernels import kernel


@kernel
def threshold_between(lower, upper):
    """The middle of two float32 values, in float32, at least ``lower`` and below ``upper``."""
    middle = np.float32((np.float64(lower) + np.float64(upper)) / 2)
    return middle if middle < upper else lower
