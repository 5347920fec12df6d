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

    Two arrays are equal if their types, shapes and bits are: NaN equals NaN, 0 does not equal -0.
    An array equals a list of its values. Tuples, lists, dictionaries and dataclasses are equal if
    all that they hold is.
    """
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return _difference_of_arrays(one, other, place)
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        one, other = np.asarray(one), np.asarray(other)
        floats = one.dtype.kind == "f" and other.dtype.kind == "f"
        return None if np.array_equal(one, other, equal_nan=floats) else place
    if type(one) is not type(other):
        return f"{place}: {type(one).__name__} and {type(other).__name__}"
    if dataclasses.is_dataclass(one):
        names = [field.name for field in dataclasses.fields(one)]  # not what is kept beside them
        one, other = ({name: getattr(all_of, name) for name in names} for all_of in (one, other))
    elif hasattr(one, "_asdict"):
        one, other = one._asdict(), other._asdict()
    elif isinstance(one, list | tuple):
        if len(one) != len(other):
            return f"{place}: {len(one)} and {len(other)} entries"
        one, other = dict(enumerate(one)), dict(enumerate(other))
    if isinstance(one, dict):
        if one.keys() != other.keys():
            return f"{place}: the keys {[*one]} and {[*other]}"
        places = (difference(one[key], other[key], f"{place}, {key}") for key in one)
        return next((place for place in places if place), None)
    return (
        None if one == other or (one != one and other != other) else f"{place}: {one} and {other}"
    )


def _difference_of_arrays(one: np.ndarray, other: np.ndarray, place: str) -> str | None:
    for what in ("dtype", "shape"):
        if getattr(one, what) != getattr(other, what):
            return f"{place}: {what} {getattr(one, what)} and {getattr(other, what)}"
    if one.dtype.hasobject:
        return None if np.array_equal(one, other) else place
    if one.tobytes() == other.tobytes():
        return None
    width = max(one.dtype.itemsize, 1)
    bits = [np.frombuffer(a.tobytes(), np.uint8).reshape(-1, width) for a in (one, other)]
    first = int((bits[0] != bits[1]).any(axis=1).argmax())
    entry = tuple(int(i) for i in np.unravel_index(first, one.shape))
    return f"{place}, entry {entry}: {one[entry]} and {other[entry]}"
