"""Data augmentation: noise on rows and moves of images, drawn anew for each mini-batch.

What is drawn depends on the seed and the number of the mini-batch alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel

MOST_NUMBERS = 1 << 20
"""Numbers that are drawn ahead at most, for as many mini-batches as they suffice."""


class Augmentation(NamedTuple):
    """Noise and moves of some mini-batches; either may have no mini-batches: none then.

    - noise: float32 (n_batches, n_rows, p), added to the standardised rows.
    - moves: float32 (n_batches, n_rows, 2), pixels down and to the right; width: of an image.
    """

    noise: np.ndarray
    moves: np.ndarray
    width: int


def no_augmentation() -> Augmentation:
    """Rows stay as they are."""
    return Augmentation(np.zeros((0, 0, 0), np.float32), np.zeros((0, 0, 2), np.float32), 1)


def draw_augmentation(
    noise: float, shift: float, width: int, n_rows: int, p: int, seed: int, batches: range
) -> Augmentation:
    """The noise (deviation of standardised columns) and moves (pixels) of some mini-batches."""
    none = no_augmentation()
    noises = none.noise if noise == 0 else np.empty((len(batches), n_rows, p), np.float32)
    moves = none.moves if shift == 0 else np.empty((len(batches), n_rows, 2), np.float32)
    for i, batch in enumerate(batches):
        rng = np.random.default_rng([seed, 3, batch])
        if shift > 0:
            moves[i] = rng.uniform(-shift, shift, (n_rows, 2))
        if noise > 0:
            noises[i] = rng.standard_normal((n_rows, p), dtype=np.float32) * np.float32(noise)
    return Augmentation(noises, moves, width)


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


@kernel
def move_images(X, width, moves, out):
    """Write every image (n_rows, height * width) moved by :func:`move_image`."""
    for i in range(X.shape[0]):
        move_image(X[i], width, moves[i, 0], moves[i, 1], out[i])
