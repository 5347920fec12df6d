"""CSV files in, datasets out, and one clear sentence for every file that is none.

The cells come as text from :mod:`treecore.text_tables`; what they mean is decided here, column
by column:

- a cell is a number when Python's ``float`` reads it. Where the separator is not a comma, a
  column may use a decimal comma instead;
- a feature with at least half of its cells numbers is numeric, and any other cell in it an
  error; with fewer it is text and becomes one feature of zeros and ones per category;
- nothing is repaired in silence: what was left out or named is told in the dataset's notes.
"""

from __future__ import annotations

import numpy as np

from treecore.datasets import Dataset, guess_image_shape
from treecore.text_tables import (
    MAX_FEATURES,
    MISSING,
    TableError,
    TextTable,
    listed,
    quoted,
    read_numbers,
    read_text_table,
    repeated,
)

TARGET_NAMES = ("class", "target", "label", "y", "species", "classes", "labels", "outcome")
"""Names, in any case, by which the target is found when none is given; earlier ones win."""

MAX_CATEGORIES = 50
MAX_CLASSES = 200
MAX_FRACTIONS = 20
"""Distinct values of a target that are not whole numbers; more look like a regression's."""
MAX_VALUES = 50_000_000
"""Rows times features, 400 MB; one-hot encoding can blow up a small file."""


def read_csv(source, target=None, *, max_bytes=50_000_000, max_rows=1_000_000) -> Dataset:
    """The dataset in a text file of separated values.

    The separator (comma, semicolon, tab or ``|``) is found from the first lines. A file whose
    first row reads like data has no header: its columns are x1, x2, ... and the last is "class".

    Parameters
    ----------
    source : path, bytes, or binary file object
        UTF-8, or UTF-16 with a byte order mark. A file object is read from its beginning.
    target : str or None
        The column of the classes; None stands for the first of ``TARGET_NAMES`` among the
        columns, or the last column where there is none.
    max_bytes, max_rows : int
        Greater files are refused.

    Raises
    ------
    TableError
        For every file that is not such a table, and whatever its bytes.
    """
    table = read_text_table(source, max_bytes, max_rows)
    target = _find_target(table, target)
    X, names, has_text = _encode_features(table, target)
    y, class_names = _encode_target(table, target)
    constant = np.ptp(X, axis=0) == 0  # (n_features,)
    if constant.all():
        raise TableError(
            "every feature has one and the same value in all rows: add one that varies"
        )
    notes = table.notes
    if constant.any():
        left = [name for name, same in zip(names, constant, strict=True) if same]
        notes += (f"The same value in all rows, and so of no use: {listed(left, 5)}.",)
    # Indicators would pass for black and white pixels, so text rules out an image.
    image_shape = None if has_text else guess_image_shape(X)
    return Dataset(table.name, X, y, names, class_names, image_shape, notes)


def read_columns(source, *, max_bytes=50_000_000, max_rows=1_000_000) -> tuple[str, ...]:
    """The names of the columns a target can be chosen from, as :func:`read_csv` reads them."""
    return tuple(read_text_table(source, max_bytes, max_rows).frame.columns)


def _find_target(table: TextTable, target: str | None) -> str:
    columns = list(table.frame.columns)
    if len(columns) < 2:
        raise TableError("the file has a single column of values: add a feature or a target")
    if target is None:
        by_lower = {name.lower(): name for name in reversed(columns)}
        return next((by_lower[name] for name in TARGET_NAMES if name in by_lower), columns[-1])
    if target not in columns:
        raise TableError(
            f"there is no column {quoted(target)}: choose one of {listed(columns, 20)}"
        )
    return target


def _encode_features(table: TextTable, target: str) -> tuple[np.ndarray, tuple[str, ...], bool]:
    """X of shape (n_rows, n_features), the features' names, and whether some come from text."""
    blocks, names, has_text = [], [], False
    for column in table.frame.columns:
        if column == target:
            continue
        block, categories = _encode_column(table, column)
        has_text |= categories is not None
        names += [column] if categories is None else [f"{column}={c}" for c in categories]
        blocks.append(block)
        if len(names) > MAX_FEATURES or len(names) * len(table.frame) > MAX_VALUES:
            raise TableError(
                f"up to column {quoted(column)} there are {len(names)} features for "
                f"{len(table.frame)} rows, categories counted one by one: remove columns or rows, "
                f"for at most {MAX_FEATURES} features and {MAX_VALUES / 1e6:g} million values"
            )
    if twice := repeated(names):
        raise TableError(
            f"two columns become the same feature, {quoted(twice[0])}: rename one of them"
        )
    return np.ascontiguousarray(np.column_stack(blocks)), tuple(names), has_text


