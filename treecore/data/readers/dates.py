"""When text is a date or a time of day, and which number it is.

A date is the days since the beginning of 1970, with its time as their fraction; a time of day alone
is the hours since midnight. A month is its first day. Years of two digits are 1936 to 2035.
"""

from __future__ import annotations

import functools
import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from treecore.base.units import DATE, MOMENT, TIME

DAY = 86_400

ISO = "%Y-%m-%d"
DATES = (ISO, "%Y/%m/%d", "%d.%m.%Y", "%m/%d/%Y", "%d/%m/%Y", "%d-%m-%Y", "%m-%d-%Y")
SHORT = ("%d.%m.%y", "%m/%d/%y", "%d/%m/%y", "%d-%m-%y", "%m-%d-%y", "%y-%m-%d", "%y/%m/%d")
"""With years of two digits."""
NAMED = (
    *("%d. %b %Y", "%d %b %Y", "%d-%b-%Y", "%b %d, %Y", "%b %d %Y", "%Y %b %d", "%Y-%b-%d"),
    *("%d. %b %y", "%d %b %y", "%d-%b-%y", "%b %d, %y"),
)
MONTHS = (
    *("%Y-%m", "%Y/%m", "%m/%Y", "%m-%Y", "%b %Y", "%b-%Y", "%Y %b", "%Y-%b", "%b-%y", "%b/%y"),
)
GONE = ("%y-%b", "%m/%y")
"""What models of earlier versions may read; no longer guessed: 3/50 may be anything."""
DIGITS = "%Y%m%d"
YEAR = "%Y"
"""Of a number, which is a year only where somebody says that it is a date."""
CLOCKS = ("%H:%M:%S", "%H:%M", "%H:%M:%S.%f", "%I:%M %p", "%I:%M:%S %p")
TIMES = ("", *(f" {clock}" for clock in CLOCKS), *(f"T{clock}" for clock in CLOCKS[:3]))
ZONED = tuple(f"{ISO}{time}%z" for time in TIMES if "%H" in time)
DATE_FORMATS = (
    *(f"{date}{time}" for date in DATES for time in TIMES),
    *ZONED,
    *CLOCKS,
    *(f"{date}{time}" for date in NAMED for time in TIMES[:3]),
    *(f"{date}{time}" for date in SHORT for time in TIMES[:3]),
    *MONTHS,
    *GONE,
    DIGITS,
)
"""How dates and times are written, in the words of ``strptime``."""

_MONTHS = {
    name: month
    for month, names in enumerate(
        (
            "january januar jan",
            "february februar feb",
            "march märz mar mär mrz",
            "april apr",
            "may mai",
            "june juni jun",
            "july juli jul",
            "august aug",
            "september sept sep",
            "october oktober oct okt",
            "november nov",
            "december dezember dec dez",
        ),
        1,
    )
    for name in names.split()
}
"""English and German, whole and short."""

_PARTS = {
    "%Y": r"(?P<Y>\d{4})",
    "%y": r"(?P<y>\d\d)",
    "%b": rf"(?P<b>(?i:{'|'.join(_MONTHS)}))\.?",
    "%m": r"(?P<m>\d\d?)",
    "%d": r"(?P<d>\d\d?)",
    "%H": r"(?P<H>\d\d?)",
    "%I": r"(?P<I>\d\d?)",
    "%M": r"(?P<M>\d\d)",
    "%S": r"(?P<S>\d\d)",
    ".%f": r"\.(?P<f>\d{1,9})",
    " %p": r" ?(?P<p>[AaPp])\.?[Mm]\.?",
    "%z": r" ?(?:Z|UTC|(?P<ahead>[-+]\d\d):?(?P<beyond>\d\d)?)",
}


def kind_of(form: str) -> str:
    """What is written in a form: ``"dates"``, or times of a day, ``"times"``."""
    return "dates" if _has_year(form) else "times"


def unit_of(form: str) -> str:
    """The unit of what is written in a form: see :mod:`treecore.base.units`."""
    return (MOMENT if "%M" in form else DATE) if _has_year(form) else TIME


def _has_year(form: str) -> bool:
    return "%Y" in form or "%y" in form


def is_without_day(form: str) -> bool:
    """Whether a form has a month and no day."""
    return form in (*MONTHS, *GONE)


@functools.cache
def _pattern(form: str) -> re.Pattern[str]:
    pieces = re.split(r"( %p|\.%f|%.)", form)
    parts = _PARTS
    # 2005-01 may be a year and a month, 8790-01 is a code.
    if is_without_day(form) or form in (DIGITS, YEAR):
        two_digits = r"(?P<m>0[1-9]|1[0-2])" if form[0] == "%" and form[1] != "m" else _PARTS["%m"]
        parts = _PARTS | {"%Y": r"(?P<Y>1[5-9]\d\d|2[01]\d\d)", "%m": two_digits}
    if form == DIGITS:
        parts |= {"%Y": r"(?P<Y>19\d\d|20\d\d)", "%d": r"(?P<d>\d\d)"}
    return re.compile("^" + "".join(parts.get(piece, re.escape(piece)) for piece in pieces) + "$")


