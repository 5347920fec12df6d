"""Plain twins of the kernels of filters: loops over pixels, in float32 and in the same order."""

from __future__ import annotations

import numpy as np

f32 = np.float32


def answer(image, filter_):
    """A filter laid over a part of an image of its size: taps five at a time, line by line."""
    total, size = f32(0), len(filter_)
    for line in range(size):
        taps, x = filter_[line], image[line]
        for t in range(0, size - 4, 5):
            first = (taps[t] * x[t] + taps[t + 1] * x[t + 1]) + (
                taps[t + 2] * x[t + 2] + taps[t + 3] * x[t + 3]
            )
            total = total + (first + taps[t + 4] * x[t + 4])
        for t in range(size // 5 * 5, size):
            total = total + taps[t] * x[t]
    return total


def features(image, filters, bias, pool):
    """Features of an image (height, width), filter by filter at a place; and where they come from.

    A source is the line and column where the filter that was the greatest lay; None at 0.
    """
    size = filters.shape[1]
    down = (image.shape[0] - size + 1) // pool
    right = (image.shape[1] - size + 1) // pool
    found, sources = [], []
    for i in range(down):
        for j in range(right):
            for filter_, b in zip(filters, bias, strict=True):
                places = [(i * pool + k, j * pool + m) for k in range(pool) for m in range(pool)]
                answers = [answer(image[k : k + size, m : m + size], filter_) for k, m in places]
                best = int(np.argmax(answers))
                value = answers[best] + b
                found.append(max(value, f32(0)))
                sources.append(places[best] if value > 0 else None)
    return np.array(found, dtype=f32), sources
