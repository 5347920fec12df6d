"""What columns mean, whatever file they are in, and the dataset that follows.

- numbers are numbers; a feature of text with at least half of its cells numbers is numeric as well,
  and any other cell in it an error; with fewer it becomes one feature of zeros and ones per
  category. Where the file's separator is not a comma, a column may use a decimal comma;
- a target of many different numbers is a quantity, any other one holds classes; the caller may
  say which of the two it is. Classes written with leading zeros are names: 007 is not 7;
- a missing number stays missing, a missing text belongs to no category, and a row whose target is
  missing is left out;
- nothing is repaired in silence: what was left out or named is told in the dataset's notes.

One pass over the columns of text says all this; from then on the rows come as blocks of numbers,
and a whole table is its blocks joined.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from treecore.data.dataset import Dataset, guess_image_shape
from treecore.data.readers.cells import (
    TextSummary,
    and_more,
    as_numbers,
    check_range,
    count_of,
    known_text,
)
from treecore.data.readers.table import MAX_FEATURES, Table, TableError, listed, quoted, repeated
from treecore.data.readers.targets import TASKS, Target, find_target

MAX_CATEGORIES = 50
MAX_VALUES = 50_000_000
"""Rows times features, 400 MB; one-hot encoding can blow up a small file."""


class Block(NamedTuple):
    """Some rows that follow one another.

    Attributes
    ----------
    X : float64 array, shape (n_rows, n_features), or CSR
    y : array, shape (n_rows,)
        Classes, int64, or numbers, float64.
    rows : int64 array, shape (n_rows,)
        Their numbers in the table, from 0.
    """

    X: np.ndarray
    y: np.ndarray
    rows: np.ndarray


class NumberColumn(NamedTuple):
    """A column that is one feature, of numbers."""

    name: str
    comma: bool = False

    @property
    def feature_names(self) -> list[str]:
        return [self.name]

    def encode(self, column: pa.Array) -> np.ndarray:
        """Numbers, NaN where they are missing, shape (n_rows, 1)."""
        if pa.types.is_string(column.type):
            return as_numbers(known_text(column), self.comma)[:, None]
        return column.to_numpy(zero_copy_only=False)[:, None]


class CategoryColumn(NamedTuple):
    """A column of text that is one feature, of zeros and ones, for each of its categories."""

    name: str
    categories: Sequence[str]

    @property
    def feature_names(self) -> list[str]:
        return [f"{self.name}={category}" for category in self.categories]

    def encode(self, column: pa.Array) -> np.ndarray:
        """Indicators, shape (n_rows, n_categories)."""
        text = known_text(column.cast(pa.string()))
        place = pc.index_in(text, value_set=pa.array(self.categories, pa.string())).fill_null(-1)
        return place.to_numpy(zero_copy_only=False)[:, None] == np.arange(len(self.categories))


class EncodedTable:
    """A table to learn from, looked over and ready to be read in blocks any number of times.

    Parameters
    ----------
    table : Table
    target : str or None
        As for :func:`treecore.data.readers.csv.read_csv`, as is ``task``.
    in_pieces : bool
        Whether the blocks are not to be joined, so that there may be any number of rows.

    Attributes
    ----------
    table : Table
    target : Target
    features : list of NumberColumn and CategoryColumn
    feature_names : tuple of str
    n_rows : int
        Those with a target; no others come.
    n_missing : int
        Rows without a target.
    empty : list of str
        The columns without any value.

    Raises
    ------
    TableError
        In one sentence, where the table cannot be learnt from.
    """

    sparse = False

    def __init__(
        self,
        table: Table,
        target: str | None = None,
        task: str | None = None,
        in_pieces: bool = False,
    ):
        if task not in (None, *TASKS):
            raise ValueError(f"task={task!r} must be None or one of {', '.join(TASKS)}")
        self.table, self.target = table, Target(table, find_target(table.columns, target))
        self._in_pieces = in_pieces
        features = [name for name in table.columns if name != self.target.name]
        for place, name in enumerate(features):  # before anything is read
            self._check_size(name, place + 1, table.n_rows)
        texts = [name for name in features if name in table.texts]
        summaries = {name: TextSummary(table.decimal_comma) for name in texts}
        for batch, rows in self._labelled([*texts, self.target.name]):
            self.target.add(batch.column(self.target.name), rows)
            for name in texts:
                summaries[name].add(known_text(batch.column(name)), rows)
        self.target.decide(task)
        self.n_rows, self.n_missing = self.target.n_known, self._n_read - self.target.n_known
        self._plan(summaries)

    def blocks(self) -> Iterator[Block]:
        """All rows that have a target, in the order of the table."""
        target = self.target.name
        for batch, rows in self._labelled([*(column.name for column in self.features), target]):
            X = encoded(self.table, self.features, batch, rows)
            yield Block(X, self.target.encode(batch.column(target), rows), rows)

    def _labelled(self, columns: Sequence[str]) -> Iterator[tuple[pa.RecordBatch, np.ndarray]]:
        """Batches of the rows that have a target, and the numbers of these rows."""
        start, target = 0, self.target.name
        for batch in self.table.batches(columns, [target]):
            rows = np.arange(start, start + batch.num_rows)
            start += batch.num_rows
            known = self.target.known(batch.column(target))
            if not known.all():
                batch, rows = batch.filter(pa.array(known)), rows[known]
            if len(rows):
                yield batch, rows
        self._n_read = start

    def _plan(self, summaries: dict[str, TextSummary]) -> None:
        self.features: list[NumberColumn | CategoryColumn] = []
        self.no_category: dict[str, int] = {}
        names: list[str] = []
        empty = self._without_numbers()
        empty |= {name for name, found in summaries.items() if found.n_known == 0}
        for name in self.table.columns:
            if name == self.target.name or name in empty:
                continue
            feature = self._feature(name, summaries.get(name))
            self.features.append(feature)
            names += feature.feature_names
            self._check_size(name, len(names), self.n_rows)
            if isinstance(feature, CategoryColumn):
                self.no_category[name] = self.n_rows - summaries[name].n_known
        if not names:
            raise TableError("no feature has a value in any row: fill some in, or add a feature")
        if twice := repeated(names):
            raise TableError(
                f"two columns become the same feature, {quoted(twice[0])}: rename one of them"
            )
        self.feature_names = tuple(names)
        self.empty = [name for name in self.table.columns if name in empty]

    def _check_size(self, column: str, n_features: int, n_rows: int) -> None:
        n_values = 0 if self._in_pieces else n_features * n_rows
        if n_features > MAX_FEATURES or n_values > MAX_VALUES:
            raise TableError(
                f"up to column {quoted(column)} there are {n_features} features for {n_rows} rows, "
                "categories counted one by one: remove columns or rows, for at most "
                f"{MAX_FEATURES} features and {MAX_VALUES / 1e6:g} million values"
            )

    def _without_numbers(self) -> set[str]:
        """The columns of numbers that have none in any row with a target."""
        rest = set(self.table.columns) - self.table.texts - {self.target.name}
        for batch, _ in self._labelled([*sorted(rest), self.target.name]) if rest else ():
            read = {name: NumberColumn(name).encode(batch.column(name)) for name in rest}
            rest -= {name for name, values in read.items() if not np.isnan(values).all()}
            if not rest:
                break
        return rest

    def _feature(self, name: str, found: TextSummary | None) -> NumberColumn | CategoryColumn:
        if found is None:
            return NumberColumn(name)
        if 2 * found.n_odd > found.n_known:
            if len(found.distinct) > MAX_CATEGORIES:
                raise TableError(
                    f"column {quoted(name)} holds {count_of(found.distinct)} different texts, "
                    f"more than {MAX_CATEGORIES}: remove it if it is an identifier or free text, "
                    "or group them"
                )
            return CategoryColumn(name, sorted(found.distinct))
        if found.n_odd:
            cell, where = self.table.locate(name, *found.first_odd)
            raise TableError(
                f"column {quoted(name)} holds numbers, but in {where} the text {quoted(cell)}"
                f"{and_more(found.n_odd)}: correct it or remove the row"
            )
        return NumberColumn(name, found.comma)


def encoded(
    table: Table,
    features: Sequence[NumberColumn | CategoryColumn],
    batch: pa.RecordBatch,
    rows: np.ndarray,
) -> np.ndarray:
    """The features of some rows, shape (n_rows, n_features); ``rows`` are their numbers."""
    X = np.empty((len(rows), sum(len(feature.feature_names) for feature in features)))
    place = 0
    for feature in features:
        values = feature.encode(batch.column(feature.name))
        if isinstance(feature, NumberColumn):
            check_range(table, feature.name, values[:, 0], rows)
        X[:, place : place + values.shape[1]] = values
        place += values.shape[1]
    return X


def read_dataset(table: Table, target: str | None = None, task: str | None = None) -> Dataset:
    """The dataset in a table: all blocks of it; parameters as of :class:`EncodedTable`."""
    found = EncodedTable(table, target, task)
    X = np.empty((found.n_rows, len(found.feature_names)))
    y = np.empty(found.n_rows, np.int64 if found.target.class_names else np.float64)
    start = 0
    for block in found.blocks():
        part = slice(start, start + len(block.y))
        X[part], y[part], start = block.X, block.y, part.stop
    # Indicators would pass for black and white pixels, so text rules out an image.
    image_shape = None if found.no_category else guess_image_shape(X)
    names, target = found.feature_names, found.target.name
    notes = (*table.notes, *_notes(found, X, y))
    return Dataset(table.name, X, y, names, found.target.class_names, image_shape, notes, target)


def _notes(found: EncodedTable, X: np.ndarray, y: np.ndarray) -> Iterator[str]:
    """What was left out, guessed or is of no use."""
    target = quoted(found.target.name)
    if found.n_missing:
        yield f"Rows whose {target} is missing were left out: {found.n_missing}."
    if found.target.guessed_quantity:
        yield f"{target} has {np.unique(y).size} different numbers: it is a quantity."
    if found.empty:
        yield f"Columns without any value were left out: {listed(found.empty, 5)}."
    counts = zip(found.feature_names, np.isnan(X).sum(axis=0).tolist(), strict=True)
    for holes, what, fate in (
        (dict(counts), "numbers", "read as the mean of their column"),
        (found.no_category, "texts", "of no category"),
    ):
        if where := [name for name, count in holes.items() if count]:
            total = sum(holes.values())
            yield f"Missing {what} are {fate}: {total}, in {listed(where, 5)}."
    constant = np.nanmin(X, axis=0) == np.nanmax(X, axis=0)  # (n_features,)
    if constant.all():
        yield "Every feature has the same value in all rows: no split can divide them."
    elif constant.any():
        same = [
            name for name, is_same in zip(found.feature_names, constant, strict=True) if is_same
        ]
        yield f"The same value in all rows, and so of no use: {listed(same, 5)}."
