"""What a file of Universal Binary JSON holds, as XGBoost writes it."""

from __future__ import annotations

import struct
from typing import Any

from treecore.base.limits import Limits
from treecore.persistence import TreeFormatError

_NUMBERS = {"i": "b", "U": "B", "I": "h", "l": "i", "L": "q", "d": "f", "D": "d"}
"""By its marks, and as :mod:`struct` calls them."""

_CONSTANTS = {"T": True, "F": False, "Z": None}


def parse_ubjson(content: bytes, limits: Limits) -> Any:
    """The value of a file. Raises TreeFormatError where it is none, or deeper than the limits."""
    try:
        return _Reader(content, limits.json_depth).value(1)
    except (LookupError, ValueError, struct.error) as error:
        raise TreeFormatError(f"this is not complete UBJSON ({error})") from None


class _Reader:
    """A place in a file, behind what has been read."""

    def __init__(self, content: bytes, deepest: int):
        self.content, self.at, self.deepest = content, 0, deepest

    def value(self, depth: int) -> Any:
        mark = self._mark()
        if depth > self.deepest:
            raise ValueError(f"deeper than {self.deepest} levels")
        if mark == "{":
            found = {}
            while not self._ends("}"):
                name = self._text()
                found[name] = self.value(depth + 1)
            return found
        if mark == "[":
            return self._array(depth)
        if mark == "S":
            return self._text()
        return _CONSTANTS[mark] if mark in _CONSTANTS else self._number(mark)

    def _array(self, depth: int) -> list[Any]:
        kind = self._mark() if self._ends("$") else ""
        if not self._ends("#"):
            values = []
            while not self._ends("]"):
                values.append(self.value(depth + 1))
            return values
        count = self._number(self._mark())
        if kind:
            return list(self._unpacked(_NUMBERS[kind], count))
        return [self.value(depth + 1) for _ in range(count)]

    def _text(self) -> str:
        length = self._number(self._mark())
        return b"".join(self._unpacked("c", length)).decode()

    def _number(self, mark: str) -> Any:
        return self._unpacked(_NUMBERS[mark], 1)[0]

    def _unpacked(self, kind: str, count: int) -> tuple[Any, ...]:
        if not 0 <= count <= len(self.content):
            raise ValueError(f"a length of {count}")
        found = struct.unpack_from(f">{count}{kind}", self.content, self.at)
        self.at += struct.calcsize(f">{count}{kind}")
        return found

    def _mark(self) -> str:
        return self._unpacked("c", 1)[0].decode("latin-1")

    def _ends(self, mark: str) -> bool:
        """Whether a mark comes next, and go behind it."""
        found = self.content[self.at : self.at + 1] == mark.encode()
        self.at += found
        return found
