"""The one decorator for compiled code, and the arithmetic all kernels share.

Kernels are serial, release the GIL (``nogil``), and are cached on disk, where
:mod:`treecore.compiling.kernel_cache` says.

Sums of products run in sixteen lanes, in an order written down here rather than left to the
compiler. That is as fast as ``fastmath`` and gives the same bits on every processor, which is
what makes a seed mean the same tree everywhere.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, cast

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.dispatcher import Dispatcher
from numba.core.errors import TypingError
from numba.extending import intrinsic

from treecore.compiling.kernel_cache import KernelCache, cache_folder, source_text, sources_digest
from treecore.compiling.shipped_kernels import ShippedCache, shipped_folder

PLAIN_PYTHON = bool(getattr(numba.config, "DISABLE_JIT", 0))
"""Whether numba was told to compile nothing."""

LANES = 16
"""Number of partial sums in :func:`dot`; training arrays are padded to a multiple of it."""


_SOURCES = sources_digest()
_CACHE_FOLDER = cache_folder(_SOURCES)
_SHIPPED_FOLDER = shipped_folder(_SOURCES)


KERNELS: list[Dispatcher] = []
"""Every kernel of the package that has been imported, in order of definition."""


def kernel(function: Callable | None = None, *, inlined: bool = False) -> Callable:
    """Decorator: compile a function with numba: no Python objects, no GIL, cached on disk.

    Parameters
    ----------
    function : callable
    inlined : bool
        Whether the compiler pastes it into the kernels that call it. A call hands over every number
        that an array consists of, which for a tuple of arrays takes 100 ns.
    """
    if function is None:
        return functools.partial(kernel, inlined=inlined)
    if PLAIN_PYTHON:
        return np.errstate(over="ignore", invalid="ignore")(function)  # as compiled code has it
    compiled = numba.njit(nogil=True, forceinline=inlined)(function)
    if source_text(function):  # else nothing tells a change of its constants
        cast(Any, compiled)._cache = (
            ShippedCache(function, _CACHE_FOLDER, _SHIPPED_FOLDER)
            if _SHIPPED_FOLDER
            else KernelCache(function, _CACHE_FOLDER)
        )
    KERNELS.append(compiled)
    return compiled


def instructions(plain: Callable) -> Callable:
    """Decorator: what numba emits in place of ``plain``, which says the same in Python."""
    return (lambda _: plain) if PLAIN_PYTHON else intrinsic


def _plain_dot(w, x):
    whole = w.shape[0] // LANES * LANES
    lanes = np.zeros(LANES, dtype=np.float32)
    for start in range(0, whole, LANES):
        lanes += w[start : start + LANES] * x[start : start + LANES]
    while lanes.shape[0] > 1:
        first, second = np.split(lanes, 2)
        lanes = first + second
    total = lanes[0]
    for j in range(whole, w.shape[0]):
        total += w[j] * x[j]
    return total


@instructions(_plain_dot)
def _dot(typing, w, x):
    """The inner product of two vectors, see :func:`dot`."""
    check_contiguous(w, x)

    def codegen(context, builder, signature, arguments):
        made = [
            context.make_array(kind)(context, builder, value)
            for kind, value in zip(signature.args, arguments, strict=True)
        ]
        n = builder.extract_value(made[0].shape, 0)
        return _emit_dot(builder, made[0].data, made[1].data, n)

    return types.float32(w, x), codegen


@instructions(lambda W, k, x: _plain_dot(W[k], x))
def dot_of_row(typing, W, k, x):
    """``dot(W[k], x)`` of a C-contiguous float32 table; see :func:`dot_of_rows`."""
    check_contiguous(W, x)

    def codegen(context, builder, signature, arguments):
        w = row_pointer(context, builder, signature, arguments, 0)
        made = context.make_array(signature.args[2])(context, builder, arguments[2])
        table = context.make_array(signature.args[0])(context, builder, arguments[0])
        return _emit_dot(builder, w, made.data, builder.extract_value(table.shape, 1))

    return types.float32(W, k, x), codegen


@instructions(lambda W, k, X, i: _plain_dot(W[k], X[i]))
def dot_of_rows(typing, W, k, X, i):
    """``dot(W[k], X[i])`` of two C-contiguous float32 tables of the same width.

    The rows are never made: a view of an array counts references to it, by an atomic instruction
    at which the processor waits until all before it is done. Without one, the products of several
    rows overlap (Letter at depth 8: 40 in place of 300 ns a row).
    """
    check_contiguous(W, X)

    def codegen(context, builder, signature, arguments):
        w, x = (row_pointer(context, builder, signature, arguments, at) for at in (0, 2))
        table = context.make_array(signature.args[0])(context, builder, arguments[0])
        return _emit_dot(builder, w, x, builder.extract_value(table.shape, 1))

    return types.float32(W, k, X, i), codegen


def row_pointer(context, builder, signature, arguments, at: int) -> ir.Value:
    """The address of a row, for instructions that are given a table and the row after it.

    Parameters
    ----------
    context, builder, signature, arguments
        What numba hands to whoever emits instructions.
    at : int
        Which of ``arguments`` is the table.
    """
    table = context.make_array(signature.args[at])(context, builder, arguments[at])
    row = context.cast(builder, arguments[at + 1], signature.args[at + 1], types.intp)
    offset = builder.mul(row, builder.extract_value(table.strides, 0))
    address = builder.gep(builder.bitcast(table.data, ir.IntType(8).as_pointer()), [offset])
    return builder.bitcast(address, table.data.type)


def check_contiguous(*arrays) -> None:
    """Raise numba's TypingError for types of arrays that instructions cannot take addresses in."""
    for array in arrays:
        if array.layout != "C" or array.dtype != types.float32:
            raise TypingError(f"{array} must be C-contiguous and of float32")


