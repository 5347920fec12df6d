"""Parts of the rows that are held out in turn."""

from __future__ import annotations

import numpy as np

FEW, MANY, VERY_MANY = 300, 3000, 30_000
"""Up to so many rows candidates are compared on five folds, up to the second on three; with more,
one part of a quarter says enough, and beyond the third one of a tenth."""


def draw_folds(strata: np.ndarray, seed: int | list[int], n_folds: int) -> list[np.ndarray]:
    """Divide the rows into parts (arrays of row numbers), each class as evenly as it allows."""
    n = len(strata)
    order = np.random.default_rng(seed).permutation(n)
    order = order[np.argsort(strata[order], kind="stable")]
    fold = np.empty(n, dtype=np.int64)
    fold[order] = np.arange(n) % n_folds
    return [np.flatnonzero(fold == k) for k in range(n_folds)]


def held_out_parts(strata: np.ndarray, seed: int) -> list[np.ndarray]:
    """The parts of :func:`draw_folds` on which candidates are compared."""
    n = len(strata)
    if n > MANY:
        return draw_folds(strata, seed, 10 if n > VERY_MANY else 4)[:1]
    return draw_folds(strata, seed, 5 if n <= FEW else 3)
