"""Numbers that are missing or infinite: what stands for them, and whether there are any."""

from __future__ import annotations

import numpy as np

from treecore.compiling.kernels import kernel


@kernel(pasted=True)
def any_infinite(X, first, stop):
    """Whether a number of rows ``first`` up to ``stop`` is infinite; X: float32 (n, p)."""
    found = False
    numbers = X[first:stop].reshape(-1)
    for j in range(numbers.shape[0]):  # a loop over numbers themselves is not vectorised
        found |= np.isinf(numbers[j])
    return found


def filled(X: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """X as float32 with missing values filled in by column; X itself where it is so already."""
    X = np.ascontiguousarray(X, dtype=np.float32)
    if not X.size or not np.isnan(X.min()):  # NaN if any number is; a mask would be a copy
        return X
    return np.where(np.isnan(X), missing.astype(np.float32), X)
