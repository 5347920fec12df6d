"""Arrays and names as JSON text: numbers with the fewest digits that give back the same bits."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

import numpy as np

from treecore.persistence.values import TreeFormatError


def digit_rows(matrix: np.ndarray) -> Iterator[list[str]]:
    """The digits of a matrix, row by row, enough for JSON readers that round to float64 first."""
    step = max(1, 2**16 // matrix.shape[1])  # NumPy's text takes 128 bytes a number
    for start in range(0, matrix.shape[0], step):
        part = np.ascontiguousarray(matrix[start : start + step])
        digits = part.astype(str)
        back = digits.astype(np.float64).astype(part.dtype)
        wrong = back != part
        if wrong.any():
            digits[wrong] = [repr(float(number)) for number in part[wrong]]
        yield from digits.tolist()


def vector_text(vector: np.ndarray) -> str:
    """A list of numbers."""
    return next(row_texts(vector[None]))


def matrix_text(matrix: np.ndarray) -> str:
    """A list of the rows of a matrix."""
    return f"[{','.join(row_texts(matrix))}]"


def row_texts(matrix: np.ndarray) -> Iterator[str]:
    """The list of each row of a matrix."""
    return (f"[{','.join(digits)}]" for digits in digit_rows(matrix))


def object_text(members: dict[str, str]) -> str:
    """An object, on one line, from the texts of its members."""
    return block("{}", member_texts(members), None, level=1)


def member_texts(members: dict[str, str]) -> list[str]:
    """The members of an object from the texts of their values."""
    return [f'"{key}":{value}' for key, value in members.items()]


def block(brackets: str, items: Iterable[str], indent: int | None, level: int) -> str:
    """A list or an object from the texts of its items, a line for each where indented."""
    opening, closing = brackets[0], brackets[1]
    items = [*items]
    if indent is None or not items:
        return opening + ",".join(items) + closing
    outer = "\n" + " " * (indent * (level - 1))
    inner = "\n" + " " * (indent * level)
    return opening + inner + ("," + inner).join(items) + outer + closing


def json_text(value: object, what: str) -> str:
    """Any plain value on one line, float64 exactly; TreeFormatError, with its name, if not JSON."""
    try:
        return json.dumps(value, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise TreeFormatError(f"{what} must be plain finite JSON: {error}") from None
