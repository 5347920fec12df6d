"""Files in LIBSVM's format, ``label index:value ...``, in windows of bytes."""

from __future__ import annotations

import bz2
import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from treecore.base.limits import LIBRARY, Limits
from treecore.data.readers.table import TableError, check_height, shortened

LIBSVM = {".libsvm", ".svm", ".svmlight", ".t", ".tr", ".val"}

WINDOW_BYTES = 4_000_000
"""Of a file that are read at once."""

ANY_WIDTH = 2**31 - 1
"""Features of rows of which the greatest is not yet known."""


def read_libsvm_rows(
    path: Path, limits: Limits = LIBRARY
) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """Features and targets, float64, and the features' names, of a file, plain or packed.

    A feature is named by its number in the file: a file that counts from 0 has x0, one that counts
    from 1 begins with x1, and neither moves beside the other. What a line leaves out is 0.

    Raises TableError where the file cannot be read, or its table would be larger than the limits.
    """
    windows = list(_LibsvmFile(path, limits).windows())
    n_rows = sum(X.shape[0] for X, _ in windows)
    if n_rows == 0:
        raise TableError(f"{path.name} has no rows")
    used = [X.indices for X, _ in windows if X.nnz]
    first = min([1, *(int(indices.min()) for indices in used)])
    n_features = max([1, *(int(indices.max()) + 1 - first for indices in used)])
    if n_rows * n_features > limits.n_values:
        raise TableError(
            f"{path.name} has {n_features} features for {n_rows} rows, zeros included, more "
            f"than {limits.n_values / 1e6:.0f} million values: keep a part of its rows or columns"
        )
    X, start = np.zeros((n_rows, n_features)), 0
    for window, _ in windows:
        rows = np.repeat(np.arange(start, start + window.shape[0]), np.diff(window.indptr))
        X[rows, window.indices - first] = window.data
        start += window.shape[0]
    names = tuple(f"x{number}" for number in range(first, first + n_features))
    return X, np.concatenate([y for _, y in windows]), names


class _LibsvmFile:
    """The lines of a file, some at a time."""

    def __init__(self, path: Path, limits: Limits):
        self._path, self._limits = path, limits

    def windows(self) -> Iterator[tuple[Any, ...]]:
        """Features, CSR, and targets of some rows after the other."""
        from sklearn.datasets import load_svmlight_file

        n_rows = 0
        for lines in self._lines():
            try:
                X, y = load_svmlight_file(io.BytesIO(lines), n_features=ANY_WIDTH, zero_based=True)
            except Exception as error:  # ValueError mostly; decoders have their own
                raise TableError(
                    f"{self._path.name} is not in LIBSVM's format ({shortened(error)}): "
                    "write a line as 1 3:0.5 7:2"
                ) from error
            n_rows += X.shape[0]
            if n_rows:
                check_height(n_rows, self._limits, to_learn=False)
            if X.nnz and X.indices.max() > self._limits.n_numbered_columns:
                raise TableError(
                    f"{self._path.name} has a feature {X.indices.max()}, more than "
                    f"{self._limits.n_numbered_columns}: number the features from 1"
                )
            if X.shape[0]:
                yield X, y

    def _lines(self) -> Iterator[bytes]:
        """The file's bytes, unpacked, in pieces that end with a line."""
        openers: dict[str, Any] = {".bz2": bz2.open, ".gz": gzip.open}
        opener = openers.get(self._path.suffix.lower(), open)
        size, rest = 0, b""
        try:
            with opener(self._path, "rb") as file:
                while window := file.read(WINDOW_BYTES):
                    size += len(window)
                    self._check_size(size, opener is not open, len(rest))
                    lines, end, rest_ = (rest + window).rpartition(b"\n")
                    if end:
                        yield lines + end
                    rest = rest_
        except (OSError, EOFError, ValueError, zlib.error) as error:
            raise TableError(f"{self._path.name} cannot be read ({shortened(error)})") from error
        if rest:
            yield rest

    def _check_size(self, size: int, packed: bool, n_rest: int) -> None:
        limits = self._limits
        most = limits.n_unpacked if packed else limits.n_bytes
        if size > most:
            unpacks = "unpacks to" if packed else "has"
            raise TableError(
                f"{self._path.name} {unpacks} more than {most / 1e6:g} MB: keep a random part of "
                "its rows"
            )
        if n_rest > limits.n_line:
            raise TableError(
                f"a line of {self._path.name} has more than {limits.n_line / 1e6:.3g} MB: write "
                "one line per row"
            )
