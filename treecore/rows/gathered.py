"""Arithmetic on rows that are scattered over a table: products of four, and sums of many.

What is loaded once is used as often as possible. A row of weights is multiplied with four rows at
a time, or four rows of weights with one each, so that no product waits for itself. A sum of scaled
rows goes through the table panel by panel, with the sum kept in registers::

    panel 0           panel 1
    x x x x ... x     x x x x ... x     row rows[0]
    x x x x ... x     x x x x ... x     row rows[1]      sum += factor[e] * row, top to bottom
    x x x x ... x     x x x x ... x     row rows[2]

Every inner product is summed in the order of :func:`treecore.compiling.kernels.dot`, every sum of
rows row by row: the bits are those of one row after another.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core.errors import TypingError

from treecore.compiling.kernels import (
    LANES,
    LANES_TYPE,
    check_contiguous,
    dot,
    first_lanes,
    instructions,
    load_lanes,
    load_some_lanes,
    row_pointer,
)

PANELS = (8, 4, 2, 1)
"""Blocks of ``LANES`` numbers in a panel: as many wide ones as fit, then what is left."""

_ZEROS = ir.Constant(LANES_TYPE, [0.0] * LANES)


@instructions(lambda W, k, X, *rows: tuple(dot(W[k], X[row]) for row in rows))
def dots_of_four(typing, W, k, X, a, b, c, d):
    """``dot(W[k], X[i])`` for i = a, b, c, d.

    Both tables are C-contiguous, of float32, and of one width, a positive multiple of ``LANES``.
    """
    check_contiguous(W, X)

    def codegen(context, builder, signature, arguments):
        w = row_pointer(context, builder, signature, arguments, 0)
        xs = _row_pointers(context, builder, signature, arguments, 2, range(3, 7))
        table = context.make_array(signature.args[0])(context, builder, arguments[0])
        n = builder.extract_value(table.shape, 1)
        sums = _sums_of_four(builder, _lanes_of_four(builder, [w] * 4, xs, n))
        return context.make_tuple(builder, signature.return_type, _elements(builder, sums))

    return types.UniTuple(types.float32, 4)(W, k, X, a, b, c, d), codegen


def _plain_pairs(W, X, *numbers):
    return tuple(dot(W[k], X[i]) for k, i in zip(numbers[:4], numbers[4:], strict=True))


@instructions(_plain_pairs)
def dots_of_pairs(typing, W, X, k, l, m, n, a, b, c, d):
    """``dot(W[k], X[a])``, ``dot(W[l], X[b])``, ``dot(W[m], X[c])`` and ``dot(W[n], X[d])``.

    Both tables are C-contiguous, of float32, and of one width, whatever it is.
    """
    check_contiguous(W, X)

    def codegen(context, builder, signature, arguments):
        ws = _row_pointers(context, builder, signature, arguments, 0, range(2, 6))
        xs = _row_pointers(context, builder, signature, arguments, 1, range(6, 10))
        table = context.make_array(signature.args[0])(context, builder, arguments[0])
        width = builder.extract_value(table.shape, 1)
        whole = builder.and_(width, ir.Constant(width.type, -LANES))
        sums = _sums_of_four(builder, _lanes_of_four(builder, ws, xs, whole))
        before = builder.basic_block
        tail, done = builder.append_basic_block(), builder.append_basic_block()
        builder.cbranch(builder.icmp_signed("<", whole, width), tail, done)
        builder.position_at_end(tail)
        mask = first_lanes(builder, builder.sub(width, whole))
        products = [
            builder.fmul(*(load_some_lanes(builder, row, whole, mask) for row in pair))
            for pair in zip(ws, xs, strict=True)
        ]
        total = sums
        for column in _columns_of_four(builder, products):  # those beyond the width add 0
            total = builder.fadd(total, column)
        builder.branch(done)
        builder.position_at_end(done)
        result = builder.phi(sums.type)
        result.add_incoming(sums, before)
        result.add_incoming(total, tail)
        return context.make_tuple(builder, signature.return_type, _elements(builder, result))

    return types.UniTuple(types.float32, 4)(W, X, k, l, m, n, a, b, c, d), codegen


def _row_pointers(context, builder, signature, arguments, table: int, rows) -> list[ir.Value]:
    """The addresses of some rows of one table, by the places of both among the arguments."""
    return [
        row_pointer(
            context,
            builder,
            types.void(signature.args[table], signature.args[at]),
            (arguments[table], arguments[at]),
            0,
        )
        for at in rows
    ]


def _lanes_of_four(builder, ws, xs, n) -> list[ir.Value]:
    """Products of four pairs of rows over n columns, a multiple of ``LANES``, lane by lane."""
    before = builder.basic_block
    loop, done = builder.append_basic_block(), builder.append_basic_block()
    zero = ir.Constant(n.type, 0)
    builder.cbranch(builder.icmp_signed("<", zero, n), loop, done)
    builder.position_at_end(loop)
    j, so_far = builder.phi(n.type), [builder.phi(LANES_TYPE) for _ in xs]
    totals = [
        builder.fadd(part, builder.fmul(load_lanes(builder, w, j), load_lanes(builder, x, j)))
        for part, w, x in zip(so_far, ws, xs, strict=True)
    ]
    following = builder.add(j, ir.Constant(n.type, LANES))
    j.add_incoming(zero, before)
    j.add_incoming(following, loop)
    for part, total in zip(so_far, totals, strict=True):
        part.add_incoming(_ZEROS, before)
        part.add_incoming(total, loop)
    builder.cbranch(builder.icmp_signed("<", following, n), loop, done)
    builder.position_at_end(done)
    results = [builder.phi(LANES_TYPE) for _ in totals]
    for result, total in zip(results, totals, strict=True):
        result.add_incoming(_ZEROS, before)
        result.add_incoming(total, loop)
    return results


def _shuffled(builder, one, other, lanes) -> ir.Value:
    """Some lanes of two vectors, those of the second one numbered after the first one's."""
    kind = ir.VectorType(ir.IntType(32), len(lanes))
    return builder.shuffle_vector(one, other, ir.Constant(kind, lanes))


