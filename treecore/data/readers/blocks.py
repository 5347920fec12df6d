"""Rows of a file in blocks, as they stand there: numbers, and targets still to be told apart.

Three kinds of files can be read without the rest: Parquet and (in :mod:`csv_blocks`) text tables,
by Arrow's record batches, and LIBSVM's text, by windows of bytes. Each is looked over once, for
what a first row cannot know (categories, classes, the greatest feature), and can then be read any
number of times.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from treecore.data.readers.encoding import MAX_CATEGORIES, TARGET_NAMES
from treecore.data.readers.text import MAX_FEATURES, MISSING, TableError, listed, quoted

LIBSVM = {".libsvm", ".svm", ".svmlight", ".t", ".tr", ".val"}

BATCH_CELLS, BATCH_ROWS = 2_000_000, 65_536
"""Cells and rows of a record batch at most: 16 MB of numbers."""

WINDOW_BYTES = 4_000_000
"""Of a LIBSVM file that are read at once."""

ANY_WIDTH = 2**31 - 1
"""Features of rows of which the greatest is not yet known; sparse, they cost nothing."""


class Block(NamedTuple):
    """Some rows that follow one another.

    Attributes
    ----------
    X : float64 array, shape (n_rows, n_features), or CSR
    y : array, shape (n_rows,)
        Numbers, NaN where missing, or text as objects, None where missing.
    """

    X: np.ndarray
    y: np.ndarray


class ArrowBlocks:
    """The rows of a file that comes in Arrow's record batches, of numbers and text.

    Whoever derives from it says what columns there are, which of them hold text, and gives the
    batches.

    Attributes
    ----------
    feature_names : tuple of str
    target_name : str
    sparse : bool

    Raises
    ------
    TableError
        In one sentence, where the file cannot be read or a column is no feature.
    """

    sparse = False

    def _prepare(self, names: list[str], texts: list[str], target: str) -> None:
        self.target_name, self._texts = target, texts
        self._columns = [name for name in names if name != target]
        if not self._columns:
            raise TableError("the file has a single column of values: add a feature or a target")
        self._categories = self._survey_texts()
        self.feature_names = tuple(self._name_features())
        if len(self.feature_names) > MAX_FEATURES:
            raise TableError(
                f"there are {len(self.feature_names)} features, categories counted one by one: "
                f"at most {MAX_FEATURES} fit"
            )
        if len(set(self.feature_names)) < len(self.feature_names):
            raise TableError("two columns become the same feature: rename one of them")

    def _batches(self, columns: list[str] | None):
        """Record batches of some columns, or of all, of at most ``_batch_rows`` rows."""
        raise NotImplementedError

    @property
    def _batch_rows(self) -> int:
        width = 1 + len(getattr(self, "feature_names", ()))
        return max(256, min(BATCH_ROWS, BATCH_CELLS // width))

    def blocks(self) -> Iterator[Block]:
        """All rows, in the order of the file."""
        for batch in self._batches(None):
            y = self._target(batch.column(self.target_name))
            X = np.empty((batch.num_rows, len(self.feature_names)))
            place = 0
            for name in self._columns:
                width = len(self._categories.get(name, "1"))
                X[:, place : place + width] = self._encode(name, batch.column(name))
                place += width
            yield Block(X, y)

    def targets(self) -> Iterator[np.ndarray]:
        """The targets alone, of which the file is read alone."""
        for batch in self._batches([self.target_name]):
            yield self._target(batch.column(self.target_name))

    def _survey_texts(self) -> dict[str, list[str]]:
        found = {name: set() for name in self._texts if name != self.target_name}
        for batch in self._batches(list(found)) if found else ():
            for name, known in found.items():
                known.update(filter(None, map(_cell, batch.column(name).unique().to_pylist())))
                if len(known) > MAX_CATEGORIES:
                    raise TableError(
                        f"column {quoted(name)} holds more than {MAX_CATEGORIES} different texts: "
                        "remove it if it is an identifier or free text, or group them"
                    )
        return {name: sorted(known) for name, known in found.items()}

    def _name_features(self) -> Iterator[str]:
        for name in self._columns:
            if name in self._categories:
                yield from (f"{name}={category}" for category in self._categories[name])
            else:
                yield name

    def _encode(self, name: str, column) -> np.ndarray:
        """A column's part of X, shape (n_rows, n) with a column for every category or for it."""
        if name not in self._categories:
            values = self._numbers(column)
            too_great = np.abs(values) > np.finfo(np.float32).max
            if too_great.any():
                raise TableError(
                    f"column {quoted(name)} holds {values[too_great][0]:g}, beyond 3.4e38, the "
                    "reach of float32: correct or rescale the values"
                )
            return values[:, None]
        known = {category: i for i, category in enumerate(self._categories[name])}
        codes, cells = self._coded(column)
        place = np.array([known.get(cell, -1) for cell in cells] or [-1])[codes]
        return (place[:, None] == np.arange(len(known))).astype(np.float64)

    def _numbers(self, column) -> np.ndarray:
        if self._arrow.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        column = column.cast(self._arrow.float64(), safe=False)
        return column.to_numpy(zero_copy_only=False)

    def _coded(self, column) -> tuple[np.ndarray, list[str | None]]:
        """Numbers of cells, and the cells, of which the last one is missing."""
        if not self._arrow.types.is_dictionary(column.type):
            column = column.dictionary_encode()
        cells = [*map(_cell, column.dictionary.to_pylist()), None]
        codes = column.indices.fill_null(len(cells) - 1).to_numpy(zero_copy_only=False)
        return codes.astype(np.int64), cells

    def _target(self, column) -> np.ndarray:
        if self.target_name not in self._texts:
            return self._numbers(column)
        codes, cells = self._coded(column)
        return np.array(cells, dtype=object)[codes]


