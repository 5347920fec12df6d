"""The descent of rows through a tree, for predicting and for measuring alike.

A row alone would wait for every number from memory. So the rows of a block go down together::

    level 0   row 0  row 1  row 2  row 3  row 4 ...     all at the root
    level 1   row 0  row 1  row 2  row 3  row 4 ...     each at its own split
    level 2   row 0  row 2  row 3 ...                   rows 1 and 4 have reached a leaf

Neither the side that a row takes nor whether it has arrived is a branch, which the processor would
guess wrongly half the time: every row is written to the next place of the list of those that move
on, and only the length of the list says whether it is in it.

At a split on one feature a missing number (NaN) takes the side that the tree says; an oblique split
reads the row with means in place of what is missing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import dot, kernel
from treecore.rows.finite import any_infinite

ABREAST = 64
"""Rows of a block: of more, wide rows would not stay in the cache from level to level."""


class DescentSpace(NamedTuple):
    """Work space: of the rows under way the node and the number, and one row without NaN."""

    at: np.ndarray
    rows: np.ndarray
    known: np.ndarray

    @classmethod
    def of(cls, n_features: int) -> DescentSpace:
        at, rows = np.empty(ABREAST, dtype=np.int32), np.empty(ABREAST, dtype=np.uint32)
        return cls(at, rows, np.empty(n_features, dtype=np.float32))


@kernel
def descend(splits, root, X, checked, out, space):
    """Write the leaf, int32, of every row (NaN: missing) from ``root``; a score of 0 goes left.

    Returns how many rows: the first block with an infinite number ends it, unless ``checked``.
    """
    feature, threshold, row, weights, left, right, missing, missing_left = splits
    at, rows, known = space
    # Numbers of rows and splits are unsigned where they are indices: numba asks of signed ones
    # whether they count from the end.
    for first in range(0, out.shape[0], ABREAST):
        n_moving = min(ABREAST, out.shape[0] - first)
        if not checked and any_infinite(X, first, first + n_moving):
            return first
        for r in range(n_moving):
            at[r], rows[r] = root, first + r
        if root < 0:
            out[first : first + n_moving] = ~root
            n_moving = 0
        while n_moving > 0:
            n_next = 0
            for r in range(n_moving):
                split, i = np.uint32(at[r]), rows[r]
                if feature[split] >= 0:
                    x = X[i, np.uint32(feature[split])]
                    goes_right = (x > threshold[split]) | ((x != x) & (not missing_left[split]))
                else:
                    w = weights[np.uint32(row[split])]
                    s = dot(w, X[i]) - threshold[split]
                    if s != s:
                        for j in range(known.shape[0]):
                            known[j] = X[i, j] if X[i, j] == X[i, j] else missing[j]
                        s = dot(w, known) - threshold[split]
                    goes_right = s > 0
                to_left, to_right = left[split], right[split]
                child = to_right if goes_right else to_left
                out[i] = ~child
                at[n_next], rows[n_next] = child, i
                n_next += child >= 0
            n_moving = n_next
    return out.shape[0]
