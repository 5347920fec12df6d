"""Outcomes in files of JSON lines: each stands in a line as soon as it is measured."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from treecore.base import write_atomically

Key = tuple[Any, ...]
Rows = dict[Key, dict[str, Any]]


class Lines:
    """What was measured so far, of which a page is made; the last line of equals counts.

    path: the file; keys: the columns by which :attr:`rows` are found.
    """

    def __init__(self, path: Path, *keys: str):
        self.path, self.keys = path, keys
        self.rows: Rows = {}
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            self._take(json.loads(line))

    def _take(self, row: dict[str, Any]) -> None:
        self.rows[tuple(row[key] for key in self.keys)] = row

    def add(self, row: dict[str, Any]) -> None:
        """Keep a row, in the file as well, with numbers of five digits after the point."""
        self._take(_rounded(row))
        self.write()

    def measure(self, tasks: Iterable[Key], measure: Callable[..., dict[str, Any]]) -> None:
        """Measure, print and keep what is not there yet; a task is the arguments, and the key."""
        for task in tasks:
            if task not in self.rows:
                self.add(measure(*task))
                print(json.dumps(self.rows[task]), flush=True)

    def write(self) -> None:
        """Write all rows, sorted, so that a change of one is a change of one line."""
        lines = [json.dumps(self.rows[key]) + "\n" for key in sorted(self.rows)]
        write_atomically(self.path, "".join(lines).encode())


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 5)
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return value
