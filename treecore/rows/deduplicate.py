"""Deduplication: equal rows are found by digests and merged, with the sum of their weights.

SGD visits rows in random order, so a row written twice and a row of weight two are two different
runs. Where they are to be one and the same, the table is brought to a form that does not know how
it was written: every different row once, in the order of a digest of its bytes.
"""

from __future__ import annotations

from hashlib import blake2b
from itertools import pairwise

import numpy as np

from treecore.rows.column_sums import row_parts
from treecore.rows.tables import SparseRows, is_narrow, n_rows, take_rows, widened

_WIDTH = 32
"""Numbers that a sparse row is taken to store."""


def row_digests(X, y: np.ndarray) -> np.ndarray:
    """A name of 128 bits for every row with its target; equal rows, and only they, share one.

    Rows are compared as trees read them, in float32; -0 is 0, and one NaN is like another.

    Parameters
    ----------
    X : array of numbers, shape (n_samples, n_features), or SparseRows
    y : array, shape (n_samples,) or (n_samples, n_outputs)

    Returns
    -------
    uint64 array, shape (n_samples, 2)
    """
    names = np.empty((n_rows(X), 16), dtype=np.uint8)
    for block in row_parts(n_rows(X), _WIDTH if isinstance(X, SparseRows) else X.shape[1]):
        targets = _row_bytes(y[block].astype(np.float64))
        rows = _stored_bytes if isinstance(X, SparseRows) else _dense_bytes
        digests = [
            blake2b(target + row, digest_size=16).digest()
            for row, target in zip(rows(X, block), targets, strict=True)
        ]
        names[block] = np.frombuffer(b"".join(digests), dtype=np.uint8).reshape(-1, 16)
    return names.view(">u8").astype(np.uint64)


def deduplicate_rows(X, y: np.ndarray, weight: np.ndarray | None):
    """The table with every different row once, where rows repeat or weigh other than 1.

    A table of different rows that all weigh 1 comes back as it is. Any other comes back the same
    to the last bit, however its rows were ordered and however they were repeated: an integer
    weight is as good as as many repetitions, and weight 0 as good as no row.

    Parameters
    ----------
    X : array of numbers, shape (n_samples, n_features), or SparseRows
    y : array, shape (n_samples,) or (n_samples, n_outputs)
    weight : float array, shape (n_samples,), or None

    Returns
    -------
    X, y, weight
        ``weight`` is None where all rows weigh 1.
    """
    if weight is not None and (weight == 0).any():
        weighted = np.flatnonzero(weight)
        X, y, weight = take_rows(X, weighted), y[weighted], weight[weighted]
    names = row_digests(X, y)
    order = np.lexsort((names[:, 1], names[:, 0]))
    first = np.zeros(len(order), dtype=bool)
    first[:1] = True
    for part in names.T:  # one after the other, as they are long
        in_order = part[order]
        first[1:] |= in_order[1:] != in_order[:-1]
    if first.all() and (weight is None or (weight == 1).all()):
        return X, y, None
    weight = np.ones(len(order)) if weight is None else weight
    totals = np.bincount(np.cumsum(first) - 1, weight[order])
    X = take_rows(X, order[first])
    if not is_narrow(X):
        X = widened(X)  # wider numbers may differ where those of float32 do not
    return X, y[order[first]], totals


def _row_bytes(table: np.ndarray) -> list[bytes]:
    table = np.ascontiguousarray(table.reshape(len(table), -1)) + 0.0  # -0 becomes 0
    table[np.isnan(table)] = np.nan
    text, width = table.tobytes(), table.itemsize * table.shape[1]
    return [text[i : i + width] for i in range(0, len(text), width)]


def _dense_bytes(X: np.ndarray, block: slice) -> list[bytes]:
    return _row_bytes(X[block].astype(np.float32))


def _stored_bytes(X: SparseRows, block: slice) -> list[bytes]:
    rows = []
    start = X.start[block.start : block.stop + 1]
    for first, stop in pairwise(start):
        values, where = X.values[first:stop], X.where[first:stop]
        nonzero = values != 0  # a zero that is stored is a zero
        rows.append(where[nonzero].tobytes() + values[nonzero].tobytes())
    return rows
