"""How a column becomes features: numbers, days, hours, or zeros and ones for each of its words.

A table that is learnt from decides it once (:mod:`treecore.data.readers.guesses`), the file of a
model keeps it, and rows that are answered later are encoded by the very same rules, whatever the
order of their columns and whichever words are among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from treecore.data.readers.cells import (
    PLAIN,
    NumberForm,
    alike,
    as_numbers,
    known_numbers,
    known_text,
    without,
)
from treecore.data.readers.dates import DIGITS, YEAR, as_time, unit_of
from treecore.data.readers.table import listed


class NumberColumn(NamedTuple):
    """A column that is one feature, of numbers.

    form: how they are written where they are text; missing: the words for a missing value, in any
    case; None: the usual ones.
    """

    name: str
    form: NumberForm = PLAIN
    missing: tuple[str, ...] | None = None

    @property
    def feature_names(self) -> list[str]:
        return [self.name]

    @property
    def units(self) -> list[str]:
        """Of the features, see :mod:`treecore.base.units`."""
        return [self.form.unit]

    def encode(self, column: pa.Array) -> np.ndarray:
        """Numbers, NaN where they are missing, shape (n_rows, 1)."""
        if pa.types.is_string(column.type):
            numbers = as_numbers(known_text(column, self.missing), self.form)
            numbers = without(numbers, self.missing)
            return np.where(np.isinf(numbers), np.nan, numbers)[:, None]
        return known_numbers(column, self.missing)[:, None]


class CategoryColumn(NamedTuple):
    """A column that is one feature, of zeros and ones, for each of its categories.

    missing: as of :class:`NumberColumn`; a category is never missing.
    """

    name: str
    categories: Sequence[str]
    missing: tuple[str, ...] | None = None

    @property
    def feature_names(self) -> list[str]:
        return [f"{self.name}={category}" for category in self.categories]

    @property
    def units(self) -> list[str]:
        return [""] * len(self.categories)

    def encode(self, column: pa.Array) -> np.ndarray:
        """Indicators, shape (n_rows, n_categories)."""
        return self.places(self.text(column))[:, None] == np.arange(len(self.categories))

    def text(self, column: pa.Array) -> pa.Array:
        """The cells as text, null where they are missing."""
        return known_text(column, self.missing, self.categories)

    def places(self, text: pa.Array) -> np.ndarray:
        """The number of each row's category, -1 where it has none of them, shape (n_rows,).

        A number may be written in another way: 1.0 is the category 1, if there is no other.
        """
        found = text.dictionary_encode()
        exact = {category: place for place, category in enumerate(self.categories)}
        others: dict[str, int] = {}
        for category, place in exact.items():
            others.setdefault(alike(category), place)
        words = found.dictionary.to_pylist()
        places = [exact.get(word, others.get(alike(word), -1)) for word in words]
        indices = found.indices.fill_null(len(words)).to_numpy(zero_copy_only=False)
        return np.array([*places, -1], dtype=np.int64)[indices]


class DateColumn(NamedTuple):
    """A column of dates, or of times of a day, that is one feature.

    Its numbers are days since the beginning of 1970, or hours since midnight.

    - form: how they are written, one of :data:`.dates.DATE_FORMATS`.
    - since: the first of the hundred years in which years of two digits lie.
    - missing: as of :class:`NumberColumn`.
    """

    name: str
    form: str
    since: int = 0
    missing: tuple[str, ...] | None = None

    @property
    def feature_names(self) -> list[str]:
        return [self.name]

    @property
    def units(self) -> list[str]:
        return [unit_of(self.form)]

    def encode(self, column: pa.Array) -> np.ndarray:
        """Days or hours with their fraction, NaN where they are missing or none, (n_rows, 1)."""
        if not pa.types.is_string(column.type) and self.form not in (DIGITS, YEAR):
            return known_numbers(column, self.missing)[:, None]  # which are days already
        found = known_text(column, self.missing).dictionary_encode()  # each day is read once
        times = np.append(as_time(found.dictionary, self.form, self.since), np.nan)
        places = found.indices.fill_null(len(found.dictionary))
        return times[places.to_numpy(zero_copy_only=False)][:, None]


Column = NumberColumn | CategoryColumn | DateColumn


class ColumnReport(NamedTuple):
    """What a column of a table holds, and whether it can be learnt from.

    - kind: ``"numbers"``, ``"dates"``, ``"times"``, ``"words"`` or ``"nothing"``.
    - n_missing: of the rows with a target.
    - n_kinds: different words, at most :data:`.cells.MAX_DISTINCT` and one; 0 for what is no word.
    - low, high: least and greatest number, day since the beginning of 1970 or hour since midnight;
      NaN where there is none.
    - why_not: why it was left out, in a few words; empty where it is learnt from.
    - unit: of the numbers, see :mod:`treecore.base.units`.
    - reason: why it is taken for this kind, in a few words; empty where nothing is to be said.
    """

    name: str
    kind: str
    n_missing: int
    n_kinds: int = 0
    low: float = np.nan
    high: float = np.nan
    why_not: str = ""
    unit: str = ""
    reason: str = ""


def level_columns(columns: Sequence[Column], said: Sequence[str] | None) -> np.ndarray | None:
    """The place of the column of categories that each feature is a level of, -1 for others.

    said: names of columns; None: all. Returns int (n_features,), None where no feature is a level.
    """
    places = [
        place if isinstance(one, CategoryColumn) and (said is None or one.name in said) else -1
        for place, one in enumerate(columns)
        for _ in one.feature_names
    ]
    return np.array(places) if any(place >= 0 for place in places) else None


def categories_of(columns: Sequence[Column], said: str | Sequence[str]) -> np.ndarray | None:
    """What ``RunConfig.categorical`` says of features: :func:`level_columns`.

    ValueError for a column that holds no categories.
    """
    words = [one.name for one in columns if isinstance(one, CategoryColumn)]
    for name in () if said == "auto" else said:
        if not words:
            raise ValueError(
                f"categorical names {name!r}, but no column holds categories: remove it"
            )
        if name not in words:
            raise ValueError(
                f"categorical names {name!r}, which is not a column of categories: choose among "
                f"{listed(words, 20)}"
            )
    return level_columns(columns, words if said == "auto" else said)


def category_groups(columns: Sequence[Column]) -> list[list[int]]:
    """The features of each column of categories, of which one is 1."""
    groups, first = [], 0
    for column in columns:
        stop = first + len(column.feature_names)
        if isinstance(column, CategoryColumn):
            groups.append(list(range(first, stop)))
        first = stop
    return groups
