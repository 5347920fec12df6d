"""Small pictures as PNG files, written here: an image of digits, a map of regions."""

from __future__ import annotations

import base64
import math
import struct
import zlib

import numpy as np

from treecore.data.dataset import Dataset


def png(pixels: np.ndarray) -> bytes:
    """A PNG file of uint8 pixels: grey ones, (height, width), or coloured, (height, width, 3)."""
    high, wide = pixels.shape[:2]
    kind = 0 if pixels.ndim == 2 else 2  # grey, or red, green and blue

    def chunk(name: bytes, body: bytes) -> bytes:
        check = zlib.crc32(name + body)
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", check)

    lines = np.zeros((high, 1 + pixels[0].size), np.uint8)  # each begins with filter 0
    lines[:, 1:] = pixels.reshape(high, -1)
    head = struct.pack(">IIBBBBB", wide, high, 8, kind, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(lines.tobytes(), 9))
        + chunk(b"IEND", b"")
    )


def as_address(file: bytes) -> str:
    """A PNG file as an address, to be shown without being fetched."""
    return "data:image/png;base64," + base64.b64encode(file).decode()


def picture(data: Dataset, row: int, scale: int = 3) -> str:
    """An example of an image dataset as the address of a small PNG, dark on white."""
    high, wide = data.image_shape
    values = data.X[row].reshape(high, wide)
    most = data.X.max()
    pixels = 255 - np.rint(255 * np.clip(values / (most if most > 0 else 1), 0, 1)).astype(np.uint8)
    times = max(1, math.ceil(scale * 8 / max(high, wide)))
    return as_address(png(pixels.repeat(times, axis=0).repeat(times, axis=1)))
