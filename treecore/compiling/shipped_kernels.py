"""Compiled kernels that a wheel brings, in the folder ``compiled`` of the package.

Whoever installs such a wheel compiles nothing: where the user's own cache has no code for a kernel,
numba is given that of the package. It is used only where it is exactly what would be compiled: by
the same text of all kernels, the same Python and numba, and on a processor that has all that the
code needs. Anywhere else, and for any type of arguments that nobody thought of, kernels are
compiled as ever. What is compiled goes to the user's cache.

:mod:`treecore.training.shipping` makes the folder, for the oldest processors with AVX2 and FMA, so
that it serves those of the last ten years. Kernels compiled for a newer processor may add up in
another order (:mod:`treecore.compiling.kernels`), so trees may differ in their last bits.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.compiler import CompileResult

from treecore.compiling.kernel_cache import PACKAGE, KernelCache

ABOUT = "about.json"
"""What the folder says of itself: see :func:`description`."""


def description(sources: str, magic: tuple[str, str, str]) -> dict[str, Any]:
    """What must be equal, and what a processor must have, for compiled kernels to be used.

    sources: the hash of :func:`treecore.compiling.kernel_cache.sources_digest`; magic: what numba
    has compiled for, ``codegen().magic_tuple()``.
    """
    made_with = f"Python {sys.version_info[0]}.{sys.version_info[1]}, numba {numba.__version__}"
    return {"sources": sources, "made_with": made_with, "magic": list(magic)}


def shipped_folder(sources: str, package: Path = PACKAGE) -> Path | None:
    """The folder with kernels that the package brings for this text, Python and numba, or None."""
    folder = package / "compiled"
    try:
        about = json.loads((folder / ABOUT).read_text("utf-8"))
    except FileNotFoundError:
        return None
    return folder if about == description(sources, about["magic"]) else None


def serves(needed: tuple[str, str, str], here: tuple[str, str, str]) -> bool:
    """Whether code for one processor runs on another."""
    required, there = (
        {name for name in magic[2].split(",") if name.startswith("+")} for magic in (needed, here)
    )
    return needed[0] == here[0] and required <= there


@cache
def _magic_of(folder: Path) -> tuple[str, str, str]:
    return tuple(json.loads((folder / ABOUT).read_text("utf-8"))["magic"])


class ShippedCache(KernelCache):
    """The cache of a kernel, which looks into the package where the user's folder has nothing.

    - function: the kernel's Python.
    - folder: the user's.
    - shipped: from :func:`shipped_folder`.
    """

    def __init__(self, function: Callable, folder: Path, shipped: Path):
        super().__init__(function, folder)
        self._shipped = shipped

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """The kernel from the user's folder, else from the package; None where neither has it."""
        found = super().load_overload(sig, target_context)
        needed = _magic_of(self._shipped)
        if found is None and serves(needed, target_context.codegen().magic_tuple()):
            found = self._load(self._shipped, sig, target_context, needed)
        return found