LANES_TYPE = ir.VectorType(ir.FloatType(), LANES)


def load_lanes(builder, pointer, j) -> ir.Value:
    """``LANES`` numbers from place j on, for instructions.

    Parameters
    ----------
    builder
        Of numba's code.
    pointer, j : llvmlite.ir.Value
        Address of float32 numbers, and how many of them to pass over.
    """
    address = builder.bitcast(builder.gep(pointer, [j]), LANES_TYPE.as_pointer())
    value = builder.load(address)
    value.align = 4  # rows of a NumPy array need not start on a vector boundary
    return value


def first_lanes(builder, n) -> ir.Value:
    """The mask of the first n lanes, for :func:`load_some_lanes`.

    Parameters
    ----------
    builder
        Of numba's code.
    n : llvmlite.ir.Value
        How many; none where it is negative, all where it is more than there are.
    """
    kind = ir.VectorType(n.type, LANES)
    empty = ir.Constant(kind, ir.Undefined)
    one = builder.insert_element(empty, n, ir.Constant(ir.IntType(32), 0))
    everywhere = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    numbers = ir.Constant(kind, list(range(LANES)))
    return builder.icmp_signed("<", numbers, builder.shuffle_vector(one, empty, everywhere))


def load_some_lanes(builder, pointer, j, mask) -> ir.Value:
    """Those of ``LANES`` numbers from place j on that a mask has; 0, unread, in place of others.

    Parameters
    ----------
    builder, pointer, j
        See :func:`load_lanes`.
    mask : llvmlite.ir.Value
    """
    address = builder.bitcast(builder.gep(pointer, [j]), LANES_TYPE.as_pointer())
    whole = ir.IntType(32)
    kind = ir.FunctionType(LANES_TYPE, [address.type, whole, mask.type, LANES_TYPE])
    name = f"llvm.masked.load.v{LANES}f32.p0"
    instruction = cgutils.get_or_insert_function(builder.module, kind, name)
    return builder.call(
        instruction, [address, whole(4), mask, ir.Constant(LANES_TYPE, [0.0] * LANES)]
    )


