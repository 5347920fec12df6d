"""When text is a number, which number it is, and how numbers are called when they are classes.

A cell is a number when Python's ``float`` reads it. Arrow reads most of them much faster and to
the same bits; what it refuses is left to Python.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from treecore.base.units import CALENDAR
from treecore.data.readers.dates import as_time, likely_forms
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
    marks : bool
        With marks between thousands: 1,234.5 is read as 1234.5.
    unit : str
        What stands behind each number: 42 kg is read as 42, 12 % as 12. The sign of a currency may
        stand before it as well, or be missing.
    """

    comma: bool = False
    marks: bool = False
    unit: str = ""


PLAIN = NumberForm()
FORMS = (PLAIN, NumberForm(comma=True), NumberForm(marks=True), NumberForm(comma=True, marks=True))
"""All ways to write numbers without a unit, the usual ones first."""

_FLOAT = r"(?i)^[-+]?(inf|infinity|[\p{Nd}.]+(e[-+]?\p{Nd}+)?)$"
"""What is a number if any text is."""

_SIGNS = ("$", "\u20ac", "\u00a3", "\u00a5")
CURRENCIES = (*_SIGNS, "EUR", "USD", "GBP", "CHF")

_APOSTROPHES, _BLANK = "'\u2019", " \u00a0\u202f"
_CURRENCY = "|".join(map(re.escape, CURRENCIES))
_MARKED = rf"\d[,{_APOSTROPHES}{_BLANK}]\d\d\d|\.\d\d\d[.,]"
"""What is somewhere in a cell that only :attr:`NumberForm.marks` reads."""

_MEASURED = (
    rf"^[-+]?(?P<before>{_CURRENCY})?[{_BLANK}]*[-+]?[\d.][\d.,{_APOSTROPHES}{_BLANK}]*"
    rf"(?:[eE][-+]?\d+)?[{_BLANK}]*(?P<behind>[^\d\s.,:;/+*()<>=-][^\d:;]{{0,11}}?[23]?)?$"
)
"""A number and its unit."""


def unit_in(text: pa.Array, often: np.ndarray | None = None) -> str:
    """The unit that most cells have behind a number, ``""`` where most cells have none.

    Parameters
    ----------
    text : pyarrow.Array
        Of strings, none missing.
    often : int array, shape (n,), or None
        How many cells there are of each; None: one.
    """
    often = np.ones(len(text), dtype=np.int64) if often is None else often
    found = pc.extract_regex(pc.replace_substring(text, "\u2212", "-"), pattern=_MEASURED)
    before, behind = (found.field(i).fill_null("") for i in (0, 1))
    units = pc.if_else(pc.equal(before, ""), behind, before).dictionary_encode()
    names = units.dictionary.to_pylist()
    counts = np.bincount(units.indices.to_numpy(), often, len(names))
    counts[[i for i, name in enumerate(names) if not name or name in CALENDAR]] = 0
    if not counts.any():
        return ""
    unit = names[counts.argmax()]
    if unit in CURRENCIES:  # which need not stand in every cell, if there is no other
        return unit if counts.max() == counts.sum() else ""
    return unit if 2 * counts.max() > often.sum() else ""


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
    if form.unit:
        text = _without_unit(text, form.unit)
    if form.marks:
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


def _without_unit(text: pa.Array, unit: str) -> pa.Array:
    """Cells without their unit; those that lack it are no numbers, unless it is a currency."""
    sign = re.escape(unit)
    if unit in CURRENCIES:
        signs = f"^([-+]?){sign}[{_BLANK}]*|[{_BLANK}]*{sign}$"
        return pc.replace_substring_regex(text, signs, r"\1")
    if len(unit) > 2 and unit[-1] in "se":  # one year, two years; ein Tag, zwei Tage
        sign += "?"
    behind = f"[{_BLANK}]*{sign}$"
    bare = pc.replace_substring_regex(text, behind, "")
    return pc.if_else(pc.match_substring_regex(text, behind), bare, "?")


def _without_marks(text: pa.Array, mark: str) -> pa.Array:
    """Cells without the marks between their thousands."""
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
    found = [np.zeros(len(cells), dtype=bool)] * 2
    for form in FORMS if decimal_comma else (form for form in FORMS if not form.comma):
        for unit in ("", "%", *_SIGNS):  # "2019 sales" may well be a name
            numbers = as_numbers(text, form._replace(unit=unit))
            found[form.comma] = found[form.comma] | ~np.isnan(numbers)
    return max(found, key=np.count_nonzero)


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