def _encode_column(table: TextTable, column: str) -> tuple[np.ndarray, np.ndarray | None]:
    """Values of shape (n_rows,); or indicators, (n_rows, n_categories), and the categories."""
    quick = _floats(table.frame[column].to_numpy(object))
    if quick is not None:
        _check_range(table, column, quick)
        return quick, None
    cells = table.cells(column)
    _check_missing(table, column, cells)
    numbers = read_numbers(cells, table.separator)
    odd = np.flatnonzero(np.isnan(numbers))
    if 2 * odd.size > cells.size:
        categories, codes = np.unique(cells, return_inverse=True)
        if categories.size > MAX_CATEGORIES:
            raise TableError(
                f"column {quoted(column)} holds {categories.size} different texts, more than "
                f"{MAX_CATEGORIES}: remove it if it is an identifier or free text, or group them"
            )
        return (codes[:, None] == np.arange(categories.size)).astype(np.float64), categories
    if odd.size:
        raise TableError(
            f"column {quoted(column)} holds numbers, but in line {table.line(odd[0])} the text "
            f"{quoted(cells[odd[0]])}{_and_more(odd.size)}: correct it or remove the row"
        )
    _check_range(table, column, numbers)
    return numbers, None


def _encode_target(table: TextTable, target: str) -> tuple[np.ndarray, tuple[str, ...]]:
    """The class of every row, int64 of shape (n_rows,), and the names of the classes in order."""
    cells = table.cells(target)
    _check_missing(table, target, cells)
    numbers = read_numbers(cells, table.separator)
    numeric = not np.isnan(numbers).any()
    if numeric:
        _check_range(table, target, numbers)
    classes, y = np.unique(numbers if numeric else cells, return_inverse=True)
    whole = not numeric or (classes == np.rint(classes)).all()
    if classes.size > MAX_CLASSES or (not whole and classes.size > MAX_FRACTIONS):
        raise TableError(
            f"the target {quoted(target)} has {classes.size} different values, so it is a "
            "quantity or an identifier: choose another column as the target"
        )
    if classes.size == 1:
        raise TableError(
            f"the target {quoted(target)} has the value {quoted(cells[0])} in all rows: choose "
            "another column as the target or add rows of another class"
        )
    names = [_number_name(value) if numeric else value for value in classes]
    return y.astype(np.int64), tuple(names)


def _number_name(value: float) -> str:
    return str(int(value)) if value == np.rint(value) and abs(value) < 2**53 else repr(float(value))


def _floats(cells: np.ndarray) -> np.ndarray | None:
    """A column of nothing but numbers, shape (n_rows,), and None for any other."""
    try:
        values = cells.astype(np.float64)
    except ValueError:
        return None
    # float also reads "nan", and "1_000" as Python's sources do.
    return None if np.isnan(values).any() or "_" in "".join(cells) else values


def _check_missing(table: TextTable, column: str, cells: np.ndarray) -> None:
    missing = [row for row, cell in enumerate(cells) if cell.lower() in MISSING]
    if missing:
        what = "missing value" if len(missing) == 1 else "missing values, the first"
        raise TableError(
            f"column {quoted(column)} has {len(missing)} {what} in line {table.line(missing[0])}: "
            "fill in a value, or remove the row or the column"
        )


def _check_range(table: TextTable, column: str, values: np.ndarray) -> None:
    too_great = np.flatnonzero(np.abs(values) > np.finfo(np.float32).max)
    if too_great.size:
        row = too_great[0]
        fault = "is infinite" if np.isinf(values[row]) else "is beyond 3.4e38, the reach of float32"
        raise TableError(
            f"column {quoted(column)}: {quoted(table.cells(column)[row])} in line "
            f"{table.line(row)}{_and_more(too_great.size)} {fault}: correct or rescale the values"
        )


def _and_more(count: int) -> str:
    return f" (and {count - 1} more)" if count > 1 else ""
