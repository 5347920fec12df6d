"""A table too large for memory as a sequence of pieces, known before the first one is learnt from.

Looking a file over takes passes over texts and targets, for categories and classes, and one over
everything, for means and deviations of the training rows. From then on a pass over the
file gives pieces of equal size, whatever the blocks in which it is stored: the same file, size and
seed give the same pieces. Which rows are held out is told by their numbers in the file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import sparse

from treecore.base.limits import STREAMS
from treecore.core.routing import as_rows
from treecore.core.running_stats import RunningStats
from treecore.data.readers.csv import CsvTable
from treecore.data.readers.encoding import EncodedTable
from treecore.data.readers.libsvm import LIBSVM, EncodedLibsvm
from treecore.data.readers.parquet import read_parquet
from treecore.data.readers.table import Table, TableError, quoted
from treecore.data.readers.whole import column_notes, target_notes
from treecore.data.sources import Source, look_for

PIECE_ROWS, PIECE_CELLS = 65_536, 4_000_000
"""Rows of a piece, and its cells where rows are wide: 32 MB of numbers."""


class Chunk(NamedTuple):
    """Rows that are in memory at once, checked and with their targets.

    Attributes
    ----------
    X : float64 array, shape (n_rows, n_features), or CSR
    y : array, shape (n_rows,)
        Classes, int64, or numbers, float64.
    held : bool array, shape (n_rows,)
        Which rows are measured only.
    """

    X: np.ndarray
    y: np.ndarray
    held: np.ndarray


class Stream:
    """The rows that a source means, looked over and ready to be read in pieces.

    Parameters
    ----------
    source : Source
        A Parquet, CSV or LIBSVM file; its share of held-out rows, and their seed.
    rows : int or None
        Rows of a piece; None for as many as are sensible.

    Attributes
    ----------
    name, target_name : str
    feature_names, class_names : tuples of str
        No class names: the targets are numbers.
    columns : tuple of Column
        As of :class:`treecore.data.dataset.Dataset`.
    n_rows, n_train, n_dropped : int
        Rows with a target, those of them to learn from, and rows without a target.
    notes : tuple of str
        What was left out or read as missing, a sentence each.
    rows : int
        Of a piece.
    sparse : bool
    moments : Moments
        Of all training rows.
    fingerprint : str
        SHA-256 of the file, 64 hex digits.

    Raises
    ------
    TableError
        In one sentence, where the file cannot be read or learnt from.
    """

    def __init__(self, source: Source, rows: int | None = None):
        if source.size is not None:
            raise TableError("a stream is read whole: leave out --size")
        self.source = source
        look_for(source)
        self._blocks = open_blocks(source)
        self.name = Path(source.name).stem
        self.feature_names, self.sparse = self._blocks.feature_names, self._blocks.sparse
        self.target_name = self._blocks.target.name
        self.class_names = self._blocks.target.class_names
        self.columns = self._blocks.columns
        self.n_dropped = self._blocks.n_missing
        self.notes: tuple[str, ...] = ()
        if isinstance(blocks := self._blocks, EncodedTable):
            notes = (*target_notes(blocks.target), *column_notes(blocks))
            self.notes = (*blocks.table.notes, *notes)
        if rows is None:
            rows = min(PIECE_ROWS, max(256, PIECE_CELLS // len(self.feature_names)))
            rows = PIECE_ROWS if self.sparse else rows
        self.rows = rows
        self.fingerprint = _digest(Path(source.name))
        self.moments, self.n_rows, self.n_train = RunningStats(), 0, 0
        for X, y, held in self.pieces():
            train = np.flatnonzero(~held)
            self.n_rows += len(y)
            self.n_train += len(train)
            if len(train):
                self.moments.update(as_rows(X[train], missing=True), y[train])
        if self.n_train < 2:
            raise TableError(f"{self.name} has {self.n_train} rows to learn from: give more")

    @property
    def task(self) -> str:
        """``"classification"`` or ``"regression"``."""
        return "classification" if self.class_names else "regression"

    @property
    def n_pieces(self) -> int:
        """Pieces of a pass."""
        return -(-self.n_rows // self.rows)

    def pieces(self) -> Iterator[Chunk]:
        """All rows with a target, in the order of the file; every piece but the last is full."""
        return _cut(self._checked(), self.rows)

    def _checked(self) -> Iterator[Chunk]:
        for X, y, rows in self._blocks.blocks():
            yield Chunk(X, y, _held_out(rows, self.source))


def _cut(pieces: Iterable[Chunk], rows: int) -> Iterator[Chunk]:
    """The same rows in pieces of ``rows``; at most one piece and one block are held."""
    waiting, n = [], 0
    for piece in pieces:
        waiting.append(piece)
        n += len(piece.y)
        while n >= rows:
            joined = _joined(waiting)
            yield Chunk(joined.X[:rows], joined.y[:rows], joined.held[:rows])
            n -= rows
            waiting = []
            if n:  # a copy, else the whole would be kept for the sake of a part
                rest = joined.X[rows:].copy()
                waiting = [Chunk(rest, joined.y[rows:].copy(), joined.held[rows:].copy())]
            del joined
    if n:
        yield _joined(waiting)


def _joined(pieces: list[Chunk]) -> Chunk:
    if len(pieces) == 1:
        return pieces[0]
    parts = [piece.X for piece in pieces]
    dense = isinstance(parts[0], np.ndarray)
    X = np.concatenate(parts) if dense else sparse.vstack(parts, format="csr")
    return Chunk(X, np.concatenate([p.y for p in pieces]), np.concatenate([p.held for p in pieces]))


def _held_out(numbers: np.ndarray, source: Source) -> np.ndarray:
    """Which rows are held out, by a hash (SplitMix64) of their numbers and the seed."""
    z = numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z += np.uint64((source.seed * 0xD1342543DE82EF95 + 1) % 2**64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        z = (z ^ (z >> np.uint64(shift))) * np.uint64(factor)
    z ^= z >> np.uint64(31)
    return z.astype(np.float64) / 2.0**64 < source.held_out


def _digest(path: Path) -> str:
    if path.is_dir():
        return hashlib.sha256("".join(map(_digest, sorted(path.iterdir()))).encode()).hexdigest()
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def open_blocks(source: Source) -> EncodedTable | EncodedLibsvm:
    """The blocks of a file, of which the same rules make numbers as of a whole one.

    Raises
    ------
    TableError
        Where there is none, or it is of a kind that cannot be read in pieces.
    """
    path = Path(source.name)
    if not path.exists():
        raise TableError(f"there is no file {quoted(source.name, 200)} to stream: check the path")
    if path.suffix.lower() in LIBSVM:
        return EncodedLibsvm(path, source.task)
    if path.suffix.lower() in (".npz", ".gz", ".bz2", ".xz", ".zip", ".jsonl", ".ndjson"):
        raise TableError(
            f"{path.name} cannot be read in pieces: streams are Parquet, CSV or plain LIBSVM "
            "files; make it one of them, or train without --stream"
        )
    is_parquet = path.suffix.lower() == ".parquet" or path.is_dir()
    table: Table
    if is_parquet:
        table = read_parquet(path, STREAMS, reading=source.reading)
    else:
        table = CsvTable(path, STREAMS, source.reading, in_pieces=True)
    return EncodedTable(table, source.target, source.task, source.unusable, in_pieces=True)
