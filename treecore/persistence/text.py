"""Arrays and plain values as JSON: numbers with the fewest digits that give back the same bits."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np

from treecore.persistence.values import TreeFormatError

_ENCODER = json.JSONEncoder(allow_nan=False, separators=(",", ":"))


def plain_rows(matrix: np.ndarray) -> Iterator[list[float]]:
    """The rows of a matrix as Python's numbers, whose text gives back the same bits.

    So do JSON readers that round to float64 first.
    """
    step = max(1, 2**16 // max(1, matrix.shape[1]))  # NumPy's text takes 128 bytes a number
    for start in range(0, matrix.shape[0], step):
        part = matrix[start : start + step]
        if part.dtype == np.float32:
            digits = part.astype(str).ravel().tolist()
            shortest = np.array([*map(float, digits)]).reshape(part.shape)
            part = np.where(shortest.astype(np.float32) == part, shortest, part)
        yield from part.tolist()


def plain(vector: np.ndarray) -> list[float]:
    """The same of a vector."""
    return [number for (number,) in plain_rows(vector[:, None])]


def json_text(value: object, what: str) -> str:
    """Any plain value on one line, float64 exactly; TreeFormatError, with its name, if not JSON."""
    try:
        return _ENCODER.encode(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise TreeFormatError(f"{what} must be plain finite JSON: {error}") from None
