"""Whether some rows hold an infinite number, as kernels ask who read these rows next."""

from __future__ import annotations

import numpy as np

from treecore.compiling.kernels import kernel


@kernel
def any_infinite(X, first, stop):
    """Whether a number of rows ``first`` up to ``stop`` is infinite; X: float32 (n, p)."""
    found = False
    numbers = X[first:stop].reshape(-1)
    for j in range(numbers.shape[0]):  # a loop over numbers themselves is not vectorised
        found |= np.isinf(numbers[j])
    return found
