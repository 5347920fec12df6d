"""What is to be predicted: which column, whether it holds classes or numbers, and their names."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from treecore.data.readers.cells import (
    MAX_DISTINCT,
    TextSummary,
    and_more,
    as_numbers,
    check_range,
    count_of,
    known_text,
    number_name,
)
from treecore.data.readers.table import Table, TableError, listed, quoted

TARGET_NAMES = (
    *("class", "target", "label", "y", "species", "classes", "labels", "outcome"),
    *("target_class", "class_label", "class_name", "survived", "diagnosis", "variety", "churn"),
    *("attrition", "response", "output"),
)
"""Names by which the target is found when none is given; earlier ones win. Case does not count, nor
which of blank, ``-``, ``.`` and ``_`` stands between words."""

TASKS = ("classification", "regression")
MAX_CLASSES = 200
MAX_FRACTIONS, MAX_WHOLE = 20, 50
"""Different numbers of a target, fractions among them or all whole, that are taken for classes;
more look like a quantity."""
MAX_TARGET = 1e30
"""Numbers to be predicted that the core takes: their squares must not overflow."""


def find_target(columns: tuple[str, ...], target: str | None) -> str:
    """The column to be predicted: the one that is named, else a usual name, else the last one.

    Parameters
    ----------
    columns : tuple of str
    target : str or None

    Raises
    ------
    TableError
        Where there is no such column, or no other beside it.
    """
    if target is not None and not isinstance(target, str):
        raise TableError(
            "a table has one target here: choose a single column, or learn several numbers at "
            "once with ObliqueTreeRegressor"
        )
    if len(columns) < 2:
        raise TableError("the file has a single column of values: add a feature or a target")
    if target is None:
        by_words = {_words_of(name): name for name in reversed(columns)}
        return next((by_words[name] for name in TARGET_NAMES if name in by_words), columns[-1])
    if target not in columns:
        raise TableError(
            f"there is no column {quoted(target)}: choose one of {listed(columns, 20)}"
        )
    return target


def is_target_name(column: str) -> bool:
    """Whether a column of that name is taken for the target wherever it stands."""
    return _words_of(column) in TARGET_NAMES


def _words_of(column: str) -> str:
    return re.sub(r"[ .-]+", "_", column.strip().lower())


def is_quantity(distinct: np.ndarray) -> bool:
    """Whether the different numbers of a target, shape (n,), look like a quantity, not classes."""
    # Beyond 2^53 every float is whole, and none is somebody's class.
    are_integers = bool(np.all((distinct == np.rint(distinct)) & (np.abs(distinct) < 2**53)))
    return len(distinct) > (MAX_WHOLE if are_integers else MAX_FRACTIONS)


class Target:
    """The column to be predicted, looked over block by block; then it is decided what it holds.

    Attributes
    ----------
    name : str
    n_known : int
        Rows that have a target.
    class_names : tuple of str
        In order; none where it holds numbers.
    guessed_quantity : bool
        Whether nobody but the numbers themselves said that they are a quantity.
    """

    def __init__(self, table: Table, name: str):
        self.name, self._table = name, table
        self.n_known = 0
        self.class_names: tuple[str, ...] = ()
        self.guessed_quantity = False
        self._text = TextSummary(table.decimal_comma)
        self._numbers: np.ndarray | None = None  # different ones, of a column of numbers
        self._labels: np.ndarray | list[str] = []

    def known(self, column: pa.Array) -> np.ndarray:
        """Which rows of a block have a target, shape (n_rows,), bool."""
        if pa.types.is_string(column.type):
            known = known_text(column).is_valid()
        else:
            known = pc.invert(column.is_null(nan_is_null=True))
        return known.to_numpy(zero_copy_only=False)

    def add(self, column: pa.Array, rows: np.ndarray) -> None:
        """Look over a block of rows that have a target, and have these numbers."""
        self.n_known += len(rows)
        if pa.types.is_string(column.type):
            self._text.add(known_text(column), rows)
            return
        values = np.unique(_values(column))
        if self._numbers is not None:
            values = np.union1d(self._numbers, values)
        self._numbers = values[: MAX_DISTINCT + 1]

    def decide(self, task: str | None) -> None:
        """Tell classes from numbers, all blocks having been added.

        Parameters
        ----------
        task : str or None
            One of :data:`TASKS`, or None to guess.

        Raises
        ------
        TableError
            Where it holds what cannot be learnt.
        """
        title, text = f"the target {quoted(self.name)}", self._text
        if self.n_known < 2:
            rows = "1 row" if self.n_known == 1 else f"{self.n_known} rows"
            raise TableError(
                f"{title} has a value in {rows} only: fill in more, or choose another column as "
                "the target"
            )
        slips = text.slips
        numeric = slips.n == 0
        named = text.are_codes or (text.form.unit and not self._has_quantity())
        names = not numeric or (task != "regression" and bool(named))
        if self._numbers is not None:
            distinct: np.ndarray | list[str] = self._numbers
        elif names:
            distinct = sorted(text.distinct)
        else:
            written = pa.array(sorted(text.distinct), pa.string())
            distinct = np.unique(as_numbers(written, text.form))
        if len(distinct) == 1:
            value = text.first or number_name(float(distinct[0]))
            raise TableError(
                f"{title} has the value {quoted(value)} in all rows: choose another column as the "
                "target or add rows of another class or value"
            )
        # Most texts being numbers of a quantity, the others are slips rather than names of classes.
        infinite = np.isinf(as_numbers(pa.array([slips.first[1]]), text.form)).any()
        slipped = 2 * slips.n <= self.n_known and (infinite or self._has_quantity())
        if not numeric and (task == "regression" or (task is None and slipped)):
            cell, where = self._table.locate(self.name, *slips.first)
            raise TableError(
                f"{title} holds the text {quoted(cell)} in {where}{and_more(slips.n)}, which is "
                "no number: correct it, or predict classes, or choose another column as the target"
            )
        self.guessed_quantity = task is None and not names and is_quantity(np.asarray(distinct))
        if task == "regression" or self.guessed_quantity:
            return
        if len(distinct) > MAX_CLASSES:
            instead = "predict it as a number, or choose" if numeric else "choose"
            raise TableError(
                f"{title} has {count_of(distinct)} different values, more than {MAX_CLASSES} "
                f"classes, so it is a quantity or an identifier: {instead} another column as the "
                "target"
            )
        if names and self._numbers is None and text.longest > self._table.limits.n_text:
            raise TableError(
                f"{title} holds a text of {text.longest} characters, more than "
                f"{self._table.limits.n_text}: shorten it, or choose another column as the target"
            )
        self._labels = distinct
        self.class_names = tuple(v if isinstance(v, str) else number_name(v) for v in distinct)

    def _has_quantity(self) -> bool:
        """Whether those of its texts that are numbers look like a quantity."""
        written = pa.array(sorted(self._text.distinct), pa.string())
        values = np.unique(as_numbers(written, self._text.form))
        return is_quantity(values[~np.isnan(values)])

    def encode(self, column: pa.Array, rows: np.ndarray) -> np.ndarray:
        """Classes, int64, or numbers, float64, shape (n_rows,), of rows that have a target."""
        if isinstance(self._labels, list) and self._labels:
            place = pc.index_in(known_text(column), value_set=pa.array(self._labels, pa.string()))
            return place.to_numpy(zero_copy_only=False).astype(np.int64)
        if pa.types.is_string(column.type):
            values = as_numbers(known_text(column), self._text.form)
        else:
            values = _values(column)
        check_range(self._table, self.name, values, rows)
        if self.class_names:
            return np.searchsorted(self._labels, values).astype(np.int64)
        check_range(self._table, self.name, values, rows, MAX_TARGET, f"{MAX_TARGET:g}")
        return values.astype(np.float64)


def _values(column: pa.Array) -> np.ndarray:
    values = column.to_numpy(zero_copy_only=False)
    return values if values.dtype.kind == "f" else values.astype(np.float64)
