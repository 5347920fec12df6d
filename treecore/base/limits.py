"""How large a file may be: of one's own, or of a stranger. All limits of readers stand here."""

from __future__ import annotations

from dataclasses import dataclass, replace

DEEPEST_TREE = 512
"""Splits on the longest path of a tree that can be written to a file."""


@dataclass(frozen=True)
class Limits:
    """What readers refuse in one sentence before they make room for it.

    The defaults are the library's: whoever reads a file of their own is kept from accidents only.

    - n_bytes: of a file of rows; n_unpacked: of what a packed file says that it holds.
    - n_columns: of a table, and features made of it; n_numbered_columns: of a LIBSVM file.
    - n_values: rows times features of a table; 8 bytes each, so 2 GiB.
    - n_line: bytes without a line break; lines of up to twice as many may pass.
    - n_text: characters of a name and of a text that becomes a category or a class.
    - json_bytes, json_values, json_depth: of a JSON text: bytes, values (lists, objects, numbers,
      texts), how deeply they lie in one another.
    - n_weights: oblique splits times features of trees in JSON, where zeros need not be written.
    """

    n_bytes: int = 4_000_000_000
    n_unpacked: int = 64_000_000_000
    n_rows: int = 50_000_000
    n_columns: int = 5000
    n_numbered_columns: int = 1_000_000
    n_values: int = 2**28
    n_line: int = 2**62
    n_text: int = 100_000
    json_bytes: int = 200_000_000
    json_values: int = 50_000_000
    json_depth: int = 200
    n_weights: int = 100_000_000


LIBRARY = Limits()
"""For files of one's own."""

STREAMS = replace(LIBRARY, n_bytes=2**62, n_unpacked=2**62, n_rows=2**62)
"""For files that are read in pieces: of any length."""

UPLOADS = Limits(
    n_bytes=50_000_000,
    n_unpacked=200_000_000,
    n_rows=1_000_000,
    n_columns=5000,
    n_numbered_columns=100_000,
    n_values=20_000_000,
    n_line=1 << 22,
    n_text=1000,
    json_bytes=20_000_000,
    json_values=2_000_000,
    json_depth=50,
    n_weights=10_000_000,
)
"""For files that strangers give to the app: each is read within 300 MB."""
