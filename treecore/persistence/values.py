"""Values of a JSON file, read many at a time: what is wrong is reported with its place."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain
from typing import Any, NoReturn

import numpy as np
from numpy.typing import DTypeLike

from treecore.base.bounded_json import JsonError, parse_json
from treecore.base.limits import LIBRARY, Limits

_TYPES = {
    str: "a string",
    bool: "a boolean",
    type(None): "null",
    list: "a list",
    dict: "an object",
    int: "a number",
    float: "a number",
}


class TreeFormatError(ValueError):
    """What was read, or is to be written, is no model in a format of treecore; says where."""


@dataclass(frozen=True)
class Values:
    """What stands at like places of a file: one key of all splits, or all entries of a list.

    A method checks all, and raises a :class:`TreeFormatError` with the first place that is wrong:
    ``'split 3: "threshold" must be a number, not a string'``.
    """

    items: list[Any]
    place: Callable[[int], str]

    def refuse(self, i: int, problem: str) -> NoReturn:
        """Say that an item is wrong."""
        raise TreeFormatError(f"{self.place(i)} {problem}")

    def all_of(self, kind: type) -> Values:
        """The same values, all objects (``dict``), or all lists."""
        for i, item in enumerate(self.items):
            if type(item) is not kind:
                self.refuse(i, f"must be {_TYPES[kind]}, not {type_of(item)}")
        return self

    def records(self, *shapes: AbstractSet[str]) -> Values:
        """The same values, all objects with exactly the keys of one of the shapes."""
        for i, record in enumerate(self.all_of(dict).items):
            if record.keys() not in shapes:
                nearest = sorted(shapes, key=lambda shape: len(shape ^ record.keys()))[:3]
                wanted = " or ".join(shown(sorted(shape)) for shape in nearest)
                wanted += " or others" if len(shapes) > len(nearest) else ""
                self.refuse(
                    i, f"must have exactly the keys {wanted}, and has {shown(sorted(record))}"
                )
        return self

    def lists(self, length: int | None = None) -> Values:
        """The same values, all lists of so many entries, or of any number from 1."""
        for i, entries in enumerate(self.all_of(list).items):
            if length is None and not entries:
                self.refuse(i, "must be a list that is not empty")
            if length is not None and len(entries) != length:
                self.refuse(i, f"has {len(entries)} entries and must have {length}")
        return self

    def at(self, key: str) -> Values:
        """What the objects hold under a key that all of them have."""
        return Values(
            [record[key] for record in self.items],
            lambda i: f'{self.place(i)}: "{key}"'.removeprefix(": "),
        )

    def pick(self, numbers: Sequence[int]) -> Values:
        return Values([self.items[i] for i in numbers], lambda k: self.place(numbers[k]))

    def entries(self, label: str = ", entry {},") -> Values:
        """The entries of all lists, one list after another."""

        def place(k: int) -> str:
            ends = np.cumsum([len(entries) for entries in self.items])
            i = int(np.searchsorted(ends, k, side="right"))
            return self.place(i) + label.format(k - int(ends[i]) + len(self.items[i]))

        return Values([*chain.from_iterable(self.items)], place)

    def floats(self, dtype: DTypeLike = np.float32) -> np.ndarray:
        """Finite numbers, float32 or float64, of shape (n_items,)."""
        with np.errstate(all="ignore"):
            result = self._numbers().astype(dtype)
        for i in np.flatnonzero(~np.isfinite(result))[:1]:
            wanted = "number" if dtype == np.float64 else "float32, within ±3.4e38"
            self.refuse(i, f"is {shown(self.items[i])}, and must be a finite {wanted}")
        return result

    def integers(self, limit: int | np.ndarray) -> np.ndarray:
        """Whole numbers from 0 to below ``limit`` (one, or one for each), int64 (n_items,)."""
        floats = self._numbers()
        right = (floats >= 0) & (floats < limit) & (floats == np.floor(floats))
        for i in np.flatnonzero(~right)[:1]:
            most = np.broadcast_to(limit, floats.shape)[i] - 1
            self.refuse(
                i, f"is {shown(self.items[i])}, and must be a whole number from 0 to {most}"
            )
        return floats.astype(np.int64)

    def matrix(self, length: int, dtype: DTypeLike = np.float32) -> np.ndarray:
        """Lists of ``length`` finite numbers each, (n_items, length)."""
        return self.lists(length).entries().floats(dtype).reshape(-1, length)

    def vector(self, length: int, dtype: DTypeLike = np.float32) -> np.ndarray:
        """The numbers of the one list that these values are, of shape (length,)."""
        return self.matrix(length, dtype)[0]

    def _numbers(self) -> np.ndarray:
        if not set(map(type, self.items)) <= {int, float}:  # the type of True is bool
            i = next(i for i, item in enumerate(self.items) if type(item) not in (int, float))
            self.refuse(i, f"must be a number, not {type_of(self.items[i])}")
        try:
            return np.array(self.items, dtype=np.float64)
        except OverflowError:  # an integer of more than 308 digits, infinite for all that follows
            return np.array([x if abs(x) < 2**1023 else math.inf for x in self.items])


def parse(text: str | bytes, limits: Limits = LIBRARY) -> Any:
    """``bounded_json.parse_json`` with a TreeFormatError for a text that is not to be read."""
    try:
        return parse_json(text, limits)
    except JsonError as error:
        raise TreeFormatError(str(error)) from None


def type_of(value: object) -> str:
    return _TYPES.get(type(value), f"a Python {type(value).__name__}")


def shown(value: object) -> str:
    return reprlib.repr(value)
