"""Numbers and names as source code, whatever people have called their columns."""

from __future__ import annotations

import json
from collections.abc import Iterable

import numpy as np

from treecore.persistence import TreeFormatError
from treecore.persistence.text import json_text, plain


class Lists:
    """How Python and JavaScript write lists of numbers."""

    brackets = "[]"

    def ints(self, numbers: np.ndarray) -> str:
        return self.joined(map(str, numbers.tolist()))

    def floats(self, numbers: np.ndarray) -> str:
        """float32 numbers with the fewest digits that read back, through float64, to the same."""
        return json_text(plain(np.asarray(numbers, dtype=np.float32)), "numbers")

    def doubles(self, numbers: np.ndarray) -> str:
        """Numbers as float64, which float32 numbers are exactly."""
        return self.joined(map(repr, np.asarray(numbers, dtype=np.float64).tolist()))

    def lines(self, rows: Iterable[str]) -> str:
        """Rows of a table, one a line."""
        return "\n".join(f"    {row}," for row in rows)

    def joined(self, texts: Iterable[str]) -> str:
        """What is written already, as a list."""
        return self.brackets[0] + ", ".join(texts) + self.brackets[1]


class CLists(Lists):
    """How C writes them: it has no empty arrays, so these have a zero that nobody reads."""

    brackets = "{}"

    def ints(self, numbers: np.ndarray) -> str:
        return super().ints(_not_empty(numbers))

    def floats(self, numbers: np.ndarray) -> str:
        texts = np.asarray(_not_empty(numbers), dtype=np.float32).astype(str).tolist()
        return self.joined(f"{text}f" for text in texts)

    def doubles(self, numbers: np.ndarray) -> str:
        return super().doubles(_not_empty(numbers))


def _not_empty(numbers: np.ndarray) -> np.ndarray:
    return numbers if len(numbers) else np.zeros(1, dtype=numbers.dtype)


def python_text(value: str | list[str]) -> str:
    return ascii(value)


def javascript_text(value: str | list[str]) -> str:
    """Names as JavaScript, in ASCII, and so that they end no script of an HTML page."""
    return json.dumps(value).replace("<", "\\u003c")


def c_names(names: list[str]) -> str:
    return "{" + ", ".join(map(c_text, names)) + "}"


def c_text(name: str) -> str:
    """A name as a C string of UTF-8 bytes, all but letters, digits and blanks as octal numbers."""
    plain = {*b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-.,()"}
    return '"' + "".join(chr(b) if b in plain else f"\\{b:03o}" for b in name.encode()) + '"'


def sql_name(name: str) -> str:
    return '"' + _without_nul(name).replace('"', '""') + '"'


def sql_text(name: str) -> str:
    return "'" + _without_nul(name).replace("'", "''") + "'"


def _without_nul(name: str) -> str:
    if "\0" in name:
        raise TreeFormatError(f"SQL has no name with the character NUL, as {name!r} has: rename it")
    return name
