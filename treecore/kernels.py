"""The one decorator for compiled code, its cache, and the arithmetic all kernels share.

Kernels are serial, release the GIL (``nogil``), and are cached on disk. numba checks only the
file in which a kernel stands, so a kernel that calls into another file would survive a change
of that file: the cache folder is therefore named after all sources of the package together, but
for those ``ABOVE`` all kernels.

Sums of products run in sixteen lanes, in an order written down here rather than left to the
compiler. That is as fast as ``fastmath`` and gives the same bits on every processor, which is
what makes a seed mean the same tree everywhere.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

LANES = 16
"""Number of partial sums in :func:`dot`; training arrays are padded to a multiple of it."""


ABOVE = {"commands", "config", "estimators", "figures", "forest_config", "forests", "growing",
         "methods", "persistence", "preparing", "runs", "sweeps",
         "training"}  # fmt: skip
"""Modules and packages that no kernel stands in or reads from: a change there compiles nothing."""


def _cache_folder() -> str:
    """A writable folder, named after the sources of this package, for compiled kernels."""
    package = Path(__file__).parent
    digest = hashlib.sha256()
    for source in sorted(package.rglob("*.py")):
        if source.relative_to(package).with_suffix("").parts[0] in ABOVE:
            continue
        digest.update(source.relative_to(package).as_posix().encode() + b"\0")
        digest.update(source.read_bytes())
    try:
        base = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
        base = Path(base) if base else Path.home() / ".cache"
        folder = base / "treecore" / digest.hexdigest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, RuntimeError):
        # No home, or a read-only one: compile in every process. A shared place would not do:
        # cache files are pickles, and whoever can write them decides what runs here.
        return tempfile.mkdtemp(prefix="treecore-")
    return str(folder)


_CACHE_FOLDER = _cache_folder()

KERNELS: list[Callable] = []
"""Every kernel of the package that has been imported, in order of definition."""


def kernel(function: Callable) -> Callable:
    """Compile ``function`` with numba: no Python objects, no GIL, cached on disk."""
    if not ABOVE.isdisjoint(function.__module__.split(".")[1:2]):
        raise TypeError(f"{function.__module__} is not a place for kernels, see ABOVE")
    # The cache folder is read when the dispatcher is made; other packages keep their own.
    others = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = _CACHE_FOLDER
    try:
        compiled = numba.njit(nogil=True, cache=True)(function)
    finally:
        numba.config.CACHE_DIR = others
    KERNELS.append(compiled)
    return compiled


@intrinsic
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
    over is added one by one. ``tests/naive.py`` states the same order in NumPy.
    """
    n = w.shape[0]
    n_blocks = n // LANES
    total = np.float32(0.0)
    if n_blocks > 0:
        total = _dot_blocks(w, x, n_blocks)
    for j in range(n_blocks * LANES, n):
        total += w[j] * x[j]
    return total
