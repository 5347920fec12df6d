"""Workbooks: typed cells become the text that a CSV file of the same table has."""

import datetime as dt
import sys
from dataclasses import replace

import numpy as np
import openpyxl
import pytest

from treecore.base.limits import LIBRARY
from treecore.data.readers.table import TableError
from treecore.data.readers.workbook import SheetTable, sheet_names
from treecore.data.sources import Source, open_table, read_table

NOON = dt.datetime(2024, 1, 6, 12)

ROWS = [
    ["when", "started", "open", "long", "ok", "share", "code\nof it", "class"],
    [
        dt.date(2024, 1, 5),
        dt.datetime(2024, 1, 5),
        dt.time(8),
        dt.timedelta(hours=30),
        True,
        0.1,
        1,
    ],
    [dt.date(2024, 1, 6), NOON, dt.time(9, 30), dt.timedelta(hours=1.5), False, 1e-9, 2],
    [dt.date(2024, 2, 1), NOON, None, None, True, 12345.6789012345, 2],
    [dt.date(2024, 1, 5), NOON, dt.time(10), dt.timedelta(hours=2), False, 2**40 + 0.5, 1],
]
for row, name in zip(ROWS[1:], ["u\tv", "w", "u\tv", "w"], strict=True):
    row.append(name)


@pytest.fixture
def book(tmp_path):
    def save(*sheets, first=(1, 1), merged=()):
        book = openpyxl.Workbook()
        book.remove(book.active)
        for number, rows in enumerate(sheets, 1):
            sheet = book.create_sheet(f"Sheet{number}")
            for i, row in enumerate(rows):
                for j, cell in enumerate(row):
                    sheet.cell(first[0] + i, first[1] + j, cell)
            for cells in merged:
                sheet.merge_cells(cells)
        path = tmp_path / "table.xlsx"
        book.save(path)
        return path

    return save


@pytest.mark.parametrize("first", [(1, 1), (4, 3)])
def test_cells_keep_their_types(book, first):
    table = read_table(Source(str(book(ROWS, first=first))))
    assert table.feature_names == (
        *("when", "started", "open", "long", "ok=False", "ok=True", "share", "code of it"),
    )
    assert table.class_names == ("u v", "w")
    day = dt.date(2024, 1, 5).toordinal() - dt.date(1970, 1, 1).toordinal()
    expected = {
        "when": [day, day + 1, day + 27, day],
        "started": [day, day + 1.5, day + 1.5, day + 1.5],
        "open": [8, 9.5, np.nan, 10],
        "long": [30, 1.5, np.nan, 2],
        "ok=True": [1, 0, 1, 0],
        "share": [0.1, 1e-9, 12345.6789012345, 2**40 + 0.5],
        "code of it": [1, 2, 2, 1],
    }
    for name, values in expected.items():
        np.testing.assert_array_equal(table.X[:, table.feature_names.index(name)], values, name)


def test_lines_that_are_told_are_rows_of_the_sheet(book):
    rows = [["a", "class"], [1, "u"], [], [None, None], *([i, "uv"[i % 2]] for i in range(40))]
    rows[20][0] = "red"
    (note,) = [n for n in read_table(Source(str(book(rows, first=(3, 2))))).notes if "red" in n]
    assert "line 23" in note


def test_cells_merged_over_rows_belong_to_each_of_them(book):
    rows = [["group", "n", "class"], ["p", 1, "u"], [None, 2, "v"], ["q", 3, "u"], [None, 4, "v"]]
    table = read_table(Source(str(book(rows, merged=("A2:A3", "A4:A5")))))
    np.testing.assert_array_equal(table.X[:, :2], [[1, 0], [1, 0], [0, 1], [0, 1]])


def test_the_first_sheet_with_a_table_is_read_and_another_can_be_named(book):
    other = [["b", "class"], [1, "u"], [2, "v"]]
    path = book([["About these rows"]], ROWS, other)
    assert sheet_names(path) == ("Sheet1", "Sheet2", "Sheet3")
    usual = open_table(Source(str(path)))
    assert usual.columns == tuple(" ".join(name.split()) for name in ROWS[0])
    assert usual.notes == [
        "The sheet 'Sheet2' was read; the workbook has others: 'Sheet1', 'Sheet3'."
    ]
    assert open_table(Source(f"{path}#Sheet3")).columns == ("b", "class")
    with pytest.raises(TableError, match="no sheet 'Sheet4': choose one of 'Sheet1', 'Sheet2'"):
        open_table(Source(f"{path}#Sheet4"))
    with pytest.raises(TableError, match="single column"):
        read_table(Source(f"{path}#Sheet1"))


@pytest.mark.parametrize("content", [b"", b"PK\3\4 and no more", b"\xd0\xcf\x11\xe0" + bytes(600)])
def test_a_damaged_workbook_gets_one_sentence(tmp_path, content):
    path = tmp_path / "table.xlsx"
    path.write_bytes(content)
    with pytest.raises(TableError, match=r"table.xlsx is not a readable workbook"):
        read_table(Source(str(path)))


def test_blank_and_large_workbooks_are_refused(book):
    with pytest.raises(TableError, match=r"'Sheet1' of table.xlsx has no cells"):
        read_table(Source(str(book([]))))
    with pytest.raises(TableError, match="unpacks to"):
        SheetTable(book(ROWS), limits=replace(LIBRARY, n_unpacked=100))
    with pytest.raises(TableError, match="more than 3 rows"):
        SheetTable(book(ROWS), limits=replace(LIBRARY, n_rows=3))


def test_without_its_reader_a_workbook_gets_one_sentence(book, monkeypatch):
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(TableError, match="pip install python-calamine, or save the sheet as CSV"):
        read_table(Source(str(book(ROWS))))
