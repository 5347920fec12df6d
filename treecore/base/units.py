"""What the numbers of a feature count, and how such a number is written.

``DATE`` and ``MOMENT`` are days since 1970, ``TIME`` hours since midnight; any other word, such as
kg, stands behind its number. ``treecore/viewer/js/app/units.js`` does the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Protocol

import numpy as np

DATE, MOMENT, TIME = "date", "moment", "time"

CALENDAR = frozenset({DATE, MOMENT, TIME})
"""The units that are no words behind a number."""

_EPOCH = datetime(1970, 1, 1)

_FIRST_DAY, _LAST_DAY = -719_162, 2_932_896
"""Of the years 1 and 9999."""


class _Made(Protocol):
    """What some features are made of."""

    @property
    def units(self) -> list[str]: ...


def units_of(columns: Sequence[_Made], n_features: int) -> tuple[str, ...]:
    """The unit of every feature; empty strings where all columns are plain numbers."""
    return tuple(unit for column in columns for unit in column.units) or ("",) * n_features


def in_unit(value: float, unit: str, number: Callable[[float], str], up: bool = False) -> str:
    """A value of a feature as people write it. number: writes a number, whatever it counts."""
    if unit not in CALENDAR:
        return f"{number(value)}\N{NO-BREAK SPACE}{unit}" if unit else number(value)
    if unit == TIME and math.isfinite(value):
        minutes = round(60 * abs(value))
        sign = "\N{MINUS SIGN}" if value < 0 and minutes else ""
        return f"{sign}{minutes // 60:02}:{minutes % 60:02}"
    if not _FIRST_DAY <= value < _LAST_DAY:
        return number(value)
    if unit == MOMENT:
        minute = _EPOCH + timedelta(minutes=round(1440 * value))
        return minute.isoformat(" ", "minutes")
    nearest = round(value)
    # Of a day: two float32 numbers of today differ by so much.
    is_int = abs(value - nearest) < 0.002
    day = nearest if is_int else math.ceil(value) if up else math.floor(value)
    return (_EPOCH.date() + timedelta(days=day)).isoformat()


def limit_in(threshold: float | np.float32, unit: str) -> str:
    """The threshold of a split with the fewest digits that divide rows by the text alike.

    Of times the last whole minute or second that does; days are whole.
    """
    value = float(np.float32(threshold))
    step = float(np.spacing(np.float32(abs(value))))
    if unit == MOMENT and _FIRST_DAY <= value < _LAST_DAY:
        edge = round(86_400 * (value + step / 2), 3)  # rounded up by less than half of a step
        for seconds in (60, 1):
            there = seconds * math.floor(edge / seconds)
            if there >= 86_400 * (value - step / 2):
                moment = _EPOCH + timedelta(seconds=there)
                return moment.isoformat(" ", "minutes" if seconds == 60 else "seconds")
    if unit == TIME:
        exact = 3600 * abs(value)
        rounded = (round(exact, places) for places in range(3))
        near = (seconds for seconds in rounded if abs(seconds - exact) <= 1800 * step)
        exact = next(near, round(exact, 3))
        clock = f"{int(exact // 3600):02}:{int(exact // 60 % 60):02}"
        sign = "\N{MINUS SIGN}" if value < 0 and exact else ""
        rest = f":{exact % 60:06.3f}".rstrip("0").rstrip(".") if exact % 60 else ""
        return f"{sign}{clock}{rest}"
    return in_unit(value, unit, lambda _: shortest(threshold))


def shortest(value: float | np.float32) -> str:
    """The fewest digits that float32 rounds to a number, or to one a step beside it."""
    single = np.float32(value) + np.float32(0)  # -0 is 0
    exact, step = float(single), float(np.spacing(np.abs(single)))
    if not math.isfinite(exact):
        return str(exact)
    for places in range(6):
        if 10.0**-places < 1000 * step:
            break
        near = round(exact, places)
        if near and abs(near - exact) <= 1.01 * step:
            return np.format_float_positional(near, trim="-")
    if exact == 0 or 1e-4 <= abs(exact) < 1e16:
        return np.format_float_positional(single, unique=True, trim="-")
    return np.format_float_scientific(single, unique=True, trim="-")


def one_line(name: str) -> str:
    """A name on one line, whatever spreadsheets put in it."""
    return " ".join(name.split())
