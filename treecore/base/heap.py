"""Giving back what the heap has kept of freed memory."""

from __future__ import annotations

import ctypes
import functools
import sys
from collections.abc import Callable


@functools.cache
def _trim() -> Callable[[int], int] | None:
    """Glibc's ``malloc_trim``, or None where the C library is another one."""
    if not sys.platform.startswith("linux"):
        return None
    return getattr(ctypes.CDLL(None), "malloc_trim", None)


def trim_heap() -> None:
    """Give the system back what arrays have left in the heap, of all threads, in milliseconds."""
    if trim := _trim():
        trim(0)
