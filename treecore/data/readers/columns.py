"""How a column becomes features: numbers, days, hours, or zeros and ones for each of its words.

A table that is learnt from decides it once (:mod:`treecore.data.readers.encoding`), the file of a
model keeps it, and rows that are answered later are encoded by the very same rules, whatever the
order of their columns and whichever words are among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from treecore.data.readers.cells import PLAIN, NumberForm, as_numbers, known_text
from treecore.data.readers.dates import as_time, unit_of


class NumberColumn(NamedTuple):
    """A column that is one feature, of numbers."""

    name: str
    form: NumberForm = PLAIN

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
            numbers = as_numbers(known_text(column), self.form)
            return np.where(np.isinf(numbers), np.nan, numbers)[:, None]
        return column.to_numpy(zero_copy_only=False)[:, None]


class CategoryColumn(NamedTuple):
    """A column of text that is one feature, of zeros and ones, for each of its categories."""

    name: str
    categories: Sequence[str]

    @property
    def feature_names(self) -> list[str]:
        return [f"{self.name}={category}" for category in self.categories]

    @property
    def units(self) -> list[str]:
        return [""] * len(self.categories)

    def encode(self, column: pa.Array) -> np.ndarray:
        """Indicators, shape (n_rows, n_categories)."""
        return self.places(column)[:, None] == np.arange(len(self.categories))

    def places(self, column: pa.Array) -> np.ndarray:
        """The number of each row's category, -1 where it has none of them, shape (n_rows,)."""
        text = known_text(column.cast(pa.string()))
        place = pc.index_in(text, value_set=pa.array(self.categories, pa.string())).fill_null(-1)
        return place.to_numpy(zero_copy_only=False)


class DateColumn(NamedTuple):
    """A column of dates, or of times of a day, that is one feature.

    Its numbers are days since the beginning of 1970, or hours since midnight.

    Attributes
    ----------
    name : str
    form : str
        How they are written, one of :data:`.dates.DATE_FORMATS`.
    """

    name: str
    form: str

    @property
    def feature_names(self) -> list[str]:
        return [self.name]

    @property
    def units(self) -> list[str]:
        return [unit_of(self.form)]

    def encode(self, column: pa.Array) -> np.ndarray:
        """Days or hours with their fraction, NaN where they are missing or none, (n_rows, 1)."""
        if not pa.types.is_string(column.type):  # of a file that has them as numbers already
            return column.to_numpy(zero_copy_only=False)[:, None]
        found = known_text(column).dictionary_encode()  # days come again: each is read once
        times = np.append(as_time(found.dictionary, self.form), np.nan)
        places = found.indices.fill_null(len(found.dictionary))
        return times[places.to_numpy(zero_copy_only=False)][:, None]


Column = NumberColumn | CategoryColumn | DateColumn
