"""The one decorator for compiled code, and the inner product that all kernels share.

Kernels are serial, release the GIL (``nogil``), and are cached on disk, where
:mod:`treecore.compiling.kernel_cache` says.

The compiler may add up the terms of a sum in any order (``reassociated``) and so use all that the
processor has. The last bits of a sum may therefore differ between processors and versions of numba,
not between two runs on one machine.
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
    """Return the options of numba for code that counts no references to arrays.

    It otherwise counts every array that a function receives, views or hands on up and down, by
    atomic instructions that all others wait for: up to half of the time of a kernel. The option is
    not documented. A numba that does not know it counts, which is slower and as right.
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

    - inlined: whether the compiler pastes it into the kernels that call it. A call hands over every
      number that an array consists of, which for a tuple of arrays takes 100 ns.
    - pasted: whether numba does so before it looks for types: nothing is then compiled apart, which
      spares time where few kernels call it.
    - reassociated: whether the compiler may add up sums in any order.
    - allocates: whether it makes arrays. All other kernels count no references (:func:`uncounted`),
      so they must not return an array or a tuple with one.
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
