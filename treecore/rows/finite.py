"""Whether all numbers of some rows are finite, as kernels ask who read these rows next.

A number that is infinite or none has all bits of its exponent set: without its sign, the whole
number that its bits are is at least that of infinity. Greatest whole numbers are found sixteen
lanes at a time, as fast as the rows come from memory.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types

from treecore.compiling.dispatch import by_first, implements
from treecore.compiling.kernels import (
    LANES,
    check_contiguous,
    first_lanes,
    instructions,
    load_lanes,
    load_some_lanes,
)
from treecore.rows.tables import SparseRows

_ABREAST = 4
"""Greatest numbers that do not wait for each other."""

_BITS = ir.VectorType(ir.IntType(32), LANES)
_INFINITY = 0x7F800000


@by_first
def are_finite(X, first, stop):
    """Whether all numbers of rows ``first`` up to ``stop`` are finite.

    Parameters
    ----------
    X : float32 array, shape (n_samples, p), or SparseRows
        A sparse table is taken for checked.
    first, stop : int

    Returns
    -------
    bool
    """


@instructions(lambda X, first, stop: bool(np.isfinite(X[first:stop]).all()))
def _all_finite(typing, X, first, stop):
    check_contiguous(X)

    def codegen(context, builder, signature, arguments):
        table = context.make_array(signature.args[0])(context, builder, arguments[0])
        p = builder.extract_value(table.shape, 1)
        begin, end = (
            builder.mul(context.cast(builder, arguments[at], signature.args[at], types.intp), p)
            for at in (1, 2)
        )
        return _emit_all_finite(builder, table.data, begin, end)

    return types.boolean(X, first, stop), codegen


def _emit_all_finite(builder, numbers, begin, end) -> ir.Value:
    def constant(value):
        return ir.Constant(begin.type, value)

    def greater(one, other):
        return builder.select(builder.icmp_signed(">", one, other), one, other)

    def greatest(so_far, lanes):
        positive = builder.and_(
            builder.bitcast(lanes, _BITS), ir.Constant(_BITS, [0x7FFFFFFF] * LANES)
        )
        return greater(positive, so_far)

    zeros, step = ir.Constant(_BITS, [0] * LANES), _ABREAST * LANES
    whole = builder.add(begin, builder.and_(builder.sub(end, begin), constant(-step)))
    before = builder.basic_block
    loop, rest = builder.append_basic_block(), builder.append_basic_block()
    builder.cbranch(builder.icmp_signed("<", begin, whole), loop, rest)
    builder.position_at_end(loop)
    j, so_far = builder.phi(begin.type), [builder.phi(_BITS) for _ in range(_ABREAST)]
    found = [
        greatest(part, load_lanes(builder, numbers, builder.add(j, constant(at * LANES))))
        for at, part in enumerate(so_far)
    ]
    following = builder.add(j, constant(step))
    j.add_incoming(begin, before)
    j.add_incoming(following, loop)
    for part, lanes in zip(so_far, found, strict=True):
        part.add_incoming(zeros, before)
        part.add_incoming(lanes, loop)
    builder.cbranch(builder.icmp_signed("<", following, whole), loop, rest)
    builder.position_at_end(rest)
    total = zeros
    for at, lanes in enumerate(found):
        so_far[at] = builder.phi(_BITS)
        so_far[at].add_incoming(zeros, before)
        so_far[at].add_incoming(lanes, loop)
    for at, part in enumerate(so_far):
        place = builder.add(whole, constant(at * LANES))
        mask = first_lanes(builder, builder.sub(end, place))
        total = greater(greatest(part, load_some_lanes(builder, numbers, place, mask)), total)
    width = LANES
    while width > 1:
        width //= 2
        kind = ir.VectorType(ir.IntType(32), width)
        halves = (
            builder.shuffle_vector(
                total, total, ir.Constant(kind, list(range(first, first + width)))
            )
            for first in (0, width)
        )
        total = greater(*halves)
    top = builder.extract_element(total, ir.Constant(ir.IntType(32), 0))
    return builder.icmp_signed("<", top, ir.Constant(top.type, _INFINITY))


@implements(are_finite, np.ndarray, inlined=True)
def _dense_are_finite(X, first, stop):
    return _all_finite(X, first, stop)


@implements(are_finite, SparseRows, inlined=True)
def _sparse_are_finite(X, first, stop):
    return True
