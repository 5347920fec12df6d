"""Workbooks: a sheet of Excel or LibreOffice as the text table that its cells would make.

The cells have types, which the text keeps: numbers to the last digit, days and instants as ISO has
them, lengths of time as hours, blanks as blanks. Everything after that is the reader of text
tables (:mod:`treecore.data.readers.csv`): titles above the header, the header, kinds of columns.
"""

from __future__ import annotations

import csv
import datetime
import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from treecore.base.limits import LIBRARY, Limits
from treecore.data.readers.csv import CsvTable
from treecore.data.readers.settings import ReadingSettings
from treecore.data.readers.table import (
    TableError,
    check_height,
    check_unpacked,
    check_width,
    listed,
    quoted,
    shortened,
)

WORKBOOKS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
"""Endings of the names of workbooks."""

_BREAKS = re.compile(r"\s*[\t\r\n]\s*")


class SheetTable(CsvTable):
    """The table in one sheet of a workbook.

    sheet: the name of a sheet; empty: the first one that may hold a table; limits, reading,
    to_learn: as for :class:`treecore.data.readers.csv.CsvTable`. Raises TableError where it is no
    workbook, has no such sheet, or the sheet holds no table.
    """

    def __init__(
        self,
        path: Path,
        sheet: str = "",
        limits: Limits = LIBRARY,
        reading: ReadingSettings | None = None,
        *,
        to_learn: bool = True,
    ):
        with _opened(path, limits) as book:
            names = _names(book)
            if sheet and sheet not in names:
                raise TableError(
                    f"{path.name} has no sheet {quoted(sheet)}: choose one of {listed(names, 10)}"
                )
            read = sheet or _usual_sheet(book, names)
            cells = book.get_sheet_by_name(read)
            if not cells.height:
                raise TableError(
                    f"the sheet {quoted(read)} of {path.name} has no cells: choose one with a "
                    "header and rows of values"
                )
            text = _as_text(cells, limits)
        super().__init__(text, limits, reading, to_learn=to_learn)
        self.name = path.stem
        if not sheet and len(names) > 1:
            others = listed([name for name in names if name != read], 5)
            note = f"The sheet {quoted(read)} was read; the workbook has others: {others}."
            self.notes.insert(0, note)


def sheet_names(path: Path, limits: Limits = LIBRARY) -> tuple[str, ...]:
    """The names of the sheets of a workbook, in its order.

    Raises TableError where it cannot be read.
    """
    with _opened(path, limits) as book:
        return _names(book)


@contextmanager
def _opened(path: Path, limits: Limits) -> Iterator[Any]:
    """The workbook; whatever goes wrong while it is open becomes one sentence."""
    try:
        from python_calamine import CalamineError, CalamineWorkbook, PasswordError
    except ImportError:
        raise TableError(
            f"{path.name} is a workbook, and python-calamine reads it: pip install "
            "python-calamine, or save the sheet as CSV"
        ) from None
    with suppress(zipfile.BadZipFile, OSError), zipfile.ZipFile(path) as archive:
        check_unpacked(path.name, sum(part.file_size for part in archive.infolist()), limits)
    try:
        with CalamineWorkbook.from_path(path) as book:
            yield book
    except PasswordError:
        raise TableError(f"{path.name} is locked by a password: save it without one") from None
    except TableError:
        raise
    except (CalamineError, ArithmeticError, ValueError, OSError) as error:  # no date is so far
        raise TableError(
            f"{path.name} is not a readable workbook ({shortened(error)}): save it again, or "
            "save the sheet as CSV"
        ) from error


def _names(book: Any) -> tuple[str, ...]:
    from python_calamine import SheetTypeEnum

    return tuple(s.name for s in book.sheets_metadata if s.typ == SheetTypeEnum.WorkSheet)


def _usual_sheet(book: Any, names: Sequence[str]) -> str:
    """The first sheet of two rows and two columns at least; else the first one with any cells."""
    sizes = {}
    for name in names:
        sheet = book.get_sheet_by_name(name)
        sizes[name] = min(sheet.height, sheet.width)
        if sizes[name] > 1:
            return name
    return max(sizes, key=sizes.__getitem__)


def _as_text(sheet: Any, limits: Limits) -> bytes:
    """The cells of a sheet, separated by tabs; a row that is blank is a blank line.

    So the number of a line is that of the row.
    """
    above, left = sheet.start
    check_height(sheet.height, limits, to_learn=False)
    check_width(sheet.width, limits)
    rows = sheet.to_python()
    for (top, first), (bottom, _) in sheet.merged_cell_ranges or ():
        for row in rows[top + 1 - above : bottom + 1 - above]:  # whose cells it belongs to as well
            row[first - left] = rows[top - above][first - left]
    columns = [_column(cells) for cells in zip(*rows, strict=True)]
    columns = [cells for cells in columns if any(cells)]
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    text.write("\n" * above)
    for row in zip(*columns, strict=True):
        writer.writerow(row if any(row) else ())
    return text.getvalue().rstrip("\n").encode() + b"\n"


def _column(cells: Sequence[Any]) -> list[str]:
    """The cells of a column as text: all of its days as instants where one of them is."""
    has_instants = any(isinstance(cell, datetime.datetime) for cell in cells)
    return [_cell(cell, has_instants) for cell in cells]


def _cell(cell: Any, as_instant: bool) -> str:
    if isinstance(cell, str):
        return _BREAKS.sub(" ", cell.strip())
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 2**53 else repr(cell)
    if isinstance(cell, datetime.timedelta):
        return repr(cell / datetime.timedelta(hours=1))
    if isinstance(cell, datetime.datetime) or (as_instant and isinstance(cell, datetime.date)):
        return f"{cell:%Y-%m-%d %H:%M:%S}"
    return str(cell)
