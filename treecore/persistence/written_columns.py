"""Rows of a table encoded as in training: how it writes the columns that a tree reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NoReturn

import numpy as np
import pyarrow as pa

from treecore.core.tree import counted
from treecore.data.readers.cells import as_numbers, known_numbers, known_text, without
from treecore.data.readers.columns import CategoryColumn, Column, DateColumn, NumberColumn
from treecore.data.readers.dates import DIGITS, GONE, YEAR, as_time, first_year, kind_of
from treecore.data.readers.encoding import encoded, malformed_note
from treecore.data.readers.settings import ReadingSettings
from treecore.data.readers.table import Table, TableError, listed, quoted
from treecore.data.readers.text_summary import Malformed, TextSummary


def encode_table(columns: Sequence[Column], table: Table) -> tuple[np.ndarray, tuple[str, ...]]:
    """The features (n_rows, n_features) of rows, made as in training, and what was not known there.

    Raises TableError where the table lacks a column or holds what cannot be read as in training.
    """
    unknown: UnknownWords = {}
    written = WrittenColumns(table, columns, [], table.reading)
    X = np.concatenate([X for X, _ in read_features(table, written.features, unknown)])
    return X, (*written.notes, *notes_on(unknown))


UnknownWords = dict[str, Counter[str]]
"""How often a column held each text that is none of its categories."""


def read_features(
    table: Table,
    features: Sequence[Column],
    unknown: UnknownWords,
    others: Sequence[str] = (),
    as_text: Sequence[str] = (),
) -> Iterator[tuple[np.ndarray, pa.RecordBatch]]:
    """The features of all rows, and their batches, which have ``others`` and ``as_text`` too."""
    words = [feature for feature in features if isinstance(feature, CategoryColumn)]
    read = list(dict.fromkeys([*(feature.name for feature in features), *others]))
    start = 0
    written = {*(f.name for f in words), *_dates_of_digits(table, features), *as_text}
    for batch in table.batches(read, written):
        rows = start + np.arange(batch.num_rows)
        X = np.ascontiguousarray(encoded(table, features, batch, rows))
        start += batch.num_rows
        for feature in words:
            text = feature.text(batch.column(feature.name))
            strange = (feature.places(text) < 0) & text.is_valid().to_numpy(zero_copy_only=False)
            if strange.any():
                found = unknown.setdefault(feature.name, Counter())
                found.update(text.filter(pa.array(strange)).to_pylist())
        yield X, batch


def _dates_of_digits(table: Table, features: Sequence[Column]) -> list[str]:
    """The dates that may look like numbers in a file of text, as 20240131 does."""
    known = table.texts | set(table.dates)
    return [f.name for f in features if isinstance(f, DateColumn) and f.name not in known]


def notes_on(unknown: UnknownWords) -> tuple[str, ...]:
    return tuple(
        f"Column {quoted(name)} holds values that were not in training, "
        f"{listed(list(found), 5)}, in {counted(found.total(), 'row')}: they belong to no "
        "category."
        for name, found in unknown.items()
    )


class WrittenColumns:
    """How a table writes the numbers and dates of the features that a tree reads."""

    def __init__(
        self,
        table: Table,
        features: Sequence[Column],
        targets: Sequence[str],
        said: ReadingSettings,
    ):
        lacking = [feature.name for feature in features if feature.name not in table.columns]
        if lacking:
            raise lacking_columns(lacking, table.columns)
        self._table, self._said = table, said
        numeric = [feature for feature in features if not isinstance(feature, CategoryColumn)]
        missing = {feature.name: feature.missing for feature in numeric}
        digits = _dates_of_digits(table, features)
        missing |= dict.fromkeys(targets, said.missing)
        as_text = {*digits, *(name for name in targets if name not in table.dates)}
        texts = [name for name in missing if name in table.texts or name in as_text]
        old = {f.name: [f.form] for f in numeric if isinstance(f, DateColumn) and f.form in GONE}
        comma = table.decimal_comma
        self._found = {n: TextSummary(comma, missing[n], old.get(n, ())) for n in texts}
        start = 0
        for batch in table.batches(texts, as_text) if texts else ():
            rows = np.arange(start, start + batch.num_rows)
            for name, summary in self._found.items():
                column = batch.column(name)
                if pa.types.is_string(column.type) or said.kinds.get(name) == "date":
                    summary.add(column, rows)
            start += batch.num_rows
        self._slips: dict[str, Malformed] = {}
        self.features = [self._as_written(feature) for feature in features]

    def read_target(self, name: str, column: pa.Array) -> np.ndarray:
        """The numbers of a target, NaN where there is none, shape (n_rows,)."""
        missing, kind = self._said.missing, self._said.kinds.get(name)
        if not pa.types.is_string(column.type) and kind != "date":
            return known_numbers(column, missing).astype(np.float64)
        found, text = self._found[name], known_text(column, missing)
        forms = found.date_forms
        if kind == "date" or (forms and kind is None and 2 * found.malformed.n > found.n_known):
            form = forms[0] if forms else YEAR
            malformed = found.malformed_dates(form) if forms else Malformed()
            values, what = as_time(text, form, first_year(form)), "a date"
        else:
            malformed, what = found.malformed, "a number"
            values = without(as_numbers(text, found.form), missing)
        if malformed.n and kind is None:
            self._refuse(name, malformed.first, what)
        self._keep_malformed(name, malformed)
        return np.where(np.isinf(values), np.nan, values)

    def _as_written(self, feature: Column) -> Column:
        if isinstance(feature, CategoryColumn):
            return feature
        if isinstance(feature, NumberColumn):
            return self._number_as_written(feature)
        found = self._found.get(feature.name)
        kind = kind_of(feature.form)
        what = "a date" if kind == "dates" else "a time of day"
        if found is None:
            return feature
        is_number = feature.name not in self._table.texts and feature.form not in (DIGITS, YEAR)
        if is_number and not found.date_forms:
            raise TableError(
                f"column {quoted(feature.name)} holds numbers, where the tree reads {what}: choose "
                "another table"
            )
        forms = [form for form in found.date_forms if kind_of(form) == kind]
        if not forms and feature.form == YEAR:
            return feature
        form = feature.form if feature.form in forms or not forms else forms[0]
        malformed = found.malformed_dates(form) if forms else found.malformed
        if found.n_known and not (forms and self._may_be_missing(feature.name, malformed)):
            self._refuse(
                feature.name, malformed.first if malformed.n else (0, found.first or ""), what
            )
        self._keep_malformed(feature.name, malformed)
        return feature._replace(form=form, since=feature.since or first_year(form))

    def _number_as_written(self, feature: NumberColumn) -> NumberColumn:
        name, found = feature.name, self._found.get(feature.name)
        if name in self._table.dates:
            raise TableError(
                f"column {quoted(name)} holds dates, where the tree reads a number: choose "
                "another table"
            )
        if found is None:
            return feature
        form, own = feature.form, found.form
        if found.malformed.n and not self._may_be_missing(name, found.malformed):
            self._refuse(name, found.malformed.first, "a number")
        self._keep_malformed(name, found.malformed)
        if form.unit and own.unit and form.unit != own.unit:
            raise TableError(
                f"column {quoted(name)} is in {quoted(own.unit)}, where the tree reads "
                f"{quoted(form.unit)}: convert it"
            )
        as_before = own._replace(comma=form.comma, marks=form.marks)
        if form.comma and found.malformed_of(as_before).n == found.malformed.n:
            own = as_before  # 1,234 is read as in training
        return feature._replace(form=own)

    def _may_be_missing(self, name: str, malformed: Malformed) -> bool:
        """Whether what is no number, or no date, may be read as missing."""
        return self._said.kinds.get(name) in ("number", "date") or self._found[name].are_few(
            malformed
        )

    def _keep_malformed(self, name: str, malformed: Malformed) -> None:
        if malformed.n:
            self._slips[name] = malformed

    @property
    def notes(self) -> list[str]:
        """What is read as missing, in a sentence if anything is."""
        return [*filter(None, [malformed_note(self._table, self._slips)])]

    def _refuse(self, name: str, first: tuple[int, str], what: str) -> NoReturn:
        cell, where = self._table.locate(name, *first)
        raise TableError(
            f"column {quoted(name)} holds the text {quoted(cell)} in {where}, where the tree "
            f"reads {what}: correct it"
        )


def lacking_columns(missing, columns) -> TableError:
    return TableError(
        f"the table lacks {listed(list(missing), 5)}, which the tree reads; it has "
        f"{listed(list(columns), 10)}: add what is missing or choose another table"
    )