def _elements(builder, four) -> list[ir.Value]:
    return [builder.extract_element(four, ir.Constant(ir.IntType(32), at)) for at in range(4)]


def _sums_of_four(builder, totals) -> ir.Value:
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
            halves.append(_shuffled(builder, one, other, lanes))
        return builder.fadd(*halves)

    a, b, c, d = totals
    together = halved(halved(a, b, LANES), halved(c, d, LANES), LANES // 2)
    width = LANES // 4
    while width > 1:
        together = halved(together, together, width)
        width //= 2
    return together


def _columns_of_four(builder, rows) -> list[ir.Value]:
    """Four times sixteen lanes as sixteen columns of four, through registers in four parts::

    a0 b0 a1 b1 | a4 b4 a5 b5 | ...        a2 b2 a3 b3 | ...        (c and d alike)
    a0 b0 c0 d0 | a4 b4 c4 d4 | ...        a1 b1 c1 d1 | ...
    """
    a, b, c, d = rows

    def in_parts(one, other, lanes):
        """The same lanes of each part; those from 4 on are of the other."""
        places = [
            4 * part + (lane if lane < 4 else LANES + lane - 4)
            for part in range(4)
            for lane in lanes
        ]
        return _shuffled(builder, one, other, places)

    columns: dict[int, ir.Value] = {}
    for first in (0, 2):
        pairs = (first, 4 + first, first + 1, 5 + first)
        ab, cd = in_parts(a, b, pairs), in_parts(c, d, pairs)
        for at in (0, 1):
            quads = in_parts(ab, cd, (2 * at, 2 * at + 1, 4 + 2 * at, 5 + 2 * at))
            for part in range(4):
                places = list(range(4 * part, 4 * part + 4))
                columns[4 * part + first + at] = _shuffled(builder, quads, quads, places)
    return [columns[j] for j in range(LANES)]


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
