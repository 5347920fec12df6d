"""Parts of the rows that are held out in turn."""

from __future__ import annotations

import numpy as np

FEW, MANY = 1000, 3000
"""Up to so many rows candidates are compared on five folds, up to the second on three; with more,
one part of a quarter says enough. Ten folds of few rows say no more: of two tables of 120 rows one
was chosen for better, one worse."""


VERY_FEW = 250
"""Rows with numbers as targets up to which they are divided twice: there inner folds hardly tell
candidates apart, and a second division by chance is another look at the same rows."""


def draw_folds(strata: np.ndarray, seed: int | list[int], n_folds: int) -> list[np.ndarray]:
    """Divide the rows into parts; gives their row numbers, a list of disjoint arrays.

    Every class is spread over the parts as evenly as its rows allow.

    Parameters
    ----------
    strata : int array, shape (n_samples,)
        Classes; all the same for numbers.
    seed : int or list of int
    n_folds : int
    """
    n = len(strata)
    order = np.random.default_rng(seed).permutation(n)
    order = order[np.argsort(strata[order], kind="stable")]
    fold = np.empty(n, dtype=np.int64)
    fold[order] = np.arange(n) % n_folds
    return [np.flatnonzero(fold == k) for k in range(n_folds)]


def held_out_parts(strata: np.ndarray, seed: int, numbers: bool = False) -> list[np.ndarray]:
    """The parts of :func:`draw_folds` on which candidates are compared.

    Parameters
    ----------
    strata : int array, shape (n_samples,)
    seed : int
    numbers : bool
        Whether targets are numbers: then very few rows are divided twice, and each comes twice.
    """
    n = len(strata)
    if n > MANY:
        return draw_folds(strata, seed, 4)[:1]
    folds = draw_folds(strata, seed, 5 if n <= FEW else 3)
    return folds + draw_folds(strata, [seed, 1], 5) if numbers and n <= VERY_FEW else folds
