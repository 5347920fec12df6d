"""Small pictures as files."""

import io

import numpy as np
import pytest
from PIL import Image

from ui.drawing.png import png


@pytest.mark.parametrize("shape", [(5, 7), (5, 7, 3)])
def test_a_picture_holds_its_pixels(shape):
    pixels = np.random.default_rng(0).integers(0, 256, shape).astype(np.uint8)
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(png(pixels)))), pixels)
