"""Whether all numbers of some rows are finite, as kernels ask who read these rows next."""

from __future__ import annotations

import numpy as np

from treecore.compiling.dispatch import by_first, implements
from treecore.rows.tables import SparseRows


@by_first
def are_finite(X, first, stop):
    """Whether all numbers of rows ``first`` up to ``stop`` are finite.

    Parameters
    ----------
    X : float32 array, shape (n_samples, p), or SparseRows
        A sparse table is taken for checked.
    first, stop : int

    Returns
    -------
    bool
    """


@implements(are_finite, np.ndarray)
def _dense_are_finite(X, first, stop):
    finite = True
    numbers = X[first:stop].reshape(-1)
    for j in range(numbers.shape[0]):  # a loop over numbers themselves is not vectorised
        finite &= np.isfinite(numbers[j])
    return finite


@implements(are_finite, SparseRows, inlined=True)
def _sparse_are_finite(X, first, stop):
    return True
