"""When text is a number, which number it is, and how numbers are called when they are classes.

A cell is a number when Python's ``float`` reads it. Arrow reads most of them much faster and to
the same bits; what it refuses is left to Python.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from treecore.base.units import CALENDAR
from treecore.data.readers.table import MISSING, Table, TableError, quoted

MAX_DISTINCT = 10_000
"""Different texts of a column that are counted."""

MAY_BE_NAMES = frozenset({"na", "n/a", "null", "none"})
"""Words for a missing value, in any case, that may be a category or a class as well: None."""


def known_text(
    column: pa.Array, missing: Collection[str] | None = None, kept: Collection[str] = ()
) -> pa.Array:
    """Return text without blanks around it, null where it stands for a missing value.

    column: of strings, numbers (which are written out) or nulls; missing: the words for a missing
    value, in any case; None: the usual ones; kept: texts that are none of these words although they
    are among them.
    """
    stripped = pc.utf8_trim_whitespace(written(column))
    words = {"", *(MISSING if missing is None else (word.strip().lower() for word in missing))}
    gone = pc.is_in(pc.utf8_lower(stripped), value_set=pa.array(sorted(words)))
    if kept:
        gone = pc.and_not(gone, pc.is_in(stripped, value_set=pa.array(sorted(kept), pa.string())))
    return pc.if_else(gone, pa.scalar(None, pa.string()), stripped)


def written(column: pa.Array) -> pa.Array:
    """Return a column as text: 1.0 as 1, and the number 0.1 of float32 as 0.1."""
    if pa.types.is_string(column.type):
        return column
    if not pa.types.is_floating(column.type):
        return column.cast(pa.string())
    column = pc.if_else(column.is_null(nan_is_null=True), pa.scalar(None, column.type), column)
    found = column.dictionary_encode()
    names = [number_name(value) for value in found.dictionary.to_numpy(zero_copy_only=False)]
    return pa.array(names, pa.string()).take(found.indices)


def known_numbers(column: pa.Array, missing: Collection[str] | None = None) -> np.ndarray:
    """Return the numbers of a typed column, shape (n,), NaN where they are missing."""
    return without(column.to_numpy(zero_copy_only=False), missing)


def without(values: np.ndarray, missing: Collection[str] | None) -> np.ndarray:
    """Numbers, NaN for those that words such as -999 declare missing."""
    said = [value for word in missing or () if not np.isnan(value := number(word))]
    return np.where(np.isin(values, said), np.nan, values) if said else values


class NumberForm(NamedTuple):
    """How the numbers of a column are written.

    - comma: with a decimal comma; a point makes a cell no number.
    - marks: with marks between thousands: 1,234.5 is read as 1234.5.
    - unit: what stands behind each number: 42 kg is read as 42, 12 % as 12.
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
MARKED = rf"\d[,{_APOSTROPHES}{_BLANK}]\d\d\d|\.\d\d\d[.,]"
"""What is somewhere in a cell that only :attr:`NumberForm.marks` reads."""

_MEASURED = (
    rf"^[-+]?(?P<before>{_CURRENCY})?[{_BLANK}]*[-+]?[\d.][\d.,{_APOSTROPHES}{_BLANK}]*"
    rf"(?:[eE][-+]?\d+)?[{_BLANK}]*(?P<behind>[^\d\s.,:;/+*()<>=-][^\d:;]{{0,11}}?[23]?)?$"
)
"""A number and its unit."""


def unit_in(text: pa.Array, often: np.ndarray) -> str:
    """The unit that most cells have behind a number, ``""`` where most cells have none.

    text: of strings, none missing; often: int (n,), how many cells there are of each.
    """
    found = pc.extract_regex(pc.replace_substring(text, "\u2212", "-"), pattern=_MEASURED)
    before, after = (found.field(i).fill_null("") for i in (0, 1))
    units = pc.if_else(pc.equal(before, ""), after, before).dictionary_encode()
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
    """Text as numbers, shape (n,), float64: NaN where it is missing (null) or no number."""
    text = pc.replace_substring(text, "\u2212", "-")  # the minus sign of typesetters
    if pc.any(pc.starts_with(text, "(")).as_py():  # as accountants write -1
        text = pc.replace_substring_regex(text, r"^\(([^-+()]*\d[^()]*)\)$", r"-\1")
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
    after = f"[{_BLANK}]*{sign}$"
    bare = pc.replace_substring_regex(text, after, "")
    return pc.if_else(pc.match_substring_regex(text, after), bare, "?")


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
    """A number as the name of a class: 1 and 1.0 are the same one, and whole ones keep digits."""
    if isinstance(value, int | np.integer) or (
        value == np.rint(value) and abs(value) < MAX_WRITTEN
    ):
        return str(int(value))
    return repr(float(str(value)))  # of float32 the shortest, 0.1, not 0.10000000149011612


MAX_WRITTEN = 1e21
"""Whole numbers below it are written with all of their digits."""


def class_name(cell: str) -> str:
    """A cell as the name of a class when all classes are numbers; itself where it is none.

    Files write the truth in several ways, so TRUE is True.
    """
    if _INTEGER.fullmatch(cell):  # beyond 2^53 as well
        return str(int(cell))
    try:
        return number_name(float(cell))
    except ValueError:
        return cell.capitalize() if cell.lower() in ("true", "false") else cell


def alike(name: str) -> str:
    """The name that equals those written in another way: 1.0 is 1, but 01 is a code and is not."""
    return name if re.match(r"[-+]?0\d", name) else class_name(name)


_INTEGER = re.compile(r"[-+]?\d{1,300}")


def is_rounded(cell: str) -> bool:
    """Whether a whole number, as it is written, is another one as a float."""
    return len(cell) > 15 and bool(_INTEGER.fullmatch(cell)) and int(float(cell)) != int(cell)


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

    table: says where a cell is; values: (n,); rows: int (n,); limit: the greatest size of a number;
    reach: the same in words.
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
