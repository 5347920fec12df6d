"""CSV files in, datasets out, and one clear sentence for every file that is none.

The cells come as text from :mod:`treecore.data.readers.text`; what they mean is decided here,
column by column:

- a cell is a number when Python's ``float`` reads it. Where the separator is not a comma, a
  column may use a decimal comma instead;
- a feature with at least half of its cells numbers is numeric, and any other cell in it an
  error; with fewer it is text and becomes one feature of zeros and ones per category;
- a target of many different numbers is a quantity, any other one holds classes; the caller may
  say which of the two it is. Classes written with leading zeros are names: 007 is not 7;
- a missing number stays missing, a missing text belongs to no category, and a row whose target is
  missing is left out;
- nothing is repaired in silence: what was left out or named is told in the dataset's notes.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from treecore.data.dataset import Dataset, guess_image_shape
from treecore.data.readers.text import (
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
MAX_FRACTIONS, MAX_WHOLE = 20, 50
"""Different numbers of a target, fractions among them or all whole, that are taken for classes;
more look like a quantity."""
MAX_TARGET = 1e30
"""Numbers to be predicted that the core takes: their squares must not overflow."""
TASKS = ("classification", "regression")
MAX_VALUES = 50_000_000
"""Rows times features, 400 MB; one-hot encoding can blow up a small file."""


def read_csv(
    source, target=None, task=None, *, max_bytes=50_000_000, max_rows=1_000_000
) -> Dataset:
    """The dataset in a text file of separated values.

    The separator (comma, semicolon, tab or ``|``) is found from the first lines. A file whose
    first row reads like data has no header: its columns are x1, x2, ... and the last is "class".

    Parameters
    ----------
    source : path, bytes, or binary file object
        UTF-8, or UTF-16 with a byte order mark. A file object is read from its beginning.
    target : str or None
        The column to be predicted; None stands for the first of ``TARGET_NAMES`` among the
        columns, or the last column where there is none.
    task : str or None
        ``"classification"`` reads the target as classes, ``"regression"`` as numbers. None
        guesses, and a note says so where it guesses numbers.
    max_bytes, max_rows : int
        Greater files are refused.

    Raises
    ------
    TableError
        For every file that is not such a table, and whatever its bytes.
    """
    if task not in (None, *TASKS):
        raise ValueError(f"task={task!r} must be None or one of {', '.join(TASKS)}")
    return read_dataset(read_text_table(source, max_bytes, max_rows), target, task)


def read_dataset(table: TextTable, target=None, task=None) -> Dataset:
    """The dataset in a table of text; as :func:`read_csv`, which reads the text before."""
    target = _find_target(table, target)
    table = _drop_missing_targets(table, target)
    y, class_names, told = _encode_target(table, target, task)
    X, names, notes = _encode_features(table, target)
    constant = np.nanmin(X, axis=0) == np.nanmax(X, axis=0)  # (n_features,)
    notes = [*table.notes, *told, *notes]
    if constant.all():
        notes.append("Every feature has the same value in all rows: no split can divide them.")
    elif constant.any():
        left = [name for name, same in zip(names, constant, strict=True) if same]
        notes.append(f"The same value in all rows, and so of no use: {listed(left, 5)}.")
    # Indicators would pass for black and white pixels, so text rules out an image.
    has_text = not set(names) <= set(table.frame.columns)
    image_shape = None if has_text else guess_image_shape(X)
    return Dataset(table.name, X, y, names, class_names, image_shape, tuple(notes), target)


def read_columns(source, *, max_bytes=50_000_000, max_rows=1_000_000) -> tuple[str, ...]:
    """The names of the columns a target can be chosen from, as :func:`read_csv` reads them."""
    return tuple(read_text_table(source, max_bytes, max_rows).frame.columns)


def _find_target(table: TextTable, target: str | None) -> str:
    columns = list(table.frame.columns)
    if target is not None and not isinstance(target, str):
        raise TableError(
            "a table has one target here: choose a single column, or learn several numbers at "
            "once with ObliqueTreeRegressor"
        )
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


def _drop_missing_targets(table: TextTable, target: str) -> TextTable:
    cells = table.cells(target)
    missing = _missing(cells)
    if not missing.any():
        return table
    kept = np.flatnonzero(~missing)
    if kept.size < 2:
        raise TableError(
            f"the target {quoted(target)} has a value in {_rows(kept.size)} only: fill in more, "
            "or choose another column as the target"
        )
    note = f"Rows whose {quoted(target)} is missing were left out: {missing.sum()}."
    return dataclasses.replace(table, frame=table.frame.iloc[kept], notes=(*table.notes, note))


def _encode_features(
    table: TextTable, target: str
) -> tuple[np.ndarray, tuple[str, ...], list[str]]:
    """X of shape (n_rows, n_features), NaN where it is missing, the features' names, and notes."""
    blocks, names = [], []
    empty, holes = [], {"numbers": {}, "texts": {}}  # missing cells by column
    for column in table.frame.columns:
        if column == target:
            continue
        block, categories, n_missing = _encode_column(table, column)
        if n_missing == len(block):
            empty.append(column)
            continue
        if n_missing:
            holes["numbers" if categories is None else "texts"][column] = n_missing
        names += [column] if categories is None else [f"{column}={c}" for c in categories]
        blocks.append(block)
        if len(names) > MAX_FEATURES or len(names) * len(table.frame) > MAX_VALUES:
            raise TableError(
                f"up to column {quoted(column)} there are {len(names)} features for "
                f"{len(table.frame)} rows, categories counted one by one: remove columns or rows, "
                f"for at most {MAX_FEATURES} features and {MAX_VALUES / 1e6:g} million values"
            )
    if not blocks:
        raise TableError("no feature has a value in any row: fill some in, or add a feature")
    if twice := repeated(names):
        raise TableError(
            f"two columns become the same feature, {quoted(twice[0])}: rename one of them"
        )
    notes = []
    if empty:
        notes.append(f"Columns without any value were left out: {listed(empty, 5)}.")
    for what, fate in (
        ("numbers", "read as the mean of their column"),
        ("texts", "of no category"),
    ):
        if found := holes[what]:
            where = listed(list(found), 5)
            notes.append(f"Missing {what} are {fate}: {sum(found.values())}, in {where}.")
    return np.ascontiguousarray(np.column_stack(blocks)), tuple(names), notes


