"""What is to be predicted: which column, whether it holds classes or numbers, and their names."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa

from treecore.data.readers.cells import (
    MAX_DISTINCT,
    PLAIN,
    and_more,
    as_numbers,
    check_range,
    class_name,
    count_of,
    known_numbers,
    known_text,
    number_name,
)
from treecore.data.readers.columns import Column, DateColumn, NumberColumn
from treecore.data.readers.dates import DIGITS, YEAR, unit_of
from treecore.data.readers.guesses import guess_dates, guess_numbers
from treecore.data.readers.table import Table, TableError, listed, quoted
from treecore.data.readers.text_summary import Malformed, TextSummary

TARGET_NAMES = (
    *("class", "target", "label", "y", "species", "classes", "labels", "outcome"),
    *("target_class", "class_label", "class_name", "survived", "diagnosis", "variety", "churn"),
    *("attrition", "response", "output"),
)
"""Names by which the target is found when none is given; earlier ones win. Case does not count, nor
which of blank, ``-``, ``.`` and ``_`` stands between words."""

TASKS = ("classification", "regression")
MAX_CLASSES = 200
MAX_FRACTIONS, MAX_INTEGER = 20, 50
"""Different numbers of a target, fractions among them or all whole, that are taken for classes;
more look like a quantity."""
MIN_DATES = 3
"""Different dates of a target that are predicted as days; fewer are classes."""
MAX_TARGET = 1e30
"""Numbers to be predicted that the core takes: their squares must not overflow."""


def find_target(columns: tuple[str, ...], target: str | None) -> str:
    """The column to be predicted: the one that is named, else a usual name, else the last one.

    Raises TableError where there is no such column, or no other beside it.
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
    # Beyond 2^53 every float is whole.
    are_integers = distinct.dtype.kind in "iu" or bool(
        np.all((distinct == np.rint(distinct)) & (np.abs(distinct) < 2**53))
    )
    return _are_too_many(len(distinct), are_integers)


def _are_too_many(n: int, are_integers: bool) -> bool:
    return n > (MAX_INTEGER if are_integers else MAX_FRACTIONS)