class Slips:
    """Cells of a column that are not what the others are.

    Attributes
    ----------
    n : int
    first : tuple of (int, str)
        The row of the first one, and the cell; only where there is one.
    texts : set of str
        Different ones, two at most.
    """

    def __init__(self) -> None:
        self.n, self.first = 0, (0, "")
        self.texts: set[str] = set()

    def add(self, odd: np.ndarray, counts: pa.StructArray, cells: pa.Array, rows: np.ndarray):
        """Count some of the different ``values`` of cells, which are told with their ``counts``."""
        if not odd.any():
            return
        values = counts.field("values").filter(pa.array(odd))
        if not self.n:
            found = pc.index_in(cells, value_set=values).is_valid().to_numpy(zero_copy_only=False)
            place = int(np.argmax(found))
            self.first = int(rows[place]), cells[place].as_py()
        self.n += int(counts.field("counts").to_numpy()[odd].sum())
        if len(self.texts) < 2:
            self.texts.update(values.slice(0, 2).to_pylist())

    def are_few(self, n: int) -> bool:
        """Whether they are one in twenty of ``n`` cells at most, or all the same word: "unknown".

        3B, time and again beside 1A and 2A, tells more than that a number is missing.
        """
        alike = len(self.texts) == 1 and not (self.n > 1 and re.search(r"\d", min(self.texts)))
        return 20 * self.n <= n or (alike and 2 * self.n < n)


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
        self._first_row = 0
        forms = [form for form in FORMS if decimal_comma or not form.comma]
        self._numbers = {form: Slips() for form in forms}  # what is no number, in each form
        self._dates: dict[str, Slips] | None = None
        self._unit = ""
        self._all_digits, self._padded = True, False

    def add(self, cells: pa.Array, rows: np.ndarray) -> None:
        """Count cells, null where they are missing, of the rows with these numbers."""
        cells, rows = cells.drop_null(), rows[cells.is_valid().to_numpy(zero_copy_only=False)]
        if not len(cells):
            return
        if self.first is None:
            self.first, self._first_row = cells[0].as_py(), int(rows[0])
        counts = cells.value_counts()
        values = counts.field("values")
        self._add_numbers(counts, cells, rows)
        if self._dates is None:
            self._dates = {form: Slips() for form in likely_forms(values)}
        self.n_known += len(cells)
        for form, slips in list(self._dates.items()):
            slips.add(np.isnan(as_time(values, form)), counts, cells, rows)
            if 2 * slips.n >= self.n_known:
                del self._dates[form]
        self.longest = max(self.longest, pc.max(pc.utf8_length(values)).as_py())
        self._all_digits = self._all_digits and pc.all(pc.utf8_is_decimal(values)).as_py()
        if self._all_digits:
            self._padded |= pc.any(pc.match_substring_regex(values, "^0.")).as_py()
        for cell in values.to_pylist():
            if len(self.distinct) > MAX_DISTINCT or self._n_kept > MAX_KEPT:
                break
            if cell not in self.distinct:
                self.distinct.add(cell)
                self._n_kept += len(cell)

    def _add_numbers(self, counts: pa.StructArray, cells: pa.Array, rows: np.ndarray) -> None:
        values = counts.field("values")
        unit = unit_in(values, counts.field("counts").to_numpy())
        if unit and not self._unit:
            self._unit = unit
            for form, slips in list(self._numbers.items()):  # what came before had no unit
                earlier = copy.deepcopy(slips)
                if unit not in CURRENCIES and self.n_known:
                    earlier.n, earlier.texts = self.n_known, {*sorted(self.distinct)[:2]}
                    earlier.first = self._first_row, self.first or ""
                self._numbers[form._replace(unit=unit)] = earlier
        marked = pc.any(pc.match_substring_regex(values, _MARKED)).as_py()
        found: dict[NumberForm, np.ndarray] = {}
        for form, slips in self._numbers.items():
            if form.marks and not marked:
                found[form] = found[form._replace(marks=False)]
            else:
                found[form] = ~np.isfinite(as_numbers(values, form))
            slips.add(found[form], counts, cells, rows)

    @property
    def form(self) -> NumberForm:
        """How most of the numbers are written; with a unit only if nearly all of the cells are."""
        forms = [f for f, slips in self._numbers.items() if not f.unit or self.are_few(slips)]
        return min(forms, key=lambda form: self._numbers[form].n)

    @property
    def slips(self) -> Slips:
        """What is no number."""
        return self._numbers[self.form]

    @property
    def date_forms(self) -> tuple[str, ...]:
        """The ways of writing dates in which most of the cells are one.

        03/04/2024 is a day of March or of April: of a column in which nothing tells the two apart
        there are two.
        """
        found = self._dates or {}
        least = min((slips.n for slips in found.values()), default=0)
        return tuple(form for form, slips in found.items() if slips.n == least)

    @property
    def date_form(self) -> str | None:
        """How the cells are written, most of which are dates; None where they are none."""
        forms = self.date_forms
        return forms[0] if len(forms) == 1 else None

    def date_slips(self, form: str) -> Slips:
        """What is no date in one of :attr:`date_forms`."""
        return (self._dates or {})[form]

    def are_few(self, slips: Slips) -> bool:
        """Whether so few cells are something else that they may be taken for missing ones."""
        return slips.are_few(self.n_known)

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
