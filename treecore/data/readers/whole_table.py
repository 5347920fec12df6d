"""A whole table as a dataset, and what is to be told of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from treecore.data.dataset import Dataset, guess_image_shape
from treecore.data.readers.columns import Column, ColumnReport, DateColumn, NumberColumn
from treecore.data.readers.dates import kind_of
from treecore.data.readers.encoding import EncodedTable, malformed_note
from treecore.data.readers.table import Table, few, listed, quoted
from treecore.data.readers.targets import Target
from treecore.data.validation import coarse_columns, far_columns

FEW = 20
"""Rows below which every class may well have a single one."""


def read_dataset(
    table: Table,
    target: str | None = None,
    task: str | None = None,
    unusable: str = "refuse",
) -> Dataset:
    """The dataset in a table; arguments as for :class:`.encoding.EncodedTable`."""
    found = EncodedTable(table, target, task, unusable)
    # Indicators would pass for black and white pixels, so text rules out an image.
    image_shape = None if found.no_category else guess_image_shape(found.X)
    return Dataset(
        table.name,
        found.X,
        found.y,
        found.feature_names,
        found.target.class_names,
        image_shape,
        (*table.notes, *_notes(found)),
        found.target.name,
        found.columns,
        table.reading,
        (_target_report(found), *found.reports),
    )


class Features(NamedTuple):
    """The features that a frame becomes, and how.

    - X: float64 (n_rows, n_features), NaN where a value is missing.
    - columns: how to encode later rows in the same way: see
      :func:`treecore.persistence.written_columns.encode_table`.
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
    notes = [malformed_note(table, found.malformed)] if found.malformed else []
    if found.empty:
        notes.append(f"Columns without any value were left out: {listed(found.empty, 5)}.")
    return Features(found.X, tuple(found.features), found.feature_names, (*table.notes, *notes))


def _target_report(found: EncodedTable) -> ColumnReport:
    """What the target holds and why."""
    target, n_missing = found.target, found.n_unlabelled
    if target.class_names:
        n = len(target.class_names)
        return ColumnReport(target.name, "words", n_missing, n, reason=target.reason)
    kind = kind_of(target.date_form) if target.date_form else "numbers"
    low, high = float(found.y.min()), float(found.y.max())
    return ColumnReport(target.name, kind, n_missing, 0, low, high, "", target.unit, target.reason)


def _notes(found: EncodedTable) -> Iterator[str]:
    """What was left out, guessed or is of no use."""
    target, names, y = quoted(found.target.name), found.feature_names, found.y
    if found.n_unlabelled:
        yield f"Rows whose {target} is missing were left out: {found.n_unlabelled}."
    yield from _target_notes(found.target)
    if found.target.guessed_quantity:
        yield f"{target} has {np.unique(y).size} different numbers: it is a quantity."
    if found.target.class_names and y.size >= FEW:
        single = int((np.bincount(y) == 1).sum())
        if single > y.size / 2:
            yield (
                f"{target} has {single} classes of one row each, too few to learn from: is it a "
                "number or a name of the row?"
            )
    yield from _column_notes(found)
    if found.rounded:
        yield (
            "Whole numbers beyond 2^53 keep only their first 15 digits: "
            f"{listed(found.rounded, 5)}."
        )
    if merged := [names[j] for j, _ in coarse_columns(found.X)]:
        yield (
            "Numbers are kept to 7 digits, which makes different ones equal in "
            f"{listed(merged, 5)}: subtract the smallest value of a column, or choose another "
            "unit."
        )
    if far := [names[j] for j in far_columns(found.X)]:
        yield (
            f"A few values are so far away that methods which scale features see all others as "
            f"equal, in {listed(far, 5)}: correct them, leave their rows out, or take logarithms."
        )
    counts = dict(zip(names, found.n_missing.tolist(), strict=True))
    for holes, fate in (
        (counts, "numbers go to one side, or count as the mean"),
        (found.no_category, "texts belong to no category"),
    ):
        if where := [name for name, count in holes.items() if count]:
            total = sum(holes.values())
            yield f"Missing {fate}: {total}, in {listed(where, 5)}."
    same = [name for name, is_same in zip(names, found.low == found.high, strict=True) if is_same]
    if len(same) == len(names):
        yield "Every feature has the same value in all rows: no split can divide them."
    elif same:
        yield f"Columns with the same value in all rows do not help: {listed(same, 5)}."


def _target_notes(target: Target) -> Iterator[str]:
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


def _column_notes(found: EncodedTable) -> Iterator[str]:
    """Which columns were left out, and how others were read where that is no matter of course."""
    if found.left_out:
        why = [f"{quoted(name)} {reason}" for name, reason in found.left_out.items()]
        yield f"Columns were left out: {few(why)}."
    if found.malformed:
        yield malformed_note(found.table, found.malformed)
    if len(found.malformed) > 1 and not any(one.first[0] for one in found.malformed.values()):
        yield "The first row below the header has text there: delete it if it gives units."
    if found.alike_words:
        yield f"Words differ in upper and lower case only: {few(found.alike_words)}."
    units = {f.name: f.form.unit for f in found.features if isinstance(f, NumberColumn)}
    if measured := [f"{quoted(name)} in {unit}" for name, unit in units.items() if unit]:
        yield f"Units were taken off the numbers: {few(measured)}."
    forms = {f.name: kind_of(f.form) for f in found.features if isinstance(f, DateColumn)}
    if dates := [name for name, kind in forms.items() if kind == "dates"]:
        yield f"Dates are read as days since the beginning of 1970: {listed(dates, 5)}."
    if times := [name for name, kind in forms.items() if kind == "times"]:
        yield f"Times of day are read as hours since midnight: {listed(times, 5)}."
    if found.empty:
        yield f"Columns without any value were left out: {listed(found.empty, 5)}."
