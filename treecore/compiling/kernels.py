"""The one decorator for compiled code, and the inner product that all kernels share.

Kernels are serial, release the GIL, and are cached (:mod:`treecore.compiling.kernel_cache`). Sums
may be added up in any order (``reassociated``), so last bits may differ between processors and
versions of numba, not between two runs on one machine.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from treecore.compiling.kernel_cache import (
    KernelCache,
    ShippedCache,
    cache_folder,
    shipped_folder,
    source_text,
    sources_digest,
)

PLAIN_PYTHON = bool(getattr(numba.config, "DISABLE_JIT", 0))
"""Whether numba was told to compile nothing."""

LANES = 16
"""Training arrays are padded to a multiple of so many numbers: a cache line."""

REASSOCIATED = {"reassoc", "contract"}
"""What ``fastmath`` may do to sums. Not more: the compiler would assume that no number is NaN."""


_SOURCES = sources_digest()
_CACHE_FOLDER = cache_folder(_SOURCES)
_SHIPPED_FOLDER = shipped_folder(_SOURCES)


KERNELS: list[Any] = []
"""Every kernel of the package that has been imported, in order of definition."""


def uncounted(dispatcher: Any) -> dict[str, bool]:
    """Options of numba for code that counts no references to arrays, up to twice as fast.

    They are not documented; a numba that does not know them counts, which is slower and as right.
    """
    known = getattr(getattr(dispatcher, "targetdescr", None), "options", None)
    return {"_nrt": False} if hasattr(known, "_nrt") else {}


_UNCOUNTED = {} if PLAIN_PYTHON else uncounted(numba.njit(lambda: None))


def kernel(
    function: Callable | None = None,
    *,
    inlined: bool = False,
    pasted: bool = False,
    reassociated: bool = False,
    allocates: bool = False,
) -> Callable:
    """Decorator: compile a function with numba: no Python objects, no GIL, cached on disk.

    - inlined: the compiler pastes it into kernels that call it (a call takes 100 ns for a struct).
    - pasted: numba does so before it looks for types, where few kernels call it.
    - reassociated: the compiler may add up sums in any order.
    - allocates: it makes arrays. No other may return an array, see :func:`uncounted`.
    """
    if function is None:
        return functools.partial(
            kernel, inlined=inlined, pasted=pasted, reassociated=reassociated, allocates=allocates
        )
    if PLAIN_PYTHON:
        return np.errstate(over="ignore", invalid="ignore")(function)  # as compiled code has it
    options: dict[str, Any] = {} if allocates else dict(_UNCOUNTED)
    options |= {"fastmath": REASSOCIATED if reassociated else False}
    options["no_cfunc_wrapper"] = True  # nothing calls kernels by address, and it takes 4 %
    options["error_model"] = "numpy"  # a division by 0 is not looked for: kernels trust
    options |= {"inline": "always" if pasted else "never", "forceinline": inlined}
    compiled: Any = numba.njit(nogil=True, **options)(function)
    if source_text(function):  # else nothing tells a change of its constants
        compiled._cache = (
            ShippedCache(function, _CACHE_FOLDER, _SHIPPED_FOLDER)
            if _SHIPPED_FOLDER.is_dir()
            else KernelCache(function, _CACHE_FOLDER)
        )
    KERNELS.append(compiled)
    return compiled


@kernel(inlined=True, reassociated=True)
def dot(w, x):
    """Inner product of two contiguous float32 vectors of the same length. w, x: float32 (n,)."""
    total = np.float32(0.0)
    for j in range(w.shape[0]):
        total += w[j] * x[j]
    return total


@kernel(inlined=True)
def add_scaled(x, factor, w):
    """Add ``factor`` times a float32 vector to another, ``w``, which may be shorter."""
    for j in range(w.shape[0]):
        w[j] += factor * x[j]
