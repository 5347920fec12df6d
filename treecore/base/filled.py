"""Sentences with values in them, which can still be said in another language."""

from __future__ import annotations

from typing import Any


class Filled(str):
    """A text that remembers its English ``message``, a ``str.format``, and the values in it."""

    message: str
    values: dict[str, Any]

    def __new__(cls, message: str, **values: Any) -> Filled:
        text = super().__new__(cls, message.format(**values))
        text.message, text.values = message, values
        return text