class Target:
    """The column to be predicted, looked over block by block; then it is decided what it holds.

    table: its settings may say what the column holds; task: one of :data:`TASKS`, or None to guess.

    - class_names: in order; none where it holds numbers.
    - guessed_quantity: whether nobody but the numbers themselves said that they are a quantity.
    - kept_names: words for a missing value that are classes, because they are frequent.
    - is_rounded: whether some whole number is another one as a float.
    - reason: why it is taken for what it is, in a few words.
    - malformed: what is no number or date where it is set to them; such rows have no target.
    - is_read_as_text: whether its cells are asked for as they are written.
    """

    def __init__(self, table: Table, name: str, task: str | None = None):
        self.name, self._table, self._task, self.reason = name, table, task, ""
        self._n_known = self._n_missing = 0
        self.class_names: tuple[str, ...] = ()
        self.guessed_quantity = self.is_decided = self.is_rounded = False
        self.kept_names: tuple[str, ...] = ()
        reading = table.reading
        self._kind, self._missing = reading.kinds.get(name), reading.missing
        years = (YEAR,) if self._kind == "date" else ()
        self._text = TextSummary(table.decimal_comma, self._missing, years)
        self._numbers: np.ndarray | None = None  # different ones, of a column of numbers
        self._places: dict[str, int] = {}  # of the class of each text
        self._column: Column | None = None  # how text is read as numbers or dates
        self._leaves_out_text = False
        self.malformed = Malformed()
        self._is_stored_date = name in table.dates
        as_classes = self._kind == "words" or task == "classification"
        self.is_read_as_text = as_classes or not self._is_stored_date

    @property
    def date_form(self) -> str:
        """How its dates or times are written that are read as days or hours; or nothing."""
        return self._column.form if isinstance(self._column, DateColumn) else ""

    @property
    def unit(self) -> str:
        """What its numbers count, see :mod:`treecore.base.units`."""
        return unit_of(self.date_form) if self.date_form else ""

    def known(self, column: pa.Array) -> np.ndarray:
        """Which rows of a block have a target, shape (n_rows,), bool."""
        if not self._is_text(column):
            return ~np.isnan(known_numbers(column, self._missing))
        if self._leaves_out_text and self._column:
            return ~np.isnan(self._column.encode(column)[:, 0])
        if self.is_decided:
            return known_text(column, self._missing, self.kept_names).is_valid().to_numpy(False)
        # A word for a missing value may be a class.
        known = known_text(column, self._text.missing).is_valid().to_numpy(False)
        self._n_missing += int((~known).sum())
        return known

    def add(self, column: pa.Array, rows: np.ndarray) -> None:
        """Look over a block of rows that may have a target, and have these numbers."""
        if self._is_text(column):
            self._text.add(column, rows)
            return
        self._n_known += len(rows)
        values = np.unique(column.to_numpy(zero_copy_only=False))
        if self._numbers is not None:
            values = np.union1d(self._numbers, values)
        self._numbers = values[: MAX_DISTINCT + 1]

    def decide(self) -> bool:
        """Tell classes from numbers, all blocks having been added.

        Returns whether rows that were added have no target after all. Raises TableError where it
        holds what cannot be learnt.
        """
        kind, text, task, self.is_decided = self._kind, self._text, self._task, True
        if kind in ("number", "date") and task == "classification":
            raise TableError(
                f"{self.title} is set to {kind}, which is not a class: set it to words, or "
                "predict a number"
            )
        if kind == "words" and task == "regression":
            raise TableError(
                f"{self.title} is set to words, which are not numbers: set it to number, or "
                "predict classes"
            )
        if self._numbers is not None:
            self._check_known()
            self._decide_numbers(self._numbers, "regression" if kind else task)
            return False
        is_said = kind in ("number", "date")
        if not is_said and 2 * text.malformed.n > text.n_known and not text.date_forms:
            alone = len(text.counts) == 1
            self.kept_names = tuple(sorted(text.names)) if alone else text.frequent_names
        kept = sum(text.names[name] for name in self.kept_names)
        self._n_known, n_left = text.n_known + kept, text.names.total() - kept
        if is_said or self._holds_dates(task):
            guess = guess_numbers if kind == "number" else guess_dates
            self._column, self.reason, self.malformed = guess(
                self._table, self.name, text, kind, self.title
            )
            self._leaves_out_text = True
            self._n_known -= self.malformed.n
            self._check_known()
            values = self._column.encode(text.texts)
            self._check_several(np.unique(values[~np.isnan(values)]).size, text.first or "")
            self.is_rounded = kind == "number" and text.is_rounded
            return n_left + self.malformed.n > 0
        self._check_known()
        self._decide_text(task)
        return n_left > 0

    def _is_text(self, column: pa.Array) -> bool:
        requested = self._kind == "words" or (self._kind == "date" and not self._is_stored_date)
        return pa.types.is_string(column.type) or requested

    @property
    def title(self) -> str:
        return f"the target {quoted(self.name)}"

    def _check_known(self) -> None:
        if self._n_known < 2:
            rows = "1 row" if self._n_known == 1 else f"{self._n_known} rows"
            raise TableError(
                f"{self.title} has a value in {rows} only: fill in more, or choose another column "
                "as the target"
            )

    def _check_several(self, n: int, value: str) -> None:
        if n == 1:
            raise TableError(
                f"{self.title} has the value {quoted(value)} in all rows that have one: choose "
                "another column as the target, add rows of another class or value, or write a "
                "word where an empty cell means one"
                if self._n_missing
                else f"{self.title} has the value {quoted(value)} in all rows: choose another "
                "column as the target or add rows of another class or value"
            )

    def _decide_numbers(self, distinct: np.ndarray, task: str | None) -> None:
        self._check_several(len(distinct), number_name(distinct[0]))
        if self._is_stored_date:
            self._column = DateColumn(self.name, self._table.dates[self.name])
            self.reason = "stored as dates"
            return
        self.guessed_quantity = task is None and is_quantity(distinct)
        if task == "regression" or self.guessed_quantity:
            self._call_quantity(distinct)
            if distinct.dtype.kind in "iu":
                self.is_rounded = any(int(float(v)) != int(v) for v in distinct)
            return
        self._name([number_name(value) for value in distinct], is_numeric=True)
        self._labels = distinct

    def _call_quantity(self, distinct: np.ndarray) -> None:
        n = count_of(distinct)
        self.reason = (
            f"{n} different numbers, so a quantity"
            if self.guessed_quantity
            else "all values are numbers"
        )

    def _holds_dates(self, task: str | None) -> bool:
        """Whether it holds dates or times of day that are read as numbers."""
        text = self._text
        form = text.date_form
        if self._kind == "words" or task == "classification" or form == DIGITS:
            return False
        if form is None:
            if len(text.date_forms) > 1 and len(text.counts) > MAX_FRACTIONS:
                raise TableError(
                    f"{self.title} holds dates whose day and month cannot be distinguished, such "
                    f"as {quoted(text.first or '')}: write them as 2024-12-31, or say whether "
                    "they are dates, month first, or words (kind)"
                )
            return False
        malformed = text.malformed_dates(form)
        if len(text.counts) < MIN_DATES or not text.are_few(malformed):
            return False
        if malformed.n:
            self._refuse_text(malformed, "is not a date")
        return True

    def _decide_text(self, task: str | None) -> None:
        text, kind = self._text, self._kind
        words = sorted({*text.counts, *self.kept_names})
        malformed = text.malformed
        numeric = malformed.n == 0 and not self.kept_names and kind != "words"
        named = text.are_codes or (text.form.unit and not self._has_quantity())
        names = not numeric or (task != "regression" and bool(named))
        if names:
            self._check_several(len(words), words[0])
            # Most texts being numbers of a quantity, the others are slips, not names of classes.
            infinite = np.isinf(as_numbers(pa.array([malformed.first[1]]), text.form)).any()
            slipped = 2 * malformed.n <= text.n_known and (infinite or self._has_quantity())
            if not numeric and (task == "regression" or (task is None and slipped and not kind)):
                self._refuse_text(malformed, "is not a number")
            self._name(words, is_numeric=numeric)
            return
        numbers = as_numbers(text.texts, text.form)
        is_plain = text.form == PLAIN
        called = {
            word: class_name(word) if is_plain else number_name(value)
            for word, value in zip(text.texts.to_pylist(), numbers, strict=True)
        }
        order = sorted({(float(name), name) for name in called.values()}, key=_by_number)
        labels = [name for _, name in order]
        self._check_several(len(labels), text.first or labels[0])
        are_integers = all(map(_is_int, labels))
        self.guessed_quantity = task is None and _are_too_many(len(labels), are_integers)
        if task == "regression" or self.guessed_quantity:
            self._call_quantity(np.array(labels))
            self.is_rounded, self._column = (
                text.is_rounded,
                NumberColumn(self.name, text.form, self._missing),
            )
            return
        self._name(labels, is_numeric=True)
        places = {name: place for place, name in enumerate(labels)}
        self._places = {word: places[name] for word, name in called.items()}

    def _refuse_text(self, malformed: Malformed, what: str) -> None:
        cell, where = self._table.locate(self.name, *malformed.first)
        raise TableError(
            f"{self.title} holds the text {quoted(cell)} in {where}{and_more(malformed.n)}, which "
            f"{what}: correct it, or predict classes, or choose another column as the target"
        )

    def _name(self, names: list[str], is_numeric: bool) -> None:
        """Take these for the classes."""
        if len(names) > MAX_CLASSES:
            instead = "predict it as a number, or choose" if is_numeric else "choose"
            raise TableError(
                f"{self.title} has {count_of(names)} different values, more than {MAX_CLASSES} "
                f"classes, so it is a quantity or an identifier: {instead} another column as the "
                "target"
            )
        if self._numbers is None and self._text.longest > self._table.limits.n_text:
            raise TableError(
                f"{self.title} holds a text of {self._text.longest} characters, more than "
                f"{self._table.limits.n_text}: shorten it, or choose another column as the target"
            )
        self.class_names = tuple(names)
        self._places = {name: place for place, name in enumerate(names)}
        n = len(names)
        remarks = [f"set to {self._kind}"] if self._kind else []
        numbers, texts = f"{n} different numbers, so classes", f"{n} different texts, so classes"
        remarks.append(numbers if is_numeric else texts)
        if self.kept_names:
            remarks.append(f"so frequent that it is a class: {listed(self.kept_names, 3)}")
        self.reason = "; ".join(remarks)

    def _has_quantity(self) -> bool:
        """Whether those of its texts that are numbers look like a quantity."""
        values = np.unique(as_numbers(self._text.texts, self._text.form))
        return is_quantity(values[~np.isnan(values)])

    def encode(self, column: pa.Array, rows: np.ndarray) -> np.ndarray:
        """Classes, int64, or numbers, float64, shape (n_rows,), of rows that have a target."""
        is_text = self._is_text(column)
        if is_text and self.class_names:
            found = known_text(column, self._missing, self.kept_names).dictionary_encode()
            places = [self._places[word] for word in found.dictionary.to_pylist()]
            return np.array(places, dtype=np.int64)[found.indices.to_numpy()]
        values = column.to_numpy(zero_copy_only=False)
        if is_text and self._column:
            values = self._column.encode(column)[:, 0]
        check_range(self._table, self.name, values, rows)
        if self.class_names:
            return np.searchsorted(self._labels, values).astype(np.int64)
        check_range(self._table, self.name, values, rows, MAX_TARGET, f"{MAX_TARGET:g}")
        return values.astype(np.float64)


def _is_int(name: str) -> bool:
    return name.lstrip("-").isdigit()


def _by_number(named: tuple[float, str]) -> tuple[float, int]:
    value, name = named
    return value, int(name) if _is_int(name) else 0
