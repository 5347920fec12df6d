"""Numbers of a tree file, many at a time: float32 to digits and back, and whole numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import chain

import numpy as np

from treecore.persistence.document import TreeFormatError, kind, show

Where = Callable[[int], str]
"""Names the place of entry ``i`` of some numbers, for an error message."""


def digit_rows(matrix: np.ndarray) -> Iterator[list[str]]:
    """The digits of a float32 matrix, row by row.

    NumPy's shortest digits tell float32 numbers apart, but JSON readers round to float64 on the
    way, and of two roundings the second can fall on the wrong side: 7.038531e-26 does. There the
    longer digits of the float64 are exact.
    """
    step = max(1, 2**16 // matrix.shape[1])  # NumPy's text takes 128 bytes a number
    for start in range(0, matrix.shape[0], step):
        block = np.ascontiguousarray(matrix[start : start + step])
        digits = block.astype(str)
        back = digits.astype(np.float64).astype(np.float32)
        wrong = back.view(np.uint32) != block.view(np.uint32)
        if wrong.any():
            digits[wrong] = [repr(float(number)) for number in block[wrong]]
        yield from digits.tolist()


def flatten(rows: list, length: int, where: Where) -> list:
    """The entries of ``rows``, each a list of ``length`` entries, in one list."""
    for r, row in enumerate(rows):
        if type(row) is not list:
            raise TreeFormatError(f"{where(r)} must be a list, not {kind(row)}")
        if len(row) != length:
            raise TreeFormatError(f"{where(r)} has {len(row)} entries and must have {length}")
    return [*chain.from_iterable(rows)]


def _float64(numbers: list, where: Where) -> np.ndarray:
    if not set(map(type, numbers)) <= {int, float}:  # the type of True is bool
        k = next(k for k, number in enumerate(numbers) if type(number) not in (int, float))
        raise TreeFormatError(f"{where(k)} must be a number, not {kind(numbers[k])}")
    try:
        return np.array(numbers, dtype=np.float64)
    except OverflowError:  # an integer of more than 308 digits, and infinite for all that follows
        return np.array([x if abs(x) < 2**1023 else math.inf for x in numbers])


def float32(numbers: list, where: Where) -> np.ndarray:
    with np.errstate(all="ignore"):
        result = _float64(numbers, where).astype(np.float32)
    bad = np.flatnonzero(~np.isfinite(result))
    if bad.size:
        k = bad[0]
        raise TreeFormatError(
            f"{where(k)} is {show(numbers[k])}, and must be a finite float32, within ±3.4e38"
        )
    return result


def float64(numbers: list, where: Where) -> np.ndarray:
    result = _float64(numbers, where)
    bad = np.flatnonzero(~np.isfinite(result))
    if bad.size:
        k = bad[0]
        raise TreeFormatError(f"{where(k)} is {show(numbers[k])}, and must be a finite number")
    return result


def float64_rows(rows: list, length: int, where: Where) -> np.ndarray:
    flat = flatten(rows, length, where)
    numbers = float64(flat, lambda k: f"{where(k // length)}, entry {k % length},")
    return numbers.reshape(len(rows), length)


def float32_rows(rows: list, length: int, where: Where) -> np.ndarray:
    flat = flatten(rows, length, where)
    numbers = float32(flat, lambda k: f"{where(k // length)}, entry {k % length},")
    return numbers.reshape(len(rows), length)


def integers(numbers: list, limit: int | np.ndarray, where: Where) -> np.ndarray:
    """The ``numbers`` as int64, from 0 to below ``limit`` (one, or one for each)."""
    floats = _float64(numbers, where)
    bad = np.flatnonzero(~((floats >= 0) & (floats < limit) & (floats == np.floor(floats))))
    if bad.size:
        k = bad[0]
        most = np.broadcast_to(limit, floats.shape)[k] - 1
        raise TreeFormatError(
            f"{where(k)} is {show(numbers[k])}, and must be a whole number from 0 to {most}"
        )
    return floats.astype(np.int64)
