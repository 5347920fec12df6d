"""Small pictures as PNG files: an image of digits, a map of regions."""

import base64
import io
import math

import numpy as np
from PIL import Image

from treecore.data import Dataset


def png(pixels: np.ndarray) -> bytes:
    """A PNG file of uint8 pixels: grey ones, (height, width), or coloured, (height, width, 3)."""
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


def as_address(file: bytes) -> str:
    """A PNG file as an address, to be shown without being fetched."""
    return "data:image/png;base64," + base64.b64encode(file).decode()


def picture(data: Dataset, row: int, scale: int = 3) -> str:
    """A row of an image dataset as the address of a small PNG; ValueError for other data."""
    if data.image_shape is None:
        raise ValueError("these data are no images")
    high, wide = data.image_shape
    values = data.X[row].reshape(high, wide)
    most = data.X.max()
    pixels = 255 - np.rint(255 * np.clip(values / (most if most > 0 else 1), 0, 1)).astype(np.uint8)
    times = max(1, math.ceil(scale * 8 / max(high, wide)))
    return as_address(png(pixels.repeat(times, axis=0).repeat(times, axis=1)))
