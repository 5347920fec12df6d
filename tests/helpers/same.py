"""Whether two results are one: trees, forests, hinge forests, documents, figures, bit for bit."""

from __future__ import annotations

import dataclasses

import numpy as np


def same(one, other) -> bool:
    """Whether two results hold the same arrays and values, to the last bit."""
    return difference(one, other) is None


def assert_same(one, other) -> None:
    """As :func:`same`; says where the two differ first."""
    place = difference(one, other)
    assert place is None, f"they differ at {place}"


def difference(one, other, place: str = "the whole") -> str | None:
    """Name the first place where two results differ, None if there is none.

    Arrays are equal if their shapes and values are; NaN equals NaN. Tuples, lists, dictionaries
    and dataclasses are equal if all that they hold is.
    """
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        one, other = np.asarray(one), np.asarray(other)
        floats = one.dtype.kind == "f" and other.dtype.kind == "f"
        return None if np.array_equal(one, other, equal_nan=floats) else place
    if type(one) is not type(other):
        return place
    if dataclasses.is_dataclass(one):
        one, other = vars(one), vars(other)
    elif hasattr(one, "_asdict"):
        one, other = one._asdict(), other._asdict()
    elif isinstance(one, list | tuple):
        if len(one) != len(other):
            return place
        one, other = dict(enumerate(one)), dict(enumerate(other))
    if isinstance(one, dict):
        if one.keys() != other.keys():
            return place
        places = (difference(one[key], other[key], f"{place}, {key}") for key in one)
        return next((place for place in places if place), None)
    return None if one == other or (one != one and other != other) else place
