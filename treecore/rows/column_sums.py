"""Sums over the rows of a table, block by block, with the bits of one sum by NumPy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

BLOCK_VALUES = 1 << 17
"""Numbers of a block: 1 MiB of float64, which stays in the cache."""


def row_parts(n_rows: int, n_columns: int) -> Iterator[slice]:
    """The rows of a table, so many at a time that float64 numbers of theirs stay in the cache."""
    abreast = max(1, BLOCK_VALUES // max(1, n_columns))
    for start in range(0, n_rows, abreast):
        yield slice(start, min(start + abreast, n_rows))


def float64_blocks(X: np.ndarray) -> Iterator[np.ndarray]:
    """The rows of a table (n_samples, n_features) in float64, some at a time."""
    n, p = X.shape
    # The rows of a single column NumPy adds pairwise: they stay together.
    n_rows = max(1, BLOCK_VALUES // p) if p > 1 else n
    for start in range(0, n, n_rows):
        yield X[start : start + n_rows].astype(np.float64)


def sum_rows(blocks: Iterable[np.ndarray]) -> np.ndarray:
    """The sum of the rows of some blocks, as ``np.concatenate(blocks).sum(axis=0)``."""
    total: np.ndarray | None = None
    for block in blocks:
        rows = block if total is None else np.concatenate([total[None], block])
        total = rows.sum(axis=0)
    assert total is not None, "there is a block"
    return total


def means_and_deviations(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of every column, float64; nothing may be missing."""
    mean = sum_rows(float64_blocks(X)) / len(X)
    square = sum_rows((block - mean) ** 2 for block in float64_blocks(X))
    return mean, np.sqrt(square / len(X))


def column_means(X, weight: np.ndarray | None = None) -> np.ndarray:
    """Mean of the present values of every column, float64; 0 for a column without any.

    weight: float64 (n_samples,), of the rows; None: all weigh the same.
    """
    if not len(X):
        return np.zeros(X.shape[1])
    w = np.ones((len(X), 1)) if weight is None else weight[:, None]
    parts = list(row_parts(*X.shape))
    sums, present = sum_rows(w[part] * X[part] for part in parts), w.sum()
    if np.isnan(sums).any():
        # Not nan_to_num, which would make numbers of infinities as well.
        sums = sum_rows(w[part] * np.where(np.isnan(X[part]), 0, X[part]) for part in parts)
        present = sum_rows(w[part] * ~np.isnan(X[part]) for part in parts)
    return sums / np.where(present > 0, present, 1)
