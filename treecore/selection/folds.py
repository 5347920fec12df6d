"""Parts of the rows that are held out in turn."""

from __future__ import annotations

import numpy as np

FEW, MANY = 250, 3000
"""Up to so many rows every row is held out once, in five folds; up to the second in three. With
more, one part alone says enough."""

HELD_OUT = 0.25
"""Share of the rows in that part."""


def draw_folds(strata: np.ndarray, seed: int) -> list[np.ndarray]:
    """Row numbers that are held out, a list of disjoint parts.

    Every class is spread over the parts as evenly as its rows allow.

    Parameters
    ----------
    strata : int array, shape (n_samples,)
        Classes; all the same for numbers.
    seed : int
    """
    n = len(strata)
    n_folds = 5 if n <= FEW else 3 if n <= MANY else round(1 / HELD_OUT)
    order = np.random.default_rng(seed).permutation(n)
    order = order[np.argsort(strata[order], kind="stable")]
    fold = np.empty(n, dtype=np.int64)
    fold[order] = np.arange(n) % n_folds
    n_used = 1 if n > MANY else n_folds
    return [np.flatnonzero(fold == k) for k in range(n_used)]
