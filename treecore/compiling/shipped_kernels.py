"""Compiled kernels that a wheel brings, in a folder of the package.

They are used where the user's own cache has no code for a kernel, and only where they are exactly
what would be compiled: by the same text of all kernels, the same Python and numba, on a processor
that has all that the code needs. :mod:`treecore.training.shipping` makes the folder, for the oldest
processors with AVX2 and FMA; trees may differ in their last bits from those of newer code.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core.compiler import CompileResult

from treecore.compiling.kernel_cache import PACKAGE, KernelCache

PROCESSOR_FILE = "processor.json"
"""In that folder: what numba has compiled for, a triple, the processor's name and its features."""


def shipped_folder(sources: str, package: Path = PACKAGE) -> Path:
    """Where the package has kernels for this text, Python and numba, if it has any.

    sources: of :func:`treecore.compiling.kernel_cache.sources_digest`.
    """
    made_with = f"{sys.implementation.cache_tag}-numba-{numba.__version__}"
    return package / "compiled" / f"{sources}-{made_with}"


def serves(needed: tuple[str, str, str], here: tuple[str, str, str]) -> bool:
    """Whether code for one processor (triple, name, features) runs on another."""
    required, there = (
        {name for name in magic[2].split(",") if name.startswith("+")} for magic in (needed, here)
    )
    return needed[0] == here[0] and required <= there


class ShippedCache(KernelCache):
    """The cache of a kernel, which looks into the package where the user's folder has nothing."""

    def __init__(self, function: Callable, folder: Path, shipped: Path):
        super().__init__(function, folder)
        self._shipped = shipped
        self._needed = tuple(json.loads((shipped / PROCESSOR_FILE).read_text("utf-8")))

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """The kernel from the user's folder, else from the package; None where neither has it."""
        found = super().load_overload(sig, target_context)
        if found is None and serves(self._needed, target_context.codegen().magic_tuple()):
            found = self._load(self._shipped, sig, target_context, self._needed)
        return found