def _encode_column(table: TextTable, column: str) -> tuple[np.ndarray, np.ndarray | None, int]:
    """Values of shape (n_rows,); or indicators, (n_rows, n_categories), and the categories.

    Last comes how many cells are missing.
    """
    quick = _floats(table.frame[column].to_numpy(object))
    if quick is not None:
        _check_range(table, column, quick)
        return quick, None, 0
    cells = table.cells(column)
    missing = _missing(cells)
    known = np.flatnonzero(~missing)
    numbers = np.full(cells.size, np.nan)
    numbers[known] = read_numbers(cells[known], table.separator)
    odd = known[np.isnan(numbers[known])]
    if 2 * odd.size > known.size:
        categories, codes = np.unique(cells[known], return_inverse=True)
        if categories.size > MAX_CATEGORIES:
            raise TableError(
                f"column {quoted(column)} holds {categories.size} different texts, more than "
                f"{MAX_CATEGORIES}: remove it if it is an identifier or free text, or group them"
            )
        block = np.zeros((cells.size, categories.size))
        block[known, codes] = 1.0
        return block, categories, int(missing.sum())
    if odd.size:
        raise TableError(
            f"column {quoted(column)} holds numbers, but in line {table.line(odd[0])} the text "
            f"{quoted(cells[odd[0]])}{_and_more(odd.size)}: correct it or remove the row"
        )
    _check_range(table, column, numbers)
    return numbers, None, int(missing.sum())


def _encode_target(
    table: TextTable, target: str, task: str | None
) -> tuple[np.ndarray, tuple[str, ...], list[str]]:
    """Targets of shape (n_rows,), names of the classes in order, none for numbers, and notes."""
    cells = table.cells(target)
    numbers = read_numbers(cells, table.separator)
    odd = np.flatnonzero(np.isnan(numbers))
    numeric = not odd.size
    if task != "regression" and numeric and has_codes(cells):
        odd = np.arange(cells.size)
    if not odd.size:
        _check_range(table, target, numbers)
    distinct, y = np.unique(cells if odd.size else numbers, return_inverse=True)
    if distinct.size == 1:
        raise TableError(
            f"the target {quoted(target)} has the value {quoted(cells[0])} in all rows: choose "
            "another column as the target or add rows of another class or value"
        )
    # Most of many texts being numbers, the others are slips rather than names of classes.
    slips = distinct.size > MAX_CLASSES and 2 * odd.size <= cells.size
    if odd.size and (task == "regression" or (task is None and slips)):
        raise TableError(
            f"the target {quoted(target)} holds the text {quoted(cells[odd[0]])} in line "
            f"{table.line(odd[0])}{_and_more(odd.size)}, which is no number: correct it, or "
            "predict classes, or choose another column as the target"
        )
    told = []
    if task is None:
        task = "classification"
        # Beyond 2^53 every float is whole, and none is somebody's class.
        whole = not odd.size and all((distinct == np.rint(distinct)) & (abs(distinct) < 2**53))
        if not odd.size and distinct.size > (MAX_WHOLE if whole else MAX_FRACTIONS):
            task = "regression"
            told = [f"{quoted(target)} has {distinct.size} different numbers: it is a quantity."]
    if task == "regression":
        _check_range(table, target, numbers, MAX_TARGET, f"beyond {MAX_TARGET:g}")
        return numbers, (), told
    if distinct.size > MAX_CLASSES:
        instead = "choose" if not numeric else "predict it as a number, or choose"
        raise TableError(
            f"the target {quoted(target)} has {distinct.size} different values, more than "
            f"{MAX_CLASSES} classes, so it is a quantity or an identifier: {instead} another "
            "column as the target"
        )
    names = [str(value) if odd.size else _number_name(value) for value in distinct]
    return y.astype(np.int64), tuple(names), told


def has_codes(cells) -> bool:
    """Whether cells are codes rather than numbers: all of digits, and one begins as 007 does."""
    padded = any(len(cell) > 1 and cell[0] == "0" for cell in cells)
    return padded and all(cell.isdecimal() for cell in cells)


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


def _missing(cells: np.ndarray) -> np.ndarray:
    return np.array([cell.lower() in MISSING for cell in cells], dtype=bool)


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count} rows"


def _check_range(
    table: TextTable,
    column: str,
    values: np.ndarray,
    limit: float = float(np.finfo(np.float32).max),
    beyond: str = "beyond 3.4e38, the reach of float32",
) -> None:
    too_great = np.flatnonzero(np.abs(values) > limit)  # what is missing is not
    if too_great.size:
        row = too_great[0]
        fault = "is infinite" if np.isinf(values[row]) else f"is {beyond}"
        raise TableError(
            f"column {quoted(column)}: {quoted(table.cells(column)[row])} in line "
            f"{table.line(row)}{_and_more(too_great.size)} {fault}: correct or rescale the values"
        )


def _and_more(count: int) -> str:
    return f" (and {count - 1} more)" if count > 1 else ""
