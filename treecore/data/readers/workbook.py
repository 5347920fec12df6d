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
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from treecore.base.limits import LIBRARY, Limits
from treecore.data.readers.csv import CsvTable
from treecore.data.readers.table import (
    TableError,
    check_height,
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

    Parameters
    ----------
    path : Path
    sheet : str
        The name of a sheet; empty: the first one that has cells.
    limits, **how
        As for :class:`treecore.data.readers.csv.CsvTable`.

    Attributes
    ----------
    sheets : tuple of str
        The names of all, in the order of the workbook.

    Raises
    ------
    TableError
        Where it is no workbook, has no such sheet, or the sheet holds no table.
    """

    def __init__(self, path: Path, sheet: str = "", limits: Limits = LIBRARY, **how: Any):
        self.sheets, name, text = _read_sheet(path, sheet, limits)
        super().__init__(text, limits, **how)
        self.name = path.stem
        if not sheet and len(self.sheets) > 1:
            others = listed([other for other in self.sheets if other != name], 5)
            note = f"The sheet {quoted(name)} was read; the workbook has others: {others}."
            self.notes.insert(0, note)


def _read_sheet(path: Path, sheet: str, limits: Limits) -> tuple[tuple[str, ...], str, bytes]:
    """The names of all sheets, that of the one that is read, and its cells as text."""
    try:
        from python_calamine import CalamineWorkbook, PasswordError, SheetTypeEnum
    except ImportError:
        raise TableError(
            f"{path.name} is a workbook, which python-calamine reads: install it by "
            "pip install python-calamine, or save the sheet as CSV"
        ) from None
    _check_unpacked(path, limits)
    try:
        with CalamineWorkbook.from_path(path) as book:
            found = [s for s in book.sheets_metadata if s.typ == SheetTypeEnum.WorkSheet]
            names = tuple(one.name for one in found)
            if sheet and sheet not in names:
                raise TableError(
                    f"{path.name} has no sheet {quoted(sheet)}: choose one of {listed(names, 10)}"
                )
            for name in [sheet] if sheet else names:
                cells = book.get_sheet_by_name(name)
                if cells.height:
                    return names, name, _as_text(cells, limits)
    except PasswordError:
        raise TableError(f"{path.name} is locked by a password: save it without one") from None
    except TableError:
        raise
    except Exception as error:  # one of calamine's own, or what a damaged file causes
        raise TableError(
            f"{path.name} is no workbook that can be read ({shortened(error)}): save it anew, or "
            "save the sheet as CSV"
        ) from error
    where = f"the sheet {quoted(sheet)} of {path.name}" if sheet else path.name
    raise TableError(f"{where} has no cells: choose one with a header and rows of values")


def _check_unpacked(path: Path, limits: Limits) -> None:
    """Refuse a packed workbook whose parts are too large."""
    with suppress(zipfile.BadZipFile, OSError), zipfile.ZipFile(path) as archive:
        n_bytes = sum(part.file_size for part in archive.infolist())
        if n_bytes > limits.n_unpacked:
            raise TableError(
                f"{path.name} unpacks to {n_bytes / 1e6:.0f} MB, more than "
                f"{limits.n_unpacked / 1e6:g}: keep a random part of its rows"
            )


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
