"""A whole table as a dataset: all of its rows in one matrix, and what is to be told of them.

The columns are written as they come, some beside one another, and every one is looked over while
it is at hand: 200,000 rows of 50 columns are read in 1.4 times the memory of their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from treecore.data.dataset import Dataset, guess_image_shape
from treecore.data.readers.cells import check_range
from treecore.data.readers.columns import CategoryColumn, Column, DateColumn, NumberColumn
from treecore.data.readers.dates import kind_of
from treecore.data.readers.encoding import EncodedTable
from treecore.data.readers.ranges import ColumnReport, NumberRange
from treecore.data.readers.table import Table, few, listed, quoted
from treecore.data.readers.targets import Target

TILE_ROWS = 4096
"""Rows of the matrix to which columns are written in turn: they stay in the cache meanwhile."""

FEW = 20
"""Rows below which every class may well have a single one."""


def read_dataset(
    table: Table,
    target: str | None = None,
    task: str | None = None,
    unusable: str = "refuse",
) -> Dataset:
    """The dataset in a table: all blocks of it."""
    return joined(EncodedTable(table, target, task, unusable))


class Features(NamedTuple):
    """The features that a frame becomes, and how.

    - X: float64 (n_rows, n_features), NaN where a value is missing.
    - columns: how to encode later rows in the same way: see
      :func:`treecore.persistence.column_alignment.encode_table`.
    - notes: what was left out or read as missing, a sentence each.
    """

    X: np.ndarray
    columns: tuple[Column, ...]
    feature_names: tuple[str, ...]
    notes: tuple[str, ...]


def encode_features(table: Table) -> Features:
    """Return the features of a table without a target, such as the frame of an estimator's ``fit``.

    table: for a frame: :func:`treecore.data.readers.parquet.read_frame`. Raises TableError where a
    column is neither numbers, dates nor categories.
    """
    found = EncodedTable(table, only_features=True)
    X = np.empty((found.n_rows, len(found.feature_names)))
    _fill(found, X, None)
    lost = [found.malformed_note] if found.malformed else []
    if found.empty:
        lost.append(f"Columns without any value were left out: {listed(found.empty, 5)}.")
    return Features(X, tuple(found.features), found.feature_names, (*table.notes, *lost))


def joined(found: EncodedTable) -> Dataset:
    """The dataset of all blocks of a table that has been looked over."""
    table = found.table
    X = np.empty((found.n_rows, len(found.feature_names)))
    y = np.empty(found.n_rows, np.int64 if found.target.class_names else np.float64)
    ranges = _fill(found, X, y)
    found.name_days(X)
    # Indicators would pass for black and white pixels, so text rules out an image.
    image_shape = None if found.no_category else guess_image_shape(X)
    return Dataset(
        table.name,
        X,
        y,
        found.feature_names,
        found.target.class_names,
        image_shape,
        (*table.notes, *_notes(found, ranges, y)),
        found.target.name,
        found.columns,
        table.reading,
        (_target_report(found, y), *found.reports),
    )


def _target_report(found: EncodedTable, y: np.ndarray) -> ColumnReport:
    """What the target holds and why."""
    target, n_missing = found.target, found.n_missing
    if target.class_names:
        n, nan = len(target.class_names), np.nan
        return ColumnReport(target.name, "words", n_missing, n, nan, nan, "", "", target.reason)
    kind = kind_of(target.date_form) if target.date_form else "numbers"
    low, high = float(y.min()), float(y.max())
    return ColumnReport(target.name, kind, n_missing, 0, low, high, "", target.unit, target.reason)


def _fill(found: EncodedTable, X: np.ndarray, y: np.ndarray | None) -> list[NumberRange]:
    """Write all rows that have a target, in the order of the table, for the last time.

    X: float64 (n_rows, n_features); y: (n_rows,) or None, Int64 for classes, float64 for numbers.
    Returns of every feature.
    """
    ranges = [NumberRange() for _name in found.feature_names]
    target, place = found.target, 0
    groups = list(found.groups(found.features))
    for features in groups:
        names = [feature.name for feature in features]
        start, is_last = 0, features is groups[-1]
        wanted = [*names, target.name] if is_last and y is not None else names
        for batch, rows in found.labelled(wanted, last=is_last):
            columns: list[np.ndarray] = []
            for feature in features:
                for values in feature.encode(batch.column(feature.name)).T:
                    one = ranges[place + len(columns)]
                    one.add(values, rows)  # in the type it has, before it is widened
                    if one.is_too_great:
                        check_range(found.table, feature.name, values, rows)
                    columns.append(values)
            for first in range(0, len(rows), TILE_ROWS):
                for j, values in enumerate(columns, place):
                    part = values[first : first + TILE_ROWS]
                    X[start + first : start + first + len(part), j] = part
            if is_last and y is not None:
                y[start : start + len(rows)] = target.encode(batch.column(target.name), rows)
            start += len(rows)
        place += sum(len(feature.feature_names) for feature in features)
    found.add_ranges(
        {
            feature.name: ranges[found.feature_names.index(feature.name)]
            for feature in found.features
            if not isinstance(feature, CategoryColumn)
        }
    )
    return ranges


def _notes(found: EncodedTable, ranges: list[NumberRange], y: np.ndarray | None) -> Iterator[str]:
    """What was left out, guessed or is of no use."""
    target = quoted(found.target.name)
    if found.n_missing:
        yield f"Rows whose {target} is missing were left out: {found.n_missing}."
    if y is not None:
        yield from target_notes(found.target)
    if y is not None and found.target.guessed_quantity:
        yield f"{target} has {np.unique(y).size} different numbers: it is a quantity."
    if y is not None and found.target.class_names and y.size >= FEW:
        single = int((np.bincount(y) == 1).sum())
        if single > y.size / 2:
            yield (
                f"{target} has {single} classes of one row each, too few to learn from: is it a "
                "number or a name of the row?"
            )
    yield from column_notes(found)
    rounded = [n for n, one in zip(found.feature_names, ranges, strict=True) if one.is_rounded]
    rounded += found.rounded + [found.target.name] * found.target.is_rounded
    if rounded:
        yield (
            "Whole numbers beyond 2^53 keep only their first 15 digits: "
            f"{listed(list(dict.fromkeys(rounded)), 5)}."
        )
    merged = [n for n, one in zip(found.feature_names, ranges, strict=True) if one.is_merged]
    if merged:
        yield (
            "Numbers are kept to 7 digits, which makes different ones equal in "
            f"{listed(merged, 5)}: subtract the smallest value of a column, or choose another "
            "unit."
        )
    counts = {n: one.n_missing for n, one in zip(found.feature_names, ranges, strict=True)}
    for holes, fate in (
        (counts, "numbers go to one side, or count as the mean"),
        (found.no_category, "texts belong to no category"),
    ):
        if where := [name for name, count in holes.items() if count]:
            total = sum(holes.values())
            yield f"Missing {fate}: {total}, in {listed(where, 5)}."
    same = [n for n, one in zip(found.feature_names, ranges, strict=True) if one.low == one.high]
    if len(same) == len(ranges):
        yield "Every feature has the same value in all rows: no split can divide them."
    elif same:
        yield f"Columns with the same value in all rows do not help: {listed(same, 5)}."


def target_notes(target: Target) -> Iterator[str]:
    """How the target was read where that is no matter of course."""
    name = quoted(target.name)
    if target.kept_names:
        kept = listed(target.kept_names, 3)
        yield f"Read as a class of {name}, because so many rows have it: {kept}."
    if target.date_form:
        unit = "days since the beginning of 1970"
        if kind_of(target.date_form) == "times":
            unit = "hours since midnight"
        yield f"{name} is predicted in {unit}; {target.reason}."


def column_notes(found: EncodedTable) -> Iterator[str]:
    """Which columns were left out, and how others were read where that is no matter of course."""
    if found.left_out:
        why = [f"{quoted(name)} {reason}" for name, reason in found.left_out.items()]
        yield f"Columns were left out: {few(why, 5)}."
    if found.malformed:
        yield found.malformed_note
    if found.alike_words:
        yield f"Words differ in upper and lower case only: {few(found.alike_words, 5)}."
    units = {f.name: f.form.unit for f in found.features if isinstance(f, NumberColumn)}
    if measured := [f"{quoted(name)} in {unit}" for name, unit in units.items() if unit]:
        yield f"Units were taken off the numbers: {few(measured, 5)}."
    forms = {f.name: kind_of(f.form) for f in found.features if isinstance(f, DateColumn)}
    if dates := [name for name, kind in forms.items() if kind == "dates"]:
        yield f"Dates are read as days since the beginning of 1970: {listed(dates, 5)}."
    if times := [name for name, kind in forms.items() if kind == "times"]:
        yield f"Times of day are read as hours since midnight: {listed(times, 5)}."
    if found.empty:
        yield f"Columns without any value were left out: {listed(found.empty, 5)}."
