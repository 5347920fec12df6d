"""Dates are days and times of day are hours, whatever file they are in."""

import datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.csvs import column, read
from treecore.data.readers.columns import DateColumn
from treecore.data.readers.dates import CLOCKS, DATE_FORMATS, GONE, kind_of
from treecore.data.sources import Source, read_table

GUESSED = [form for form in DATE_FORMATS if kind_of(form) == "dates" and form not in GONE]


@pytest.mark.parametrize("form", GUESSED)
def test_dates_are_days(form):
    zones = [datetime.timezone(datetime.timedelta(minutes=30 * i)) for i in range(-20, 20, 7)]
    dates = [
        datetime.datetime(
            1969 + i, 1 + i % 12, 1 + 5 * i % 28, i % 24, i, 0, 7919 * i, zones[i % 6]
        )
        for i in range(60)
    ]
    dataset = read(column([f'"{date.strftime(form)}"' for date in dates]))
    assert dataset.columns[0] == DateColumn("a", form, 1936 if "%y" in form else 0)
    written = [datetime.datetime.strptime(date.strftime(form), form) for date in dates]
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC if "%z" in form else None)
    expected = [(date - epoch) / datetime.timedelta(days=1) for date in written]
    np.testing.assert_allclose(dataset.X[:, 0], expected, rtol=0, atol=1e-9)
    assert any("days since the beginning of 1970: 'a'" in note for note in dataset.notes)


@pytest.mark.parametrize("form", CLOCKS)
def test_times_of_day_are_hours(form):
    days = [datetime.datetime(1970, 1, 1, i % 24, i, 59 - i, 7919 * i) for i in range(60)]
    written = [day.strftime(form) for day in days]
    dataset = read(column(written))
    assert dataset.columns[0] == DateColumn("a", form)
    read_back = [datetime.datetime.strptime(cell, form) for cell in written]
    since = [day - datetime.datetime(1900, 1, 1) for day in read_back]
    expected = [time / datetime.timedelta(hours=1) for time in since]
    np.testing.assert_allclose(dataset.X[:, 0], expected, rtol=0, atol=1e-12)
    assert any("hours since midnight: 'a'" in note for note in dataset.notes)


def test_noon_and_midnight_are_told_apart_however_they_are_written():
    cells = ["12:30 AM", "12:30pm", "1:05 p.m.", "11:59 Pm"]
    assert read(column(cells)).X[:, 0].tolist() == [0.5, 12.5, 13 + 5 / 60, 23 + 59 / 60]
    for wrong in ("13:00 PM", "0:30 AM", "11:60 AM"):
        dataset = read(column([*cells, wrong]))
        assert np.isnan(dataset.X[:, 0]).tolist() == [False] * 4 + [True]
        assert f"'a' has '{wrong}' in line 6." in dataset.notes[0]
    assert read(column(["24:00", "12:60", "12:30"] * 2)).feature_names[0] == "a=12:30"


@given(st.lists(st.dates(datetime.date(1000, 1, 1)), min_size=2, max_size=9), st.booleans())
def test_days_of_dates_are_the_calendar_s(dates, padded):
    cells = [date.isoformat() if padded else f"{date.day}.{date.month}.{date:%Y}" for date in dates]
    X = read(column(cells)).X
    assert X[:, 0].tolist() == [(date - datetime.date(1970, 1, 1)).days for date in dates]


def test_months_have_english_and_german_names_whole_and_short():
    cells = ["1. März 2024", "1. Mai 2024", "31. Dez. 2024", "29. FEBRUAR 2024", "30. Februar 2024"]
    dataset = read(column(cells))
    days = ["2024-03-01", "2024-05-01", "2024-12-31", "2024-02-29", "NaT"]
    expected = np.array(days, "datetime64[D]").astype(float)
    expected[-1] = np.nan  # which no February has
    np.testing.assert_array_equal(dataset.X[:, 0], expected)
    assert read(column(["Sept 3 2024", "May 31 2024"])).X[0, 0] == 19_969
    assert read(column(["March of 2024", "May be 2024"])).feature_names[0] == "a=March of 2024"


def test_days_of_parquet_and_of_csv_are_equal(tmp_path):
    when = pd.date_range("1969-12-25", periods=30)
    frame = pd.DataFrame({"when": when, "day": when.date, "y": list("ab") * 15})
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_csv(tmp_path / "t.csv", index=False)
    typed, text = (read_table(Source(str(tmp_path / f"t.{end}"))) for end in ("parquet", "csv"))
    np.testing.assert_array_equal(typed.X, text.X)
    assert typed.columns == text.columns
