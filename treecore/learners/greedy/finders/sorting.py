"""Sorting float32 numbers inside kernels: by their bytes, stable, with work space made before."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel

_SIGN = np.uint32(0x80000000)

_FEW = 40
"""Rows that are sorted by insertion, which is faster for so many."""


class SortSpace(NamedTuple):
    """Work space of :func:`ascending`, made outside of kernels: they compile the faster.

    keys, next_keys: uint32 (n,); order, next_order: int32 (n,); places: int64 (256,).
    """

    keys: np.ndarray
    next_keys: np.ndarray
    order: np.ndarray
    next_order: np.ndarray
    places: np.ndarray


def sort_space(n: int) -> SortSpace:
    """Work space of :func:`ascending` for up to ``n`` numbers."""
    keys, order = np.empty((2, n), dtype=np.uint32), np.empty((2, n), dtype=np.int32)
    return SortSpace(keys[0], keys[1], order[0], order[1], np.empty(256, dtype=np.int64))


@kernel
def ascending(values, space):
    """Write the positions of float32 values in ascending order to ``space.order``, stable.

    A radix sort, byte by byte from the last: about ten times as fast as by comparison. A byte in
    which all keys agree (most, for small integers) is passed over.
    """
    keys, next_keys, order, next_order, places = space
    n, swapped = values.shape[0], False
    bits = values.view(np.uint32)
    for i in range(n):  # a key is ordered as unsigned as the value is as float
        key = bits[i]
        if key == _SIGN:  # -0.0 is 0.0: equal values, equal keys
            key = np.uint32(0)
        if values[i] != values[i]:  # NaN is last, whatever its sign
            key = ~_SIGN
        keys[i] = ~key if key & _SIGN else key | _SIGN
        order[i] = i
    shift = -8
    while shift < 24:  # a loop over a tuple is compiled once for each of its numbers
        shift += 8
        places[:] = 0
        for i in range(n):
            places[(keys[i] >> shift) & 255] += 1
        if n == 0 or places[(keys[0] >> shift) & 255] == n:
            continue
        place = 0
        for byte in range(256):
            count = places[byte]
            places[byte] = place
            place += count
        for i in range(n):
            byte = (keys[i] >> shift) & 255
            next_keys[places[byte]] = keys[i]
            next_order[places[byte]] = order[i]
            places[byte] += 1
        keys, next_keys = next_keys, keys
        order, next_order = next_order, order
        swapped = not swapped
    if swapped:
        for i in range(n):
            next_order[i] = order[i]


@kernel
def sort_rows(column, rows, line, values, space):
    """Write rows, int32 (n,), by ascending value to ``line``, NaN last, equal ones in their order.

    column: float32 (n_samples,); values: float32 (>= n,), work space.
    """
    n = rows.shape[0]
    if n > _FEW:
        for i in range(n):
            values[i] = column[rows[i]]
        ascending(values[:n], space)
        for i in range(n):
            line[i] = rows[space.order[i]]
        return
    for i in range(n):
        row, place = rows[i], i
        value = column[row]
        while place > 0 and value == value and not values[place - 1] <= value:
            values[place], line[place] = values[place - 1], line[place - 1]
            place -= 1
        values[place], line[place] = value, row
