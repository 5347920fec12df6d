"""Numbers and names as source code, whatever people have called their columns."""

from __future__ import annotations

import json
from collections.abc import Iterable

import numpy as np

from treecore.data.feature_maps import SplineMap
from treecore.persistence import TreeFormatError
from treecore.persistence.text import vector_text


def int_list(numbers: np.ndarray, brackets: str = "[]") -> str:
    """Whole numbers, as Python, JavaScript and (in braces) C read them."""
    return _list(map(str, numbers.tolist()), brackets)


def float_list(numbers: np.ndarray) -> str:
    """float32 numbers with the fewest digits that read back, through float64, to the same bits."""
    return vector_text(np.asarray(numbers, dtype=np.float32)) if len(numbers) else "[]"


def double_list(numbers: np.ndarray, brackets: str = "[]") -> str:
    """Numbers as float64, which float32 numbers are exactly."""
    return _list(map(repr, np.asarray(numbers, dtype=np.float64).tolist()), brackets)


def c_float_list(numbers: np.ndarray) -> str:
    """float32 numbers for C, with its suffix."""
    texts = (f"{text}f" for text in np.asarray(numbers, dtype=np.float32).astype(str).tolist())
    return _list(texts, "{}")


def _list(texts: Iterable[str], brackets: str) -> str:
    return brackets[0] + ", ".join(texts) + brackets[1]


def python_text(value: str | list[str]) -> str:
    """Names as Python, in ASCII."""
    return ascii(value)


def javascript_text(value: str | list[str]) -> str:
    """Names as JavaScript, in ASCII, and so that they end no script of an HTML page."""
    return json.dumps(value).replace("<", "\\u003c")


def c_text(name: str) -> str:
    """A name as a C string of UTF-8 bytes.

    Whatever is no letter, digit or blank is written by its octal number: three digits end by
    themselves, and no question marks are left to make a trigraph.
    """
    plain = {*b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-.,()"}
    return '"' + "".join(chr(b) if b in plain else f"\\{b:03o}" for b in name.encode()) + '"'


def sql_name(name: str) -> str:
    """A name as a quoted identifier of SQL."""
    return '"' + _without_nul(name).replace('"', '""') + '"'


def sql_text(name: str) -> str:
    """A name as a string of SQL."""
    return "'" + _without_nul(name).replace("'", "''") + "'"


def _without_nul(name: str) -> str:
    if "\0" in name:
        raise TreeFormatError(f"SQL has no name with the character NUL, as {name!r} has: rename it")
    return name


def spline_text(template: str, spline: SplineMap | None) -> str:
    """What makes the features that a tree reads, where they are not those of a row.

    Parameters
    ----------
    template : str
        With places for ``centre``, ``deviation``, ``features`` and ``knots``, lists in brackets.
    spline : SplineMap or None
    """
    if spline is None:
        return ""
    return template.format(
        centre=double_list(spline.centre),
        deviation=double_list(spline.deviation),
        features=int_list(spline.features),
        knots=double_list(spline.knots),
    )