def as_time(text: pa.Array, form: str, since: int = 0) -> np.ndarray:
    """Days since 1970 began, or hours since midnight; NaN for what is missing or none, (n,).

    text: of strings; form: one of :data:`DATE_FORMATS`; since: the first of the hundred years in
    which years of two digits lie.
    """
    cut = pc.extract_regex(text, pattern=_pattern(form).pattern)
    known = cut.is_valid().to_numpy(zero_copy_only=False)
    parts = dict(zip((field.name for field in cut.type), cut.filter(known).flatten(), strict=True))

    def part(name: str, otherwise: int = 0) -> np.ndarray:
        if name not in parts:
            return np.full(int(known.sum()), otherwise, np.int64)
        digits = pc.if_else(pc.equal(parts[name], ""), str(otherwise), parts[name])
        return pc.utf8_ltrim(digits, "+").cast(pa.int64()).to_numpy(zero_copy_only=False)

    month, day, hour = part("m", 1), part("d", 1), part("H")
    if "b" in parts:
        names = pa.array([*_MONTHS])
        places = pc.index_in(pc.utf8_lower(parts["b"]), value_set=names).to_numpy(False)
        month = np.array([*_MONTHS.values()])[places]
    right = (month >= 1) & (month <= 12)
    years = since + (part("y") - since) % 100 if "y" in parts else part("Y", 1970)
    months = (years - 1970) * 12 + np.where(right, month, 1) - 1
    dates = months.astype("datetime64[M]").astype("datetime64[D]") + (day - 1)
    right &= dates.astype("datetime64[M]") == months.astype("datetime64[M]")  # no 31 February
    if "I" in parts:
        hour = part("I")
        right &= (hour >= 1) & (hour <= 12)
        hour = hour % 12 + 12 * pc.equal(pc.utf8_lower(parts["p"]), "p").to_numpy(False)
    minute, second = part("M"), part("S")
    right &= (hour < 24) & (minute < 60) & (second < 60)
    ahead = part("ahead")
    minute = minute - np.where(ahead < 0, -1, 1) * part("beyond") - 60 * ahead
    seconds = dates.astype(np.int64) * DAY + hour * 3600 + minute * 60 + second
    if "f" in parts:
        seconds = seconds + pc.binary_join_element_wise(
            "0", parts["f"], "."
        ).cast(pa.float64()).to_numpy(zero_copy_only=False)  # fmt: skip
    values = np.full(len(text), np.nan)
    values[known] = np.where(right, seconds / (DAY if _has_year(form) else 3600), np.nan)
    return values


def likely_forms(text: pa.Array) -> tuple[str, ...]:
    """Ways to write dates and times in which most of the first few texts, none missing, are one."""
    few = text.slice(0, 9).to_pylist()
    return tuple(
        form
        for form in DATE_FORMATS
        if form not in GONE and 2 * sum(map(bool, map(_pattern(form).match, few))) > len(few)
    )


FIRST_DATE, LAST_DATE = 19_000_101, 20_991_231
"""The least and the greatest number that may be a date, as 20240131 is."""


def days_in(numbers: np.ndarray, low: float, high: float) -> np.ndarray | None:
    """The days of numbers that are all dates, as 20240131 is, shape (n,); None where one is none.

    numbers: (n,), NaN where they are missing; low, high: the least and the greatest one.
    """
    known = ~np.isnan(numbers)
    found = numbers[known]
    if not (low >= FIRST_DATE and high <= LAST_DATE and np.array_equal(found, np.rint(found))):
        return None
    integers = found.astype(np.int64)
    year, month, day = integers // 10_000, integers // 100 % 100, integers % 100
    if not ((month >= 1) & (month <= 12) & (day >= 1)).all():
        return None
    months = ((year - 1970) * 12 + month - 1).astype("datetime64[M]")
    dates = months.astype("datetime64[D]") + (day - 1)
    if not np.array_equal(dates.astype("datetime64[M]"), months):  # no 31 February
        return None
    days = np.full(len(numbers), np.nan)
    days[known] = dates.astype(np.int64)
    return days


def first_year(form: str) -> int:
    """Return the first of the hundred years of two digits; 0 where years have four."""
    return 1936 if "%y" in form else 0


def sensible(text: pa.Array, forms: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of the ways to read dates, each of which reads as many, that make sense.

    Of the day and the month the one that is always the same is the day: 01/02/2005, 01/03/2005 are
    months. text: different dates, of strings.
    """
    of_one_day = []
    for form in forms if len(forms) > 1 else ():
        days = as_time(text, form, first_year(form))
        dates = days[~np.isnan(days)].astype(np.int64).astype("datetime64[D]")
        months = dates.astype("datetime64[M]")
        if np.unique(dates - months).size == 1 and np.unique(months).size > 2:
            of_one_day.append(form)
    return tuple(of_one_day) or forms
