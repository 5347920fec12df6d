"""Whether all numbers of some rows are finite, as kernels ask who read these rows next."""

from __future__ import annotations

import numpy as np

from treecore.compiling.kernels import kernel


@kernel
def are_finite(X, first, stop):
    """Whether all numbers of rows ``first`` up to ``stop`` are finite; X: float32 (n, p)."""
    finite = True
    numbers = X[first:stop].reshape(-1)
    for j in range(numbers.shape[0]):  # a loop over numbers themselves is not vectorised
        finite &= np.isfinite(numbers[j])
    return finite
