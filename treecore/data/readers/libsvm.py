"""Files in LIBSVM's format, ``label index:value ...``, in windows of bytes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
from scipy import sparse

from treecore.data.readers.encoding import Block
from treecore.data.readers.table import Table, TableError
from treecore.data.readers.targets import Target

LIBSVM = {".libsvm", ".svm", ".svmlight", ".t", ".tr", ".val"}

WINDOW_BYTES = 4_000_000
"""Of a file that are read at once."""

ANY_WIDTH = 2**31 - 1
"""Features of rows of which the greatest is not yet known; sparse, they cost nothing."""


class LibsvmFile:
    """The rows of a file, plain or packed by bzip2 or gzip; features are counted from 1, or from 0.

    Where at least half of the entries are given the rows are dense.

    Parameters
    ----------
    path : Path
    whole : bool
        Whether all rows stay in memory once they have been looked over.

    Attributes
    ----------
    n_features : int
    sparse : bool

    Raises
    ------
    TableError
        Where the file cannot be read.
    """

    def __init__(self, path: Path, whole: bool):
        self._path = path
        self._kept: list[tuple] | None = [] if whole else None
        self._first, last, n_rows, self.n_stored = 1, 0, 0, 0
        for X, y in self._windows():
            if X.nnz:
                self._first = min(self._first, int(X.indices.min()))
                last = max(last, int(X.indices.max()))
            n_rows, self.n_stored = n_rows + X.shape[0], self.n_stored + X.nnz
            if self._kept is not None:
                self._kept.append((X, y))
        self.n_features = max(1, last + 1 - self._first)
        self.sparse = self.n_stored * 2 < n_rows * self.n_features
        if n_rows == 0:
            raise TableError(f"{path.name} has no rows")

    def blocks(self) -> Iterator[tuple]:
        """Features, dense or CSR, and targets, float64, of some rows after the other."""
        for X, y in self._windows() if self._kept is None else self._kept:
            parts = (X.data, X.indices - X.indices.dtype.type(self._first), X.indptr)
            X = sparse.csr_matrix(parts, shape=(X.shape[0], self.n_features))
            yield X if self.sparse else X.toarray(), y

    def joined(self) -> tuple:
        """Features and targets of all rows."""
        X, y = zip(*self.blocks(), strict=True)
        return sparse.vstack(X, format="csr") if self.sparse else np.vstack(X), np.concatenate(y)

    def _windows(self) -> Iterator[tuple]:
        from sklearn.datasets import load_svmlight_file

        packed = self._path.suffix.lower() in (".bz2", ".gz")  # and has no places to begin at
        size = 1 if packed else self._path.stat().st_size
        for start in range(0, size, WINDOW_BYTES):
            try:
                X, y = load_svmlight_file(
                    str(self._path),
                    n_features=ANY_WIDTH,
                    zero_based=True,
                    offset=start,
                    length=-1 if packed else WINDOW_BYTES,
                )
            except Exception as error:  # ValueError mostly; decoders have their own
                raise TableError(
                    f"{self._path.name} is not in LIBSVM's format ({error})"
                ) from error
            if X.shape[0]:
                yield X, y


class EncodedLibsvm:
    """A file to learn from in pieces; attributes as of :class:`.encoding.EncodedTable`."""

    def __init__(self, path: Path, task: str | None):
        self._file = LibsvmFile(path, whole=False)
        if not self._file.n_stored:
            raise TableError(f"{path.name} has no feature in any row")
        self.sparse = self._file.sparse
        self.feature_names = tuple(f"x{j}" for j in range(1, self._file.n_features + 1))
        self.target, self.n_missing = Target(Table(), "target"), 0
        for _, y, rows in self._labelled():
            self.target.add(pa.array(y), rows)
        self.target.decide(task)

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
