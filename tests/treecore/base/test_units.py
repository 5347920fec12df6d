"""Dates are written as dates, times as times, all else as a number before its unit."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treecore.base.units import DATE, MOMENT, TIME, in_unit

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
