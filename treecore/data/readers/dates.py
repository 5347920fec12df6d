"""When text is a date or a time of day, and which number it is.

A date is the days since the beginning of 1970, with its time as their fraction; a time of day alone
is the hours since midnight.
"""

from __future__ import annotations

import functools
import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from treecore.base.units import DATE, MOMENT, TIME

DAY = 86_400
HOUR = 3600

ISO = "%Y-%m-%d"
DATES = (ISO, "%Y/%m/%d", "%d.%m.%Y", "%m/%d/%Y", "%d/%m/%Y", "%d-%m-%Y", "%m-%d-%Y")
NAMED = ("%d. %b %Y", "%d %b %Y", "%d-%b-%Y", "%b %d, %Y", "%b %d %Y")
CLOCKS = ("%H:%M:%S", "%H:%M", "%H:%M:%S.%f", "%I:%M %p", "%I:%M:%S %p")
TIMES = ("", *(f" {clock}" for clock in CLOCKS), *(f"T{clock}" for clock in CLOCKS[:3]))
ZONED = tuple(f"{ISO}{time}%z" for time in TIMES if "%H" in time)
DATE_FORMATS = (*(f"{date}{time}" for date in DATES for time in TIMES), *ZONED, *CLOCKS, *NAMED)
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
    return "dates" if "%Y" in form else "times"


def unit_of(form: str) -> str:
    """The unit of what is written in a form: see :mod:`treecore.base.units`."""
    return (MOMENT if "%M" in form else DATE) if "%Y" in form else TIME


@functools.cache
def _pattern(form: str) -> re.Pattern[str]:
    pieces = re.split(r"( %p|\.%f|%.)", form)
    return re.compile("^" + "".join(_PARTS.get(piece, re.escape(piece)) for piece in pieces) + "$")


def as_time(text: pa.Array, form: str) -> np.ndarray:
    """Days since 1970 began, or hours since midnight; NaN for what is missing or none, (n,).

    Parameters
    ----------
    text : pyarrow.Array
        Of strings.
    form : str
        One of :data:`DATE_FORMATS`.
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
    months = (part("Y", 1970) - 1970) * 12 + np.where(right, month, 1) - 1
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
    seconds = dates.astype(np.int64) * DAY + hour * HOUR + minute * 60 + second
    if "f" in parts:
        seconds = seconds + pc.binary_join_element_wise(
            "0", parts["f"], "."
        ).cast(pa.float64()).to_numpy(zero_copy_only=False)  # fmt: skip
    values = np.full(len(text), np.nan)
    values[known] = np.where(right, seconds / (DAY if "Y" in parts else HOUR), np.nan)
    return values


def likely_forms(text: pa.Array) -> tuple[str, ...]:
    """Ways to write dates and times in which most of the first few texts are one.

    Parameters
    ----------
    text : pyarrow.Array
        Of strings, none missing.
    """
    few = text.slice(0, 9).to_pylist()
    return tuple(
        form
        for form in DATE_FORMATS
        if 2 * sum(map(bool, map(_pattern(form).match, few))) > len(few)
    )
