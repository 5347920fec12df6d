"""What numbers a column has: the least, the greatest, the missing; and a word on every column."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class ColumnReport(NamedTuple):
    """What a column of a table holds, and whether it can be learnt from.

    Attributes
    ----------
    name : str
    kind : str
        ``"numbers"``, ``"dates"``, ``"times"``, ``"words"`` or ``"nothing"``.
    n_missing : int
        Of the rows with a target.
    n_kinds : int
        Different words, at most :data:`.cells.MAX_DISTINCT` and one; 0 for what is no word.
    low, high : float
        Least and greatest number, day since the beginning of 1970 or hour since midnight; NaN
        where there is none.
    why_not : str
        Why it was left out, in a few words; empty where it is learnt from.
    unit : str
        Of the numbers, see :mod:`treecore.base.units`.
    reason : str
        Why it is taken for this kind, in a few words; empty where nothing is to be said.
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


class NumberRange:
    """Least and greatest number of a column, and whether its numbers are those of the rows.

    Attributes
    ----------
    low, high : float
        Infinite the wrong way round where there is no number.
    n_known, n_rows : int
        Numbers, and cells, those that are missing among them.
    counts : bool
        Whether all that was added grows by one from row to row.
    """

    def __init__(self) -> None:
        self.low, self.high, self.n_known, self.n_rows = np.inf, -np.inf, 0, 0
        self.counts, self._first = True, np.nan

    def add(self, values: np.ndarray, rows: np.ndarray) -> None:
        """Take in the numbers, NaN where they are missing, of the rows with these numbers."""
        if not self.n_rows:
            self._first = float(values[0] - rows[0])
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
        if len(values):
            self.low = min(self.low, float(low))
            self.high = max(self.high, float(values.max()))

    @property
    def n_missing(self) -> int:
        return self.n_rows - self.n_known

    @property
    def is_constant(self) -> bool:
        """Whether it is the same number in all rows."""
        return self.n_known == self.n_rows and self.low == self.high

    @property
    def is_too_great(self) -> bool:
        """Whether some number is beyond the reach of float32."""
        return self.n_known > 0 and max(-self.low, self.high) > float(np.finfo(np.float32).max)
