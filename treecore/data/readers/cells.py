"""When text is a number, which number it is, and how numbers are called when they are classes.

A cell is a number when Python's ``float`` reads it. Arrow reads most of them much faster and to
the same bits; what it refuses is left to Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from treecore.data.readers.dates import DATE_FORMATS, date_forms
from treecore.data.readers.table import MISSING, Table, TableError, quoted

MAX_DISTINCT = 10_000
"""Different texts of a column that are counted."""

MAX_KEPT = 30_000_000
"""Characters of these texts together; where there are more, they are too long for categories."""


def known_text(column: pa.Array) -> pa.Array:
    """Text without blanks around it, null where it stands for a missing value."""
    stripped = pc.utf8_trim_whitespace(column)
    missing = pc.is_in(pc.utf8_lower(stripped), value_set=pa.array(sorted(MISSING)))
    return pc.if_else(missing, pa.scalar(None, pa.string()), stripped)


class NumberForm(NamedTuple):
    """How the numbers of a column are written.

    Attributes
    ----------
    comma : bool
        With a decimal comma; a point makes a cell no number.
    percent : bool
        With a percent sign behind each; 12 % is read as 12.
    money : bool
        With marks between thousands, or the sign of a currency: $1,234.50 is read as 1234.5.
    """

    comma: bool = False
    percent: bool = False
    money: bool = False


PLAIN = NumberForm()
FORMS = (
    PLAIN,
    NumberForm(comma=True),
    NumberForm(percent=True),
    NumberForm(comma=True, percent=True),
    NumberForm(money=True),
    NumberForm(comma=True, money=True),
)
"""All ways to write numbers, the usual ones first."""

_FLOAT = r"(?i)^[-+]?(inf|infinity|[\p{Nd}.]+(e[-+]?\p{Nd}+)?)$"
"""What is a number if any text is."""

_CURRENCY, _APOSTROPHES, _BLANK = "[$\u20ac\u00a3\u00a5]", "'\u2019", " \u00a0\u202f"
_MONEY_SIGNS = f"^([-+]?){_CURRENCY}[{_BLANK}]*|[{_BLANK}]*{_CURRENCY}$"
_MARKED = rf"{_CURRENCY}|\d[,{_APOSTROPHES}{_BLANK}]\d\d\d|\.\d\d\d[.,]"
"""What is somewhere in a cell that only :attr:`NumberForm.money` reads."""


def as_numbers(text: pa.Array, form: NumberForm = PLAIN) -> np.ndarray:
    """Text as numbers, shape (n,), float64: NaN where it is missing or no number.

    Parameters
    ----------
    text : pyarrow.Array
        Of strings; null where a cell is missing.
    form : NumberForm
        How they are written.
    """
    text = pc.replace_substring(text, "\u2212", "-")  # the minus sign of typesetters
    if form.percent:
        without = pc.utf8_rtrim_whitespace(pc.utf8_rtrim(text, "%"))
        text = pc.if_else(pc.ends_with(text, "%"), without, "?")
    if form.money:
        text = _without_marks(text, "." if form.comma else ",")
    if form.comma:
        pointed = pc.match_substring(text, ".")
        text = pc.if_else(pointed, "?", pc.replace_substring(text, ",", "."))
    try:
        numbers = text.cast(pa.float64()).to_numpy(zero_copy_only=False)
        if np.isnan(numbers).sum() == text.null_count:
            return numbers
    except pa.ArrowInvalid:
        pass
    return _one_by_one(text)


def _one_by_one(text: pa.Array) -> np.ndarray:
    """Text as numbers where some of it is none, or one that Python reads and Arrow does not: +1."""
    could_be = pc.match_substring_regex(text, _FLOAT).fill_null(False)
    few = text.filter(could_be)
    try:
        found = few.cast(pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        found = np.array([number(cell) for cell in few.to_pylist()])
    numbers = np.full(len(text), np.nan)
    numbers[could_be.to_numpy(zero_copy_only=False)] = found
    return numbers


def _without_marks(text: pa.Array, mark: str) -> pa.Array:
    """Cells without the sign of a currency, and without the marks between their thousands."""
    text = pc.replace_substring_regex(text, _MONEY_SIGNS, r"\1")
    marks = f"[{mark}{_APOSTROPHES}{_BLANK}]"
    grouped = pc.match_substring_regex(text, rf"^[-+]?\d{{1,3}}({marks}\d{{3}})+([^\d{mark}]|$)")
    return pc.if_else(grouped, pc.replace_substring_regex(text, marks, ""), text)


def number(cell: str) -> float:
    """A cell as a number, NaN where it is none; ``float`` alone reads 1_000, as in sources."""
    try:
        return np.nan if "_" in cell else float(cell)
    except ValueError:
        return np.nan


def are_numbers(cells: Sequence[str], decimal_comma: bool) -> np.ndarray:
    """Which cells are numbers, with the decimal mark that makes more of them so; bool, (n,)."""
    text = pa.array(cells, pa.string())
    forms = [form for form in FORMS if decimal_comma or not form.comma]
    readings = [~np.isnan(as_numbers(text, form)) for form in forms]
    return max(readings, key=lambda reading: reading.sum())


def number_name(value: float) -> str:
    """A number as the name of a class: 1 and 1.0 are the same one."""
    if value == np.rint(value) and abs(value) < 2**53:
        return str(int(value))
    return repr(float(str(value)))  # of float32 the shortest, 0.1, not 0.10000000149011612


def class_name(cell: str) -> str:
    """A cell as the name of a class when all classes are numbers; itself where it is none."""
    try:
        return number_name(float(cell))
    except ValueError:
        return cell


class TextSummary:
    """What a column of text holds, counted over its blocks.

    Parameters
    ----------
    decimal_comma : bool
        Whether its numbers may have a comma for their point.

    Attributes
    ----------
    n_known : int
        Cells that are not missing.
    distinct : set of str
        The first :data:`MAX_DISTINCT` texts and one more.
    first : str or None
        The first text of all.
    longest : int
        Characters of the longest text.
    """

    def __init__(self, decimal_comma: bool):
        self.n_known = self.longest = self._n_kept = 0
        self.distinct: set[str] = set()
        self.first: str | None = None
        forms = [form for form in FORMS if decimal_comma or not form.comma]
        self._odd = dict.fromkeys(forms, 0)  # cells that are no numbers
        self._first_odd: dict[NumberForm, tuple[int, str]] = {}
        self._date_forms: tuple[str, ...] = DATE_FORMATS
        self._all_digits, self._padded = True, False

    def add(self, cells: pa.Array, rows: np.ndarray) -> None:
        """Count cells, null where they are missing, of the rows with these numbers."""
        cells, rows = cells.drop_null(), rows[cells.is_valid().to_numpy(zero_copy_only=False)]
        if not len(cells):
            return
        self.n_known += len(cells)
        self.first = self.first or cells[0].as_py()
        counts = cells.value_counts()
        values, often = counts.field("values"), counts.field("counts").to_numpy()
        self.longest = max(self.longest, pc.max(pc.utf8_length(values)).as_py())
        percent = pc.any(pc.match_substring(values, "%")).as_py()
        money = pc.any(pc.match_substring_regex(values, _MARKED)).as_py()
        for form in self._odd:
            odd = np.ones(len(values), dtype=bool)
            if (percent or not form.percent) and (money or not form.money):
                odd = np.isnan(as_numbers(values, form))
            self._odd[form] += int(often[odd].sum())
            if odd.any() and form not in self._first_odd:
                place = pc.index_in(cells, value_set=values.filter(pa.array(odd))).is_valid()
                place = int(np.argmax(place.to_numpy(zero_copy_only=False)))
                self._first_odd[form] = int(rows[place]), cells[place].as_py()
        self._date_forms = date_forms(values, self._date_forms)
        self._all_digits = self._all_digits and pc.all(pc.utf8_is_decimal(values)).as_py()
        if self._all_digits:
            self._padded |= pc.any(pc.match_substring_regex(values, "^0.")).as_py()
        for cell in values.to_pylist():
            if len(self.distinct) > MAX_DISTINCT or self._n_kept > MAX_KEPT:
                break
            if cell not in self.distinct:
                self.distinct.add(cell)
                self._n_kept += len(cell)

    @property
    def form(self) -> NumberForm:
        """How most of the numbers are written."""
        return min(self._odd, key=self._odd.__getitem__)

    @property
    def date_forms(self) -> tuple[str, ...]:
        """All ways of writing dates in which every cell is one."""
        return self._date_forms if self.n_known else ()

    @property
    def date_form(self) -> str | None:
        """How all cells are written that all are dates; None where they are none.

        03/04/2024 is a day of March or of April: a column of which nothing tells the two apart
        has no form.
        """
        return self._date_forms[0] if self.n_known and len(self._date_forms) == 1 else None

    @property
    def n_odd(self) -> int:
        """How many cells are no numbers."""
        return self._odd[self.form]

    @property
    def first_odd(self) -> tuple[int, str]:
        """The row of the first cell that is no number, and the cell; only where there is one."""
        return self._first_odd[self.form]

    @property
    def are_codes(self) -> bool:
        """Whether cells are codes, no numbers: all of digits, and one begins as 007 does."""
        return self._all_digits and self._padded


def count_of(distinct: Sequence[Any] | np.ndarray | set[Any]) -> str:
    """How many different values there are, for a sentence."""
    n = len(distinct)
    return str(n) if n <= MAX_DISTINCT else f"more than {MAX_DISTINCT}"


def check_range(
    table: Table,
    column: str,
    values: np.ndarray,
    rows: np.ndarray,
    limit: float = float(np.finfo(np.float32).max),
    reach: str = "3.4e38, the reach of float32",
) -> None:
    """Refuse numbers that are infinite or too great, of the rows with these numbers.

    Parameters
    ----------
    table : Table
        Says where a cell is.
    column : str
    values : array, shape (n,)
    rows : int array, shape (n,)
    limit : float
        The greatest size of a number.
    reach : str
        The same in words.
    """
    if values.dtype.kind != "f" or not values.size:
        return
    if -limit <= values.min() and values.max() <= limit:  # not so where one is missing
        return
    too_great = np.flatnonzero(np.abs(values) > limit)  # what is missing is not
    if too_great.size:
        value = values[too_great[0]]
        cell, where = table.locate(column, int(rows[too_great[0]]), value)
        raise TableError(
            f"column {quoted(column)}: {quoted(cell)} in {where}{and_more(too_great.size)} is "
            f"{'infinite, ' if np.isinf(value) else ''}beyond {reach}: correct or rescale the "
            "values"
        )


def and_more(count: int) -> str:
    """How many more cells there are than the one that is told."""
    return f" (and {count - 1} more)" if count > 1 else ""
