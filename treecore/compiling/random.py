"""Random orders and numbers drawn in kernels by NumPy's own generator, PCG64 (XSL RR 128/64).

The state is six words: state and increment in two halves each, whether half a word is spare, it.
"""

from __future__ import annotations

import numpy as np

from treecore.compiling.kernels import kernel

_HIGH, _LOW = np.uint64(0x2360ED051FC65DA4), np.uint64(0x4385DF649FCCF645)
"""The multiplier of PCG64."""

_HALF, _MASK = np.uint64(32), np.uint64((1 << 32) - 1)
_58, _63, _64 = np.uint64(58), np.uint64(63), np.uint64(64)
_ONE = np.uint64(1)


def random_words(rng: np.random.Generator) -> np.ndarray:
    """The state of a generator by PCG64 for :func:`permute`, uint64 (6,); a copy."""
    state = rng.bit_generator.state
    halves = [state["state"][name] >> shift for name in ("state", "inc") for shift in (64, 0)]
    words = [*halves, state["has_uint32"], state["uinteger"]]
    return np.array([word & ((1 << 64) - 1) for word in words], dtype=np.uint64)


@kernel(pasted=True)
def next_half(words):
    """The next 32 random bits, as a uint64."""
    if words[4]:
        words[4] = 0
        return words[5]
    high, low = words[0], words[1]
    a, b = low & _MASK, low >> _HALF
    c, d = _LOW & _MASK, _LOW >> _HALF
    middle = b * c + ((a * c) >> _HALF)
    other = a * d + (middle & _MASK)
    carried = b * d + (middle >> _HALF) + (other >> _HALF)  # of the product of both low words
    new = low * _LOW + words[3]
    words[0] = carried + high * _LOW + low * _HIGH + words[2] + np.uint64(new < words[3])
    words[1] = new
    x, turn = words[0] ^ new, words[0] >> _58
    x = (x >> turn) | (x << ((_64 - turn) & _63))
    words[4], words[5] = 1, x >> _HALF
    return x & _MASK


@kernel
def next_uniform(words):
    """``Generator.random(dtype=float32)``."""
    return np.float32(np.int64(next_half(words)) >> 8) * np.float32(2.0**-24)


@kernel
def permute(words, order):
    """Write ``Generator.permutation(len(order))`` into an int64 array."""
    n = order.shape[0]
    for i in range(n):
        order[i] = i
    mask = _ONE
    while mask < np.uint64(max(n - 1, 0)):
        mask = (mask << _ONE) | _ONE
    for i in range(n - 1, 0, -1):
        if np.uint64(i) <= mask >> _ONE:
            mask >>= _ONE
        j = np.int64(n)
        while j > i:  # drawn in one place: each would be compiled
            j = np.int64(next_half(words) & mask)
        order[i], order[j] = order[j], order[i]
