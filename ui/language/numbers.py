"""Numbers as the visitor's language writes them: 74.4 % in English is 74,4 % in German.

Of a message its values are written so by :func:`ui.language.translate._`; what is no message goes
through ``figure`` of the same module.
"""

import functools
import re
from collections.abc import Mapping
from numbers import Real
from string import Formatter
from typing import Any

from babel import Locale

UNBROKEN = "\u00a0"
"""A space at which no line ends."""


@functools.cache
def _signs(code: str) -> dict[int, str]:
    """What stands in the places of a point within a number and of a comma between thousands."""
    known = Locale.parse(code).number_symbols
    known = known.get("latn", known)  # by the kind of digits, since Babel 2.14
    return str.maketrans({".": known["decimal"], ",": known["group"]})


def separators(code: str) -> str:
    """Both signs in a row, as Plotly has them."""
    signs = _signs(code)
    return signs[ord(".")] + signs[ord(",")]


def written(value: Any, spec: str, code: str) -> str:
    """A value in a language; a share has a space before its sign, and text stays as it is."""
    text = format(value, spec)
    if not isinstance(value, Real) or isinstance(value, bool):
        return text
    if not re.search("[a-z1-9]", text):  # nothing is not minus nothing, but inf may be
        text = text.removeprefix("-")
    if spec.endswith("%"):
        text = f"{text[:-1]}{UNBROKEN}%"
    return text.translate(_signs(code))


class _Filler(Formatter):
    """Fills the places of messages in one language."""

    def __init__(self, code: str):
        self._code = code

    def format_field(self, value: Any, format_spec: str) -> str:
        return written(value, format_spec, self._code)


def filled(message: str, values: Mapping[str, Any], code: str) -> str:
    """A message with its values in their places, numbers as a language writes them."""
    return _Filler(code).vformat(message, (), values)
