"""The wire: named arrays and a JSON header in one block of bytes, readable without copying.

Layout, all integers little-endian::

    uint32   length of the header in bytes
    header   UTF-8 JSON: {"meta": ..., "arrays": [{"name", "dtype", "shape", "offset"}, ...]}
    blobs    C-ordered arrays, each at an offset (from the very start) divisible by 8

The twin that reads this in the browser is ``js/app/wire.js``. Messages travel on a WebSocket
of our own (``ui/server/live.py``), or whole, as the data of one of Streamlit's components.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

DTYPES = ("f4", "f8", "i1", "i2", "i4", "u1", "u2", "u4")
"""What JavaScript has a typed array for. 64-bit integers are not among them."""

Have = Mapping[str, Any]
"""What a view says it has, in the words of its source; empty for a view that has nothing yet."""

News = tuple[dict[str, Any], dict[str, np.ndarray]]
"""``meta`` and arrays of one view's part of a message."""

_ALIGN = 8
_PADDING = bytes(_ALIGN)
_ENCODER = json.JSONEncoder(allow_nan=False, separators=(",", ":"))
_quoted = lru_cache(4096)(json.dumps)


def pack(meta: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> bytes:
    """Pack one message; ValueError for NaN, infinity, or a type that JavaScript cannot read."""
    entries: list[str] = []
    blobs: list[bytes | memoryview] = []
    # Offsets stand in the header, whose length they change: they count from the end of the
    # header first, and a header padded with spaces makes both counts multiples of 8.
    end = 0
    for name, given in arrays.items():
        array = np.asarray(given)
        dtype, shape = _dtype(name, array), ",".join(map(str, array.shape))
        # Written out here, an entry takes a third of what the encoder takes; a picture has twenty.
        entries.append(
            f'{{"name":{_quoted(name)},"dtype":"{dtype}","shape":[{shape}],"offset":{end}}}'
        )
        blobs.append(np.ascontiguousarray(array, dtype="<" + dtype).data)
        padding = -array.nbytes % _ALIGN
        blobs.append(_PADDING[:padding])
        end += array.nbytes + padding
    header = f'{{"meta":{_ENCODER.encode(meta)},"arrays":[{",".join(entries)}]}}'.encode()
    header += b" " * (-(4 + len(header)) % _ALIGN)
    parts: list[bytes | memoryview] = [len(header).to_bytes(4, "little"), header, *blobs]
    return b"".join(parts)


def unpack(message: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The ``meta`` and the arrays of a message, read-only views of it."""
    length = int.from_bytes(message[:4], "little")
    start = 4 + length
    header = json.loads(message[4:start])
    arrays = {}
    for entry in header["arrays"]:
        count = int(np.prod(entry["shape"], dtype=np.int64))
        flat = np.frombuffer(message, "<" + entry["dtype"], count, start + entry["offset"])
        arrays[entry["name"]] = flat.reshape(entry["shape"])
    return header["meta"], arrays


def _dtype(name: str, array: np.ndarray) -> str:
    dtype = "u1" if array.dtype.kind == "b" else array.dtype.str[1:]
    if dtype not in DTYPES:
        raise ValueError(f"array {name!r} has type {array.dtype}; the wire knows {DTYPES}")
    return dtype


def spoken(meta: dict[str, Any], say: Callable[[str], str]) -> dict[str, Any]:
    """What a view is told, in the language of ``say``; scripts translate the rest."""
    translated = dict(meta)
    if isinstance(message := meta.get("message"), str):
        translated["message"] = say(message)
    if isinstance(axes := meta.get("axes"), dict):
        reported = {name: say(text) for name, text in axes.items() if isinstance(text, str)}
        translated["axes"] = axes | reported
    return translated
