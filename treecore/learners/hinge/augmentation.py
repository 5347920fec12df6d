"""Data augmentation: noise on rows and moves of images, drawn anew for each mini-batch."""

from __future__ import annotations

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.compiling.random import next_uniform


@kernel
def add_noise(words, deviation, x):
    """Add normal numbers to a float32 row, drawn in pairs (Marsaglia's polar method)."""
    one, two = np.float32(1.0), np.float32(2.0)
    for j in range(0, x.shape[0], 2):
        u = v = square = np.float32(0.0)
        while square == 0 or square >= one:
            u, v = two * next_uniform(words) - one, two * next_uniform(words) - one
            square = u * u + v * v
        length = np.float32(deviation * np.sqrt(-two * np.log(square) / square))
        x[j] += length * u
        if j + 1 < x.shape[0]:
            x[j + 1] += length * v


@kernel
def move_image(x, width, down, right, out):
    """Write an image (height * width,) moved by parts of a pixel (bilinear); zeros come in."""
    height = x.shape[0] // width
    zero, one = np.float32(0.0), np.float32(1.0)
    row, column = np.int64(np.floor(-down)), np.int64(np.floor(-right))
    below, beyond = np.float32(-down - row), np.float32(-right - column)
    for i in range(height):
        for j in range(width):
            total = zero
            for a in range(2):
                at = i + row + a
                if at < 0 or at >= height:
                    continue
                share = below if a == 1 else one - below
                for b in range(2):
                    to = j + column + b
                    if to >= 0 and to < width:
                        near = beyond if b == 1 else one - beyond
                        total += share * near * x[at * width + to]
            out[i * width + j] = total
