"""Dates are written as dates, times as times, all else as a number before its unit."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treecore.base.units import DATE, MOMENT, TIME, in_unit, ticks_in

EPOCH = datetime.date(1970, 1, 1)


def reported(value: float, unit: str, up: bool = False) -> str:
    return in_unit(value, unit, "{:.4g}".format, up)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (19799, DATE, "2024-03-17"),
        (19799.5, DATE, "2024-03-17"),
        (19798.9995, DATE, "2024-03-17"),
        (-0.5, DATE, "1969-12-31"),
        (19799.5, MOMENT, "2024-03-17 12:00"),
        (13.75, TIME, "13:45"),
        (-1.5, TIME, "\N{MINUS SIGN}01:30"),
        (42, "kg", "42\N{NO-BREAK SPACE}kg"),
        (42, "", "42"),
        (1e9, DATE, "1e+09"),
        (float("nan"), DATE, "nan"),
        (float("inf"), TIME, "inf"),
    ],
)
def test_a_value_is_written_in_its_unit(value, unit, text):
    assert reported(value, unit) == text


@given(st.dates(), st.floats(0.01, 0.99))
def test_days_beyond_a_threshold_are_those_beyond_the_date_that_is_told(day, share):
    days = (day - EPOCH).days
    threshold = days + share
    after, before = (
        datetime.date.fromisoformat(reported(threshold, DATE, up)) for up in (False, True)
    )
    for other in (days, days + 1):
        assert (other > threshold) == (other > (after - EPOCH).days)
        assert (other < threshold) == (other < (before - EPOCH).days)


@pytest.mark.parametrize(
    ("unit", "low", "high", "texts"),
    [
        (DATE, 19000, 19800, ["2022-07", "2023-01", "2023-07", "2024-01"]),
        (DATE, 19700, 19702, ["2023-12-09", "2023-12-10", "2023-12-11"]),
        (DATE, 0, 20000, ["1970", "1980", "1990", "2000", "2010", "2020"]),
        (DATE, -300000, 20000, ["1200", "1400", "1600", "1800", "2000"]),
        (MOMENT, 19700, 19701.2, ["2023-12-09", "06:00", "12:00", "18:00", "2023-12-10"]),
        (MOMENT, 19700.1, 19700.15, ["2023-12-09 02:30", "02:45", "03:00", "03:15", "03:30"]),
        (TIME, -1, 25, ["00:00", "06:00", "12:00", "18:00", "24:00"]),
        (TIME, 0, 1e6, []),
        (TIME, 0, float("inf"), []),
        (DATE, -1e7, 1e7, []),
        (DATE, 3, 3, []),
        ("kg", 0, 1, []),
    ],
)
def test_marks_of_an_axis_are_round_and_tell_their_day(unit, low, high, texts):
    marks = ticks_in(unit, low, high, 6)
    assert [text for _value, text in marks] == texts
    assert all(low <= value <= high for value, _text in marks)
