"""JSON of anybody: what it holds is counted before a single object is made, then read strictly.

Python's reader takes up to 25 bytes for one of the text, and a stack frame for each bracket.
"""

from __future__ import annotations

import json
import reprlib
from collections import Counter
from typing import Any

import numpy as np

from treecore.base.limits import LIBRARY, Limits

WINDOW_BYTES = 1 << 20

_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


class JsonError(ValueError):
    """One sentence: why a text is no JSON that is read here."""


def parse_json(text: str | bytes, limits: Limits = LIBRARY) -> Any:
    """What a JSON text says; JsonError for no JSON, beyond the limits, or with a key twice."""
    try:
        data = text if isinstance(text, bytes) else text.encode()
    except UnicodeEncodeError as error:
        raise JsonError(
            f"character {error.start} is half a character; save the file again"
        ) from None
    check_json(data, limits)
    try:
        text = data.decode("utf-8-sig")  # some editors mark UTF-8
        if not text.strip():
            raise JsonError("the file is empty; was the export interrupted?")
        return json.loads(text, object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        raise JsonError(
            f"byte {error.start} is not UTF-8; a tree file is text, saved as UTF-8"
        ) from None
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        guess = (
            "the file seems to be cut off" if cut else "export the tree again, or correct it there"
        )
        if not text[: error.pos].strip() and not cut:
            begins = reprlib.repr(text.split(maxsplit=1)[0])
            raise JsonError(f"this is not JSON: it begins with {begins}; {guess}") from None
        raise JsonError(f"line {error.lineno}, column {error.colno} is not JSON; {guess}") from None
    except RecursionError:
        raise JsonError("brackets are nested too deeply for a tree file") from None
    except JsonError:
        raise
    except ValueError:  # from int(), which refuses to spend quadratic time
        raise JsonError("an integer has thousands of digits; no key needs one") from None


def check_json(data: bytes, limits: Limits = LIBRARY) -> None:
    """Raise JsonError for a text that is too long, too deep, or of too many values."""
    if len(data) > limits.json_bytes:
        raise JsonError(f"the file is longer than {limits.json_bytes / 1e6:g} MB; is it a tree?")
    quoted, depth, n_values, start = False, 0, 1, 0
    while start < len(data):
        window = data[start : start + WINDOW_BYTES]
        n_escapes = len(window) - len(window.rstrip(b"\\"))
        if n_escapes % 2:  # no escape is cut in two
            window = data[start : start + len(window) + 1]
        start += len(window)
        parts = window.replace(b"\\\\", b"..").replace(b'\\"', b"..").split(b'"')
        outside = b'"'.join(parts[quoted::2])
        n_values += sum(map(outside.count, (b",", b"[", b"{")))
        brackets = np.frombuffer(outside.translate(None, _NOT_BRACKETS), dtype=np.uint8)
        depths = depth + np.cumsum(np.where(brackets & 2, 1, -1))  # a bit of [ and {
        deepest, depth = depths.max(initial=depth), depths[-1] if depths.size else depth
        if deepest > limits.json_depth:
            raise JsonError("brackets are nested too deeply for a tree file")
        if n_values > limits.json_values:
            raise JsonError(f"the file holds more than {limits.json_values} values; is it a tree?")
        quoted = quoted ^ (len(parts) % 2 == 0)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Refuse a key given twice, of which readers would pick different ones."""
    result = dict(pairs)
    if len(result) < len(pairs):
        (twice, _), *_ = Counter(key for key, _ in pairs).most_common(1)
        raise JsonError(f"an object has the key {reprlib.repr(twice)} twice; remove one of them")
    return result