def sum_of_lanes(builder, total) -> ir.Value:
    """The sum of sixteen lanes: 16 -> 8 -> 4 -> 2 -> 1, first half plus second half.

    Parameters
    ----------
    builder
        Of numba's code.
    total : llvmlite.ir.Value
        The lanes.
    """
    width = LANES
    while width > 1:
        width //= 2
        halves = []
        for first in (0, width):
            lanes = ir.Constant(
                ir.VectorType(ir.IntType(32), width), list(range(first, first + width))
            )
            halves.append(builder.shuffle_vector(total, total, lanes))
        total = builder.fadd(*halves)
    return builder.extract_element(total, ir.Constant(ir.IntType(32), 0))


def _emit_dot(builder, w, x, n) -> ir.Value:
    """Sum ``w[j] * x[j]`` over n numbers from two addresses, without FMA; see :func:`dot`."""

    def constant(value):
        return ir.Constant(n.type, value)

    def summed(first, stop, step, begin, product):
        """``begin`` and the products at first, first + step, ... below stop, added in order."""
        before = builder.basic_block
        loop, done = builder.append_basic_block(), builder.append_basic_block()
        builder.cbranch(builder.icmp_signed("<", first, stop), loop, done)
        builder.position_at_end(loop)
        j, so_far = builder.phi(n.type), builder.phi(begin.type)
        total = builder.fadd(so_far, product(j))
        following = builder.add(j, constant(step))
        for phi, at_first, later in ((j, first, following), (so_far, begin, total)):
            phi.add_incoming(at_first, before)
            phi.add_incoming(later, loop)
        builder.cbranch(builder.icmp_signed("<", following, stop), loop, done)
        builder.position_at_end(done)
        result = builder.phi(begin.type)
        result.add_incoming(begin, before)
        result.add_incoming(total, loop)
        return result

    whole = builder.and_(n, constant(-LANES))
    zeros = ir.Constant(LANES_TYPE, [0.0] * LANES)

    def products(j):
        return builder.fmul(load_lanes(builder, w, j), load_lanes(builder, x, j))

    total = sum_of_lanes(builder, summed(constant(0), whole, LANES, zeros, products))

    def product(j):
        return builder.fmul(*(builder.load(builder.gep(pointer, [j])) for pointer in (w, x)))

    return summed(whole, n, 1, total, product)


@instructions(lambda X, i, column: None)
def prefetch(typing, X, i, column):
    """Ask the processor for one entry of a C-contiguous table, to be read soon.

    An array of one axis counts as a table of one column.
    """
    if X.layout != "C":
        raise TypingError(f"{X} must be C-contiguous")

    def codegen(context, builder, signature, arguments):
        column = context.cast(builder, arguments[2], signature.args[2], types.intp)
        row = row_pointer(context, builder, signature, arguments, 0)
        address = builder.bitcast(builder.gep(row, [column]), ir.IntType(8).as_pointer())
        whole = ir.IntType(32)
        instruction = builder.module.declare_intrinsic(
            "llvm.prefetch",
            [address.type],
            ir.FunctionType(ir.VoidType(), [address.type, whole, whole, whole]),
        )
        read, keep, data = whole(0), whole(3), whole(1)
        builder.call(instruction, [address, read, keep, data])
        return context.get_dummy_value()

    return types.void(X, i, column), codegen


def _without_owner(context, builder, kind, value) -> ir.Value:
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = array.meminfo.type(None)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        parts = (
            _without_owner(context, builder, part, builder.extract_value(value, at))
            for at, part in enumerate(cast(Any, kind))
        )
        return context.make_tuple(builder, kind, list(parts))
    return value


@instructions(lambda arrays: arrays)
def borrow(typing, arrays):
    """The same array, or tuple of arrays, of which no references are counted from here on.

    For the arguments of a kernel: whoever calls it holds them until it is done. Views, and tuples
    that go from kernel to kernel, then cost nothing. They otherwise count every array up and down,
    each time by an atomic instruction that all others wait for; that was half the time of SGD.
    """

    def codegen(context, builder, signature, arguments):
        return _without_owner(context, builder, signature.args[0], arguments[0])

    return arrays(arrays), codegen


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
    return _dot(w, x)