class ParquetBlocks(ArrowBlocks):
    """The rows of a Parquet file; an index that pandas has put beside its columns is none."""

    def __init__(self, path: Path, target: str | None):
        self._arrow, self._path = arrow(), path
        try:
            with self._open() as file:
                schema = file.schema_arrow
        except (self._arrow.ArrowException, OSError) as error:
            raise TableError(f"{path.name} is no Parquet table ({error})") from error
        types, beside = self._arrow.types, (schema.pandas_metadata or {}).get("index_columns", ())
        fields = [f for f in schema if f.name not in beside and not types.is_null(f.type)]
        names = [field.name for field in fields]
        if len(set(names)) < len(names):
            raise TableError(f"{path.name} has two columns of one name: rename one of them")
        texts = []
        for field in fields:
            kind = field.type
            if types.is_dictionary(kind):
                kind = kind.value_type
            if types.is_string(kind) or types.is_large_string(kind) or types.is_boolean(kind):
                texts.append(field.name)
            elif not (types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind)):
                raise TableError(
                    f"column {quoted(field.name)} holds {field.type}, which is neither numbers "
                    "nor text: leave it out or turn it into one of them"
                )
        self._prepare(names, texts, find_target(names, target))

    def _open(self):
        # Without a buffer ahead: a file of one huge row group is read page by page then.
        return self._arrow.parquet.ParquetFile(self._path, pre_buffer=False, buffer_size=1 << 20)

    def _batches(self, columns: list[str] | None):
        try:
            with self._open() as file:
                yield from file.iter_batches(self._batch_rows, columns=columns, use_threads=False)
        except (self._arrow.ArrowException, OSError) as error:
            raise TableError(f"{self._path.name} cannot be read to its end ({error})") from error


class LibsvmBlocks:
    """The rows of a file in LIBSVM's format, ``label index:value ...``; attributes as above.

    Where at least half of the entries are given the rows are dense, as when read at once.
    """

    target_name = "target"

    def __init__(self, path: Path):
        self._path, self._size = path, path.stat().st_size
        self._first_is_zero, width, n_rows, n_stored = False, 0, 0, 0
        for X, _ in self._windows(zero_based=True, n_features=ANY_WIDTH):
            if X.nnz:
                self._first_is_zero |= bool(X.indices.min() == 0)
                width = max(width, int(X.indices.max()) + 1)
            n_rows, n_stored = n_rows + X.shape[0], n_stored + X.nnz
        self._width = width if self._first_is_zero else width - 1
        if self._width < 1:
            raise TableError(f"{path.name} has no feature in any row")
        self.sparse = n_stored * 2 < n_rows * self._width
        self.feature_names = tuple(f"x{j}" for j in range(1, self._width + 1))

    def blocks(self) -> Iterator[Block]:
        """All rows, in the order of the file."""
        for X, y in self._windows(zero_based=self._first_is_zero, n_features=self._width):
            yield Block(X if self.sparse else X.toarray(), y)

    def targets(self) -> Iterator[np.ndarray]:
        """The targets alone."""
        for _, y in self._windows(zero_based=True, n_features=ANY_WIDTH):
            yield y

    def _windows(self, **how):
        from sklearn.datasets import load_svmlight_file

        for start in range(0, self._size, WINDOW_BYTES):
            try:
                X, y = load_svmlight_file(
                    str(self._path), offset=start, length=WINDOW_BYTES, dtype=np.float64, **how
                )
            except Exception as error:  # ValueError mostly; decoders have their own
                raise TableError(
                    f"{self._path.name} is not in LIBSVM's format ({error})"
                ) from error
            if X.shape[0]:
                yield X, y

    def _broken(self, error: Exception) -> TableError:
        return TableError(f"{self._path.name} is not in LIBSVM's format ({error})")


def arrow():
    """The module ``pyarrow`` with its readers, or one sentence where it is missing."""
    try:
        import pyarrow
        import pyarrow.compute
        import pyarrow.csv
        import pyarrow.parquet
    except ImportError as error:
        raise TableError("streams need pyarrow: pip install 'treecore[batch]'") from error
    return pyarrow


def _cell(value) -> str | None:
    """A text as tables read it; None where it stands for a missing one."""
    text = "" if value is None else str(value).strip()
    return None if text.lower() in MISSING else text


def find_target(names: list[str], target: str | None) -> str:
    if target is None:
        by_lower = {name.lower(): name for name in reversed(names)}
        return next((by_lower[name] for name in TARGET_NAMES if name in by_lower), names[-1])
    if target not in names:
        raise TableError(f"there is no column {quoted(target)}: choose one of {listed(names, 20)}")
    return target
