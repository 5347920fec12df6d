"""Arrays that begin at a cache line, so that wide reads do not touch two lines each."""

from __future__ import annotations

import math

import numpy as np

_LINE = 64
"""Bytes of a cache line on most processors."""


def aligned_zeros(shape: int | tuple[int, ...]) -> np.ndarray:
    """Zeros of float32, C-contiguous, from the beginning of a cache line on."""
    size = math.prod(shape) if isinstance(shape, tuple) else shape
    room = np.zeros(size + _LINE // 4, dtype=np.float32)
    first = -room.ctypes.data % _LINE // 4
    return room[first : first + size].reshape(shape)


def aligned(array: np.ndarray) -> np.ndarray:
    """The array in float32, C-contiguous, from a cache line on; itself where it is so."""
    if array.dtype == np.float32 and array.flags.c_contiguous and array.ctypes.data % _LINE == 0:
        return array
    copy = aligned_zeros(array.shape)
    copy[...] = array
    return copy
