"""The one decorator for compiled code, and the arithmetic all kernels share.

Kernels are serial, release the GIL (``nogil``), and are cached on disk, where
:mod:`treecore.core.kernel_cache` says.

Sums of products run in sixteen lanes, in an order written down here rather than left to the
compiler. That is as fast as ``fastmath`` and gives the same bits on every processor, which is
what makes a seed mean the same tree everywhere.
"""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.dispatcher import Dispatcher
from numba.extending import intrinsic

from treecore.core.kernel_cache import cache_folder

PLAIN_PYTHON = bool(getattr(numba.config, "DISABLE_JIT", 0))
"""Whether numba was told to compile nothing."""

LANES = 16
"""Number of partial sums in :func:`dot`; training arrays are padded to a multiple of it."""


_CACHE_FOLDER = cache_folder()


@functools.cache
def _digest_of(path: str) -> bytes:
    return hashlib.sha256(Path(path).read_bytes()).digest()


class KernelCache:
    """Gives numba the place of a kernel's machine code: see ``NUMBA_CACHE_LOCATOR_CLASSES``."""

    def __init__(self, function: Callable, path: str):
        self._function, self._path = function, path

    @classmethod
    def from_function(cls, function: Callable, path: str) -> KernelCache:
        """The locator of a function, as numba asks for it.

        Parameters
        ----------
        function : callable
        path : str
            Of the file that defines it.
        """
        return cls(function, path)

    def ensure_cache_path(self) -> None:
        """Make the folder, should it have gone meanwhile."""
        os.makedirs(self.get_cache_path(), exist_ok=True)

    def get_cache_path(self) -> str:
        """The folder of the function's module: numba names files after the function alone."""
        return os.path.join(_CACHE_FOLDER, self._function.__module__)

    def get_source_stamp(self) -> bytes:
        """What must be equal for a file to be used: a loss of somebody else's may change too."""
        return _digest_of(self._path)

    def get_disambiguator(self) -> str:
        """The first line of the function, in which functions of one name in one file differ."""
        return str(self._function.__code__.co_firstlineno)


KERNELS: list[Dispatcher] = []
"""Every kernel of the package that has been imported, in order of definition."""


def kernel(function: Callable) -> Callable:
    """Compile ``function`` with numba: no Python objects, no GIL, cached on disk."""
    if PLAIN_PYTHON:
        return np.errstate(over="ignore", invalid="ignore")(function)  # as compiled code has it
    # Both are read when the dispatcher is made; other packages keep their own. Versions of numba
    # that do not know the second one look in the first.
    ours = {
        "CACHE_DIR": _CACHE_FOLDER,
        "CACHE_LOCATOR_CLASSES": f"{__name__}.{KernelCache.__qualname__}",
    }
    others = {name: getattr(numba.config, name, "") for name in ours}
    try:
        vars(numba.config).update(ours)
        compiled = numba.njit(nogil=True, cache=True)(function)
    finally:
        vars(numba.config).update(others)
    KERNELS.append(compiled)
    return compiled


def instructions(plain: Callable) -> Callable:
    """Decorator: what numba emits in place of ``plain``, which says the same in Python."""
    return (lambda _: plain) if PLAIN_PYTHON else intrinsic


def _plain_blocks(w, x, n_blocks):
    total = np.zeros(LANES, dtype=np.float32)
    for start in range(0, n_blocks * LANES, LANES):
        total += w[start : start + LANES] * x[start : start + LANES]
    while total.shape[0] > 1:
        first, second = np.split(total, 2)
        total = first + second
    return total[0]


@instructions(_plain_blocks)
def _dot_blocks(typing, w, x, n_blocks):
    """Sum ``w[j] * x[j]`` over ``n_blocks * LANES`` numbers, lane by lane, without FMA."""
    signature = types.float32(w, x, types.intp)

    def codegen(context, builder, signature, arguments):
        lanes = ir.VectorType(ir.FloatType(), LANES)
        zeros = ir.Constant(lanes, [0.0] * LANES)
        pointers = [
            context.make_array(kind)(context, builder, value).data
            for kind, value in zip(signature.args[:2], arguments[:2], strict=True)
        ]
        n_blocks = arguments[2]
        zero, one = ir.Constant(n_blocks.type, 0), ir.Constant(n_blocks.type, 1)
        entry = builder.basic_block
        loop, done = builder.append_basic_block(), builder.append_basic_block()
        builder.cbranch(builder.icmp_signed(">", n_blocks, zero), loop, done)

        builder.position_at_end(loop)
        block, partial = builder.phi(n_blocks.type), builder.phi(lanes)
        start = builder.mul(block, ir.Constant(block.type, LANES))
        loaded = []
        for pointer in pointers:
            address = builder.bitcast(builder.gep(pointer, [start]), lanes.as_pointer())
            value = builder.load(address)
            value.align = 4  # rows of a NumPy array need not start on a vector boundary
            loaded.append(value)
        summed = builder.fadd(partial, builder.fmul(*loaded))
        following = builder.add(block, one)
        for phi, first, later in ((block, zero, following), (partial, zeros, summed)):
            phi.add_incoming(first, entry)
            phi.add_incoming(later, loop)
        builder.cbranch(builder.icmp_signed("<", following, n_blocks), loop, done)

        builder.position_at_end(done)
        total = builder.phi(lanes)
        total.add_incoming(zeros, entry)
        total.add_incoming(summed, loop)
        width = LANES
        while width > 1:  # 16 -> 8 -> 4 -> 2 -> 1, first half plus second half
            width //= 2
            halves = [
                builder.shuffle_vector(
                    total,
                    total,
                    ir.Constant(
                        ir.VectorType(ir.IntType(32), width), list(range(first, first + width))
                    ),
                )
                for first in (0, width)
            ]
            total = builder.fadd(*halves)
        return builder.extract_element(total, ir.Constant(ir.IntType(32), 0))

    return signature, codegen


@kernel
def dot(w, x):
    """Inner product of two contiguous float32 vectors of the same length.

    Blocks of ``LANES`` numbers are summed lane by lane and the lanes pairwise; what is left
    over is added one by one. ``tests/naive/nongreedy.py`` states the same order in NumPy.

    Parameters
    ----------
    w, x : float32 arrays, shape (n,)

    Returns
    -------
    float32
    """
    n = w.shape[0]
    n_blocks = n // LANES
    total = np.float32(0.0)
    if n_blocks > 0:
        total = _dot_blocks(w, x, n_blocks)
    for j in range(n_blocks * LANES, n):
        total += w[j] * x[j]
    return total
