"""Arithmetic on rows that are scattered over a table: products of four, and sums of many.

What is loaded once is used as often as possible. A row of weights is multiplied with four rows at
a time; a sum of scaled rows goes through the table panel by panel, with the sum kept in registers::

    panel 0           panel 1
    x x x x ... x     x x x x ... x     row rows[0]
    x x x x ... x     x x x x ... x     row rows[1]      sum += factor[e] * row, top to bottom
    x x x x ... x     x x x x ... x     row rows[2]

Every inner product is summed in the order of :func:`treecore.core.kernels.dot`, every sum of rows
row by row: the bits are those of one row after another.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core.errors import TypingError

from treecore.core.kernels import (
    LANES,
    LANES_TYPE,
    check_contiguous,
    dot,
    instructions,
    load_lanes,
    row_pointer,
)

PANELS = (8, 4, 2, 1)
"""Blocks of ``LANES`` numbers in a panel: as many wide ones as fit, then what is left."""

_ZEROS = ir.Constant(LANES_TYPE, [0.0] * LANES)


def _plain_dots(W, k, X, *rows):
    return tuple(dot(W[k], X[row]) for row in rows)


@instructions(_plain_dots)
def dots_of_four(typing, W, k, X, a, b, c, d):
    """``dot(W[k], X[i])`` for i = a, b, c, d.

    Both tables are C-contiguous, of float32, and of one width, a positive multiple of ``LANES``.
    """
    check_contiguous(W, X)

    def codegen(context, builder, signature, arguments):
        w = row_pointer(context, builder, signature, arguments, 0)
        table = context.make_array(signature.args[0])(context, builder, arguments[0])
        n = builder.extract_value(table.shape, 1)
        xs = []
        for at in range(3, 7):
            kinds = types.void(signature.args[2], signature.args[at])
            row = (arguments[2], arguments[at])
            xs.append(row_pointer(context, builder, kinds, row, 0))
        before = builder.basic_block
        loop, done = builder.append_basic_block(), builder.append_basic_block()
        builder.branch(loop)
        builder.position_at_end(loop)
        j, so_far = builder.phi(n.type), [builder.phi(LANES_TYPE) for _ in xs]
        weights = load_lanes(builder, w, j)
        totals = [
            builder.fadd(part, builder.fmul(weights, load_lanes(builder, x, j)))
            for part, x in zip(so_far, xs, strict=True)
        ]
        following = builder.add(j, ir.Constant(n.type, LANES))
        j.add_incoming(ir.Constant(n.type, 0), before)
        j.add_incoming(following, loop)
        for part, total in zip(so_far, totals, strict=True):
            part.add_incoming(_ZEROS, before)
            part.add_incoming(total, loop)
        builder.cbranch(builder.icmp_signed("<", following, n), loop, done)
        builder.position_at_end(done)
        sums = _sums_of_four(builder, totals)
        return context.make_tuple(builder, signature.return_type, sums)

    return types.UniTuple(types.float32, 4)(W, k, X, a, b, c, d), codegen


def _sums_of_four(builder, totals) -> list[ir.Value]:
    """The sums of four times sixteen lanes, each in the order of ``sum_of_lanes``.

    They share registers: what is left of them lies side by side after every step::

        a a a a a a a a  b b b b b b b b       c ... c  d ... d
        a a a a  b b b b  c c c c  d d d d
        a a  b b  c c  d d
        a  b  c  d
    """

    def halved(one, other, width):
        """First plus second half of each run of ``width`` lanes, of one and then of the other."""
        n_lanes = one.type.count + (0 if other is one else other.type.count)
        halves = []
        for first in (0, width // 2):
            lanes = [
                run + first + lane for run in range(0, n_lanes, width) for lane in range(width // 2)
            ]
            kind = ir.VectorType(ir.IntType(32), len(lanes))
            halves.append(builder.shuffle_vector(one, other, ir.Constant(kind, lanes)))
        return builder.fadd(*halves)

    a, b, c, d = totals
    together = halved(halved(a, b, LANES), halved(c, d, LANES), LANES // 2)
    width = LANES // 4
    while width > 1:
        together = halved(together, together, width)
        width //= 2
    return [builder.extract_element(together, ir.Constant(ir.IntType(32), at)) for at in range(4)]


def _plain_sum(X, rows, factor, first, stop, out):
    out[:] = 0
    for e in range(first, stop):
        out += factor[e] * X[rows[e]]


@instructions(_plain_sum)
def sum_scaled_rows(typing, X, rows, factor, first, stop, out):
    """Write the sum of ``factor[e] * X[rows[e]]`` for e from ``first`` up to ``stop``, in order.

    ``X`` and ``factor`` are of float32, ``rows`` of uint32, all C-contiguous; ``out`` is as wide
    as X, a multiple of ``LANES``.
    """
    check_contiguous(X, factor, out)
    if rows.dtype != types.uint32 or rows.layout != "C":
        raise TypingError(f"{rows} must be C-contiguous and of uint32")

    def codegen(context, builder, signature, arguments):
        numbers, scales, target = (
            context.make_array(signature.args[at])(context, builder, arguments[at])
            for at in (1, 2, 5)
        )
        n = builder.extract_value(target.shape, 0)
        begin, end = (
            context.cast(builder, arguments[at], signature.args[at], types.intp) for at in (3, 4)
        )
        kinds = types.void(signature.args[0], types.uint32)

        def constant(value):
            return ir.Constant(n.type, value)

        def scaled(e):
            """The address of entry e's row, and its factor in all lanes."""
            row = builder.load(builder.gep(numbers.data, [e]))
            address = row_pointer(context, builder, kinds, (arguments[0], row), 0)
            one = builder.load(builder.gep(scales.data, [e]))
            empty = ir.Constant(LANES_TYPE, ir.Undefined)
            first_lane = builder.insert_element(empty, one, ir.Constant(ir.IntType(32), 0))
            everywhere = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
            return address, builder.shuffle_vector(first_lane, empty, everywhere)

        def panel(j, n_blocks, leave):
            """Emit the sum of one panel, from column j on, and go on at ``leave``."""
            before = builder.basic_block
            loop, write = builder.append_basic_block(), builder.append_basic_block()
            builder.cbranch(builder.icmp_signed("<", begin, end), loop, write)
            builder.position_at_end(loop)
            e, so_far = builder.phi(n.type), [builder.phi(LANES_TYPE) for _ in range(n_blocks)]
            address, factors = scaled(e)
            places = [builder.add(j, constant(block * LANES)) for block in range(n_blocks)]
            totals = [
                builder.fadd(part, builder.fmul(factors, load_lanes(builder, address, place)))
                for part, place in zip(so_far, places, strict=True)
            ]
            following = builder.add(e, constant(1))
            e.add_incoming(begin, before)
            e.add_incoming(following, loop)
            for part, total in zip(so_far, totals, strict=True):
                part.add_incoming(_ZEROS, before)
                part.add_incoming(total, loop)
            builder.cbranch(builder.icmp_signed("<", following, end), loop, write)
            builder.position_at_end(write)
            sums = []
            for total in totals:
                sums.append(builder.phi(LANES_TYPE))
                sums[-1].add_incoming(_ZEROS, before)
                sums[-1].add_incoming(total, loop)
            for block, total in enumerate(sums):
                place = builder.add(j, constant(block * LANES))
                address = builder.gep(target.data, [place])
                store = builder.store(total, builder.bitcast(address, LANES_TYPE.as_pointer()))
                store.align = 4
            builder.branch(leave)

        start = constant(0)
        for n_blocks in PANELS:
            size, before = constant(n_blocks * LANES), builder.basic_block
            head, body, step, done = (builder.append_basic_block() for _ in range(4))
            builder.branch(head)
            builder.position_at_end(head)
            j = builder.phi(n.type)
            following = builder.add(j, size)
            builder.cbranch(builder.icmp_signed("<=", following, n), body, done)
            builder.position_at_end(body)
            panel(j, n_blocks, step)
            builder.position_at_end(step)
            builder.branch(head)
            j.add_incoming(start, before)
            j.add_incoming(following, step)
            builder.position_at_end(done)
            start = j
        return context.get_dummy_value()

    return types.void(X, rows, factor, first, stop, out), codegen
