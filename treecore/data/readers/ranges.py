"""What numbers a column has: the least, the greatest, the missing; and a word on every column."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


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
    n_kinds: int
    low: float
    high: float
    why_not: str
    unit: str = ""
    reason: str = ""


FIRST_DATE, LAST_DATE = 19_000_101, 20_991_231
"""The least and the greatest number that may be a date, as 20240131 is."""

MIN_IDS, MAX_IDS = 10, 1_000_000
"""Rows at least and at most whose numbers are compared to tell whether each has its own."""


MAX_NEAR = 1000
"""Different numbers that are compared to tell whether float32 keeps them apart."""


class NumberRange:
    """Least and greatest number of a column, and whether its numbers are those of the rows.

    is_id: whether to look out for numbers that occur twice.

    - low, high: infinite the wrong way round where there is no number.
    - n_known, n_rows: numbers, and cells, those that are missing among them.
    - counts: whether all that was added grows by one from row to row.
    - are_dates: whether all numbers are dates, as 20240131 is.
    - is_rounded: whether some whole number is another one as a float.
    """

    def __init__(self, is_id: bool = False) -> None:
        self.low, self.high, self.n_known, self.n_rows = np.inf, -np.inf, 0, 0
        self.counts, self._first, self.are_dates, self.is_rounded = True, np.nan, True, False
        self._is_id, self._n_ids, self._ids = is_id, 0, list[np.ndarray]()
        self._near = np.empty(0)  # different numbers, while they lie close together

    def add(self, values: np.ndarray, rows: np.ndarray) -> None:
        """Take in the numbers, NaN where they are missing, of the rows with these numbers."""
        if not self.n_rows:
            self._first = float(values[0]) - float(rows[0])
            self.counts = bool(np.isfinite(self._first))
        if self.counts:  # which the last one tells first
            self.counts = values[-1] == rows[-1] + self._first and np.array_equal(
                values, rows + self._first
            )
        self.n_rows += len(values)
        low = values.min()
        if np.isnan(low):
            values = values[~np.isnan(values)]
            low = values.min(initial=np.inf)
        self.n_known += len(values)
        if not len(values):
            return
        high = values.max()
        if values.dtype.kind in "iu" and max(-int(low), int(high)) > 2**53:
            self.is_rounded |= bool((values.astype(np.float64).astype(object) != values).any())
        self.low, self.high = min(self.low, float(low)), max(self.high, float(high))
        if self._is_narrow:
            self._near = np.union1d(self._near, values)[:MAX_NEAR]
        self.are_dates &= low >= FIRST_DATE and high <= LAST_DATE and _are_dates(values)
        if self._is_id and self._n_ids < MAX_IDS:
            self._ids.append(np.asarray(values))
            self._n_ids += len(values)
            self._is_id = values.dtype.kind in "iu" or np.array_equal(values, np.rint(values))

    def may_be_useless(self, may_be_id: bool) -> bool:
        """Whether more rows have to tell that this is no use, or something else."""
        return self.low >= self.high or self.counts or self.are_dates or may_be_id

    @property
    def tells_rows_apart(self) -> bool:
        """Whether each row has a whole number of its own."""
        if not self._is_id or self.n_missing or self.n_rows < MIN_IDS:
            return False
        return np.unique(np.concatenate(self._ids)).size == self._n_ids

    @property
    def n_missing(self) -> int:
        return self.n_rows - self.n_known

    @property
    def is_constant(self) -> bool:
        """Whether it is the same number in all rows."""
        return self.n_known == self.n_rows and self.low == self.high

    @property
    def _is_narrow(self) -> bool:
        """Whether float32 has few steps between the least and the greatest."""
        largest = min(max(-self.low, self.high), 1e38)  # which float32 still has a step above
        return self.high - self.low < MAX_NEAR / 2 * float(np.spacing(np.float32(largest)))

    @property
    def is_merged(self) -> bool:
        """Whether numbers that differ are so close that float32 makes some of them the same."""
        return self._is_narrow and np.unique(self._near.astype(np.float32)).size < self._near.size

    @property
    def is_too_great(self) -> bool:
        """Whether some number is beyond the reach of float32."""
        return self.n_known > 0 and max(-self.low, self.high) > float(np.finfo(np.float32).max)


def _are_dates(values: np.ndarray) -> bool:
    """Whether numbers are dates, as 20240131 is."""
    if values.dtype.kind == "f" and not np.array_equal(values, np.rint(values)):
        return False
    integers = values.astype(np.int64)
    year, month, day = integers // 10_000, integers // 100 % 100, integers % 100
    if not ((month >= 1) & (month <= 12) & (day >= 1)).all():
        return False
    months = ((year - 1970) * 12 + month - 1).astype("datetime64[M]")
    days = months.astype("datetime64[D]") + (day - 1)
    return np.array_equal(days.astype("datetime64[M]"), months)  # no 31 February
