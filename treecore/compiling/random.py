"""Random orders and numbers drawn in kernels by NumPy's own generator, PCG64 (XSL RR 128/64).

The state is six words: state and increment in two halves each, whether half a word is spare, it.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from treecore.compiling.kernels import kernel

_HIGH, _LOW = np.uint64(0x2360ED051FC65DA4), np.uint64(0x4385DF649FCCF645)
"""The multiplier of PCG64."""

_HALF, _MASK = np.uint64(32), np.uint64((1 << 32) - 1)
_52_BITS = np.uint64((1 << 52) - 1)
_58, _63, _64 = np.uint64(58), np.uint64(63), np.uint64(64)
_ONE = np.uint64(1)


def random_words(rng: np.random.Generator) -> np.ndarray:
    """The state of a generator by PCG64 for the kernels here, uint64 (6,); a copy."""
    state = rng.bit_generator.state
    halves = [state["state"][name] >> shift for name in ("state", "inc") for shift in (64, 0)]
    words = [*halves, state["has_uint32"], state["uinteger"]]
    return np.array([word & ((1 << 64) - 1) for word in words], dtype=np.uint64)


@functools.cache
def normal_layers() -> np.ndarray:
    """How wide the layers are that NumPy cuts the normal density into, float64 (256,).

    NumPy is asked: in the state before a word that names the layer and 2^-12 of its width.
    """
    bits, widths = np.random.PCG64(0), np.empty(256)
    state = bits.state | {"has_uint32": 0, "uinteger": 0}
    multiplier = int(_HIGH) << 64 | int(_LOW)
    for layer in range(256):
        word = (1 << 49 | layer) << 64
        state["state"] = {
            "state": (word - 1) * pow(multiplier, -1, 1 << 128) % (1 << 128),
            "inc": 1,
        }
        bits.state = state
        widths[layer] = np.random.Generator(bits).standard_normal() * 2.0**12
    return widths


@kernel(pasted=True)
def next_word(words):
    """The next 64 random bits, as a uint64."""
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
    return (x >> turn) | (x << ((_64 - turn) & _63))


@kernel(pasted=True)
def next_half(words):
    """The next 32 random bits, as a uint64."""
    if words[4]:
        words[4] = 0
        return words[5]
    word = next_word(words)
    words[4], words[5] = 1, word >> _HALF
    return word & _MASK


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


@kernel
def next_double(words):
    """``Generator.random()``."""
    return np.float64(next_word(words) >> np.uint64(11)) * 2.0**-53


@kernel
def next_below(words, n):
    """``Generator.integers(n)``, of n from 2 to 2^32 - 1 (Lemire 2019)."""
    n = np.uint64(n)
    least, product = ((_MASK + _ONE) - n) % n, np.uint64(0)
    rest = n
    while rest == n or rest < least:
        product = next_half(words) * n
        rest = product & _MASK
    return np.int64(product >> _HALF)


@kernel
def next_normal(words, widths):
    """``Generator.standard_normal()``, by the ziggurat (Marsaglia and Tsang 2000) as in NumPy."""
    while True:
        word = next_word(words)
        layer, part = np.int64(word & np.uint64(255)), (word >> np.uint64(9)) & _52_BITS
        x = np.float64(part) * (widths[layer] * 2.0**-52)
        inner = widths[(layer - 1) & 255] if layer != 1 else 0.0
        sign = -1.0 if word & np.uint64(256) else 1.0
        if x < inner:
            return sign * x
        if layer == 0:
            while True:
                far = -math.log1p(-next_double(words)) * (1.0 / inner)
                near = -math.log1p(-next_double(words))
                if near + near > far * far:
                    return -(inner + far) if part & np.uint64(256) else inner + far
        low, high = math.exp(-0.5 * widths[layer] ** 2), math.exp(-0.5 * inner * inner)
        if (high - low) * next_double(words) + low < math.exp(-0.5 * x * x):
            return sign * x
