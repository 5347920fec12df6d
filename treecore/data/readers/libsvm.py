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
import pyarrow as pa
from scipy import sparse

from treecore.base.limits import LIBRARY, STREAMS, Limits
from treecore.data.readers.columns import Column
from treecore.data.readers.encoding import Block
from treecore.data.readers.settings import ReadingSettings
from treecore.data.readers.table import Table, TableError, check_height, shortened
from treecore.data.readers.targets import Target

LIBSVM = {".libsvm", ".svm", ".svmlight", ".t", ".tr", ".val"}

WINDOW_BYTES = 4_000_000
"""Of a file that are read at once."""

ANY_WIDTH = 2**31 - 1
"""Features of rows of which the greatest is not yet known; sparse, they cost nothing."""


class LibsvmFile:
    """The rows of a file, plain or packed by bzip2 or gzip.

    A feature is named by its number in the file: a file that counts from 0 has x0, one that counts
    from 1 begins with x1, and neither moves beside the other. Where at least half of the entries
    are given the rows are dense.

    Parameters
    ----------
    path : Path
    whole : bool
        Whether all rows stay in memory once they have been looked over.

    Attributes
    ----------
    n_features : int
    feature_names : tuple of str
    sparse : bool

    Raises
    ------
    TableError
        Where the file cannot be read.
    """

    def __init__(self, path: Path, is_complete: bool, limits: Limits = LIBRARY):
        self._path, self._limits = path, limits
        self._kept: list[tuple[Any, ...]] | None = [] if is_complete else None
        self._first, last, n_rows, self.n_stored = 1, 0, 0, 0
        for X, y in self._windows():
            if X.nnz:
                self._first = min(self._first, int(X.indices.min()))
                last = max(last, int(X.indices.max()))
            n_rows, self.n_stored = n_rows + X.shape[0], self.n_stored + X.nnz
            if self._kept is not None:
                self._kept.append((X, y))
        self.n_features = max(1, last + 1 - self._first)
        numbers = range(self._first, self._first + self.n_features)
        self.feature_names = tuple(f"x{number}" for number in numbers)
        self.sparse = self.n_stored * 2 < n_rows * self.n_features
        if n_rows == 0:
            raise TableError(f"{path.name} has no rows")

    def blocks(self) -> Iterator[tuple[Any, ...]]:
        """Features, dense or CSR, and targets, float64, of some rows after the other."""
        for X, y in self._windows() if self._kept is None else self._kept:
            parts = (X.data, X.indices - X.indices.dtype.type(self._first), X.indptr)
            X = sparse.csr_matrix(parts, shape=(X.shape[0], self.n_features))
            yield X if self.sparse else X.toarray(), y

    def joined(self) -> tuple[Any, ...]:
        """Features and targets of all rows."""
        X, y = zip(*self.blocks(), strict=True)
        return sparse.vstack(X, format="csr") if self.sparse else np.vstack(X), np.concatenate(y)

    def _windows(self) -> Iterator[tuple[Any, ...]]:
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
            if X.nnz and X.indices.max() > self._limits.n_sparse_columns:
                raise TableError(
                    f"{self._path.name} has a feature {X.indices.max()}, more than "
                    f"{self._limits.n_sparse_columns}: number the features from 1"
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
                f"a line of {self._path.name} has more than {limits.n_line / 1e6:.3g} MB: break it "
                "up, one line a row"
            )


class EncodedLibsvm:
    """A file to learn from in pieces; attributes as of :class:`.encoding.EncodedTable`."""

    def __init__(self, path: Path, task: str | None):
        self._file = LibsvmFile(path, is_complete=False, limits=STREAMS)
        if not self._file.n_stored:
            raise TableError(f"{path.name} has no feature in any row")
        self.sparse = self._file.sparse
        self.feature_names = self._file.feature_names
        self.columns: tuple[Column, ...] = ()
        table = Table()
        table.reading = ReadingSettings()
        self.target, self.n_missing = Target(table, "target", task), 0
        for _, y, rows in self._labelled():
            self.target.add(pa.array(y), rows)
        self.target.decide()

    def blocks(self) -> Iterator[Block]:
        """All rows that have a target, in the order of the file."""
        for X, y, rows in self._labelled():
            yield Block(X, self.target.encode(pa.array(y), rows), rows)

    def _labelled(self) -> Iterator[Block]:
        start = self.n_missing = 0
        for X, y in self._file.blocks():
            known = np.flatnonzero(~np.isnan(y))
            self.n_missing += len(y) - len(known)
            yield Block(X[known], y[known], start + known)
            start += len(y)
