"""Rows for a tree that is there already: columns found by name, whatever else the table has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple, NoReturn

import numpy as np
import pyarrow as pa

from treecore.base.limits import LIBRARY, Limits
from treecore.core.tree import counted
from treecore.data.readers.cells import (
    alike,
    as_numbers,
    class_name,
    known_numbers,
    known_text,
    without,
)
from treecore.data.readers.columns import CategoryColumn, Column, DateColumn, NumberColumn
from treecore.data.readers.dates import DIGITS, GONE, YEAR, as_time, first_year, kind_of
from treecore.data.readers.encoding import encoded, malformed_note
from treecore.data.readers.settings import ReadingSettings
from treecore.data.readers.table import Table, TableError, listed, quoted
from treecore.data.readers.text_summary import Malformed, TextSummary
from treecore.data.sources import (
    Source,
    names_numbers,
    open_table,
    read_arrays,
    read_table,
    with_header,
)
from treecore.persistence.document import Document


class AlignedColumns(NamedTuple):
    """Rows (n_samples, n_features) as a tree reads them, and y (n_samples,) or None.

    y: classes in the tree's numbering, -1 unknown, or numbers; notes: what it does not know of
    them.
    """

    X: np.ndarray
    y: np.ndarray | None
    notes: tuple[str, ...] = ()


def match(document: Document, source: Source, *, labelled: bool = False) -> AlignedColumns:
    """The rows of a table, as the document's tree or forest reads them, each in its place.

    Only where ``labelled`` are rows without a target left out. Raises TableError where the table
    lacks a feature of the tree, or the target that the source names.
    """
    missing: np.ndarray | None = None
    if (table := open_rows(document, source)) is not None:
        aligned = AlignedTable(document, source, table)
        X, y, absent = zip(*aligned.blocks(), strict=True)
        rows = AlignedColumns(np.concatenate(X), None, aligned.notes)
        if aligned.has_targets:
            rows, missing = rows._replace(y=np.concatenate(y)), np.concatenate(absent)
    elif (arrays := read_arrays(source)) is not None:
        X, y, names = arrays
        names = list(names) or [f"x{j}" for j in range(1, X.shape[1] + 1)]
        missing = None if y is None else _absent(y)
        notes: tuple[str, ...] = ()
        if names_numbers(source):
            X, notes = _numbered_columns(document, X, names)
        else:
            X = _columns(document, X, names)
        rows = AlignedColumns(X, _targets(document, y), notes)
    else:
        sample = read_table(source)
        y = np.array(sample.class_names)[sample.y] if sample.class_names else sample.y
        X = _columns(document, sample.X, list(sample.feature_names))
        rows = AlignedColumns(X, _targets(document, y))
    if labelled and rows.y is not None and missing is not None and missing.any():
        labelled_rows = np.flatnonzero(~missing)
        if not labelled_rows.size:
            raise TableError("the target is missing in all rows of the table: use predict")
        return rows._replace(X=rows.X[labelled_rows], y=rows.y[labelled_rows])
    return rows


def _columns(document: Document, X, names: list[str]):
    wanted = document.feature_names
    if tuple(names) == wanted:
        return X
    missing = [name for name in wanted if name not in names]
    if not missing:
        return X[:, [names.index(name) for name in wanted]]
    # Columns without names of their own are told by their places.
    if len(names) == len(wanted) and (_are_places(names) or _are_places(wanted)):
        return X
    raise _lacking(missing, names)


def _numbered_columns(document: Document, X, names: list[str]):
    """The columns of a file that numbers them, where one that no row has is 0; and notes."""
    wanted = document.feature_names
    if not all(re.fullmatch(r"x\d+", name) for name in wanted):
        raise TableError(
            f"the file numbers its columns, but the tree reads {listed(list(wanted), 5)}: choose "
            "a table that names its columns"
        )
    places = {name: place for place, name in enumerate(names)}
    known = set(wanted)
    others = [place for name, place in places.items() if name not in known]
    unknown = [names[others[i]] for i in np.flatnonzero(abs(X[:, others]).sum(axis=0))]
    X = np.hstack([X, np.zeros((X.shape[0], 1))])
    X = X[:, [places.get(name, len(names)) for name in wanted]]
    if not unknown:
        return X, ()
    return X, (f"Columns that the tree does not read were left out: {listed(unknown, 5)}.",)


def _are_places(names: Sequence[str]) -> bool:
    """Whether names say no more than the places of columns, as x0, x1, ... and x1, x2, ... do."""
    return any(list(names) == [f"x{j + first}" for j in range(len(names))] for first in (0, 1))


def _absent(y: np.ndarray) -> np.ndarray:
    return np.isnan(y) if y.dtype.kind == "f" else np.zeros(len(y), dtype=bool)


def _targets(document: Document, y: np.ndarray | None) -> np.ndarray | None:
    """Targets of an array in the tree's own numbering."""
    if y is None or y.ndim != 1:
        return None
    if document.class_names:
        return _numbered(document, map(str, y))
    return y.astype(np.float64) if y.dtype.kind in "iufb" else None


def _numbered(document: Document, cells, decimal_comma: bool = False) -> np.ndarray:
    known = {alike(name): number for number, name in enumerate(document.class_names)}
    known |= {name: number for number, name in enumerate(document.class_names)}
    point = "," if decimal_comma else "."
    # 007 may be the name of a class; where it is none, it is 7, as 7.0 is.
    numbers = (known.get(c, known.get(class_name(c.replace(point, ".")), -1)) for c in cells)
    return np.array([*numbers], dtype=np.int64)


class AlignedTable:
    """The columns of a table as the model of a document reads them; rows come in blocks.

    table: opened with ``to_learn=False``. Raises TableError as :func:`match`.
    """

    def __init__(self, document: Document, source: Source, table: Table):
        columns, wanted = list(table.columns), document.feature_names
        made = list(document.columns)
        read = {feature.name for feature in made} or set(wanted)
        named = table.has_header or read <= set(columns)
        left_out = document.training.get("data", {}).get("left_out")
        if not named and left_out:
            raise TableError(
                f"the file has no header, and columns such as {quoted(str(left_out[0]))} were left "
                "out in training: write the names above the columns, and the others will be found"
            )
        if not named and made and len(columns) >= len(made):  # by place, each as the tree reads it
            renamed = dict(zip((feature.name for feature in made), columns, strict=False))
            features = [feature._replace(name=renamed[feature.name]) for feature in made]
        elif not named:
            if len(columns) < len(wanted):
                raise _lacking(wanted[len(columns) :], columns)
            features = [NumberColumn(name) for name in columns[: len(wanted)]]
        elif made:
            features = made
        elif _are_places(wanted) and not set(wanted) <= set(columns):  # learnt on unnamed columns
            others = [name for name in columns if name != _target_of(document, source)]
            if len(others) != len(wanted):
                raise _lacking([name for name in wanted if name not in columns], columns)
            features = [NumberColumn(name) for name in others]
        else:
            features = _features(wanted, columns)
        if named and source.target is not None and source.target not in columns:
            raise TableError(
                f"there is no column {quoted(source.target)}: choose one of {listed(columns, 20)}"
            )
        target = _target_of(document, source)
        self._targets = [target] if named and target in columns else []
        self.has_targets = bool(self._targets)
        self._document, self._table = document, table
        self._said = _settings_of(document, table)
        if (missing := table.reading.missing) is not None:
            features = [feature._replace(missing=missing) for feature in features]
        numbers = [] if document.class_names else self._targets
        self._written = _Written(table, features, numbers, self._said)
        self._as_text = [name for name in self._targets if name not in {*numbers} & {*table.dates}]
        self._unknown: _Unknown = {}

    def blocks(self) -> Iterator[tuple[np.ndarray, np.ndarray | None, np.ndarray | None]]:
        """Features, targets and which of them are missing; None for both where there are none."""
        features, table = self._written.features, self._table
        for X, batch in _read_features(
            table, features, self._unknown, self._targets, self._as_text
        ):
            y, missing = None, None
            for name in self._targets:
                column = batch.column(name)
                if not self._document.class_names:
                    y = self._written.read_target(name, column)
                    missing = np.isnan(y)
                else:
                    said = self._said.missing
                    y, missing = _classes(self._document, column, said, table.decimal_comma)
            yield X, y, missing

    @property
    def notes(self) -> tuple[str, ...]:
        """How the table was read, and what the model does not know of it, a sentence each."""
        return (*self._table.notes, *self._written.notes, *_notes(self._unknown))


def open_rows(document: Document, source: Source, limits: Limits = LIBRARY) -> Table | None:
    """The columns of a table that a model reads, as :func:`.sources.open_table` opens it."""
    return open_table(with_header(source, _said_before(document).header), False, limits)


def _said_before(document: Document) -> ReadingSettings:
    """What was said of the table that a model was trained on."""
    data = document.training.get("data", {})
    try:
        return ReadingSettings(data.get("kinds", {}), data.get("missing"), data.get("header"))
    except TableError:  # a file may say anything there
        return ReadingSettings()


def _settings_of(document: Document, table: Table) -> ReadingSettings:
    """What was said of the table that the model was trained on, and is not said of this one."""
    before, reading = _said_before(document), table.reading
    missing = before.missing if reading.missing is None else reading.missing
    return ReadingSettings({**before.kinds, **reading.kinds}, missing)


def _target_of(document: Document, source: Source) -> str | None:
    """The column that holds what is predicted, if there is one."""
    return source.target or document.training.get("data", {}).get("target")


def encode_table(columns: Sequence[Column], table: Table) -> tuple[np.ndarray, tuple[str, ...]]:
    """The features (n_rows, n_features) of rows, made as in training, and what was not known there.

    Raises TableError where the table lacks a column or holds what cannot be read as in training.
    """
    unknown: _Unknown = {}
    written = _Written(table, columns, [], table.reading)
    X = np.concatenate([X for X, _ in _read_features(table, written.features, unknown)])
    return X, (*written.notes, *_notes(unknown))


_Unknown = dict[str, Counter[str]]
"""How often a column held each text that is none of its categories."""


def _read_features(
    table: Table,
    features: Sequence[Column],
    unknown: _Unknown,
    others: Sequence[str] = (),
    as_text: Sequence[str] = (),
) -> Iterator[tuple[np.ndarray, pa.RecordBatch]]:
    """The features of all rows, and their batches, which have ``others`` and ``as_text`` too."""
    words = [feature for feature in features if isinstance(feature, CategoryColumn)]
    read = list(dict.fromkeys([*(feature.name for feature in features), *others]))
    start = 0
    written = {*(f.name for f in words), *_dates_of_digits(table, features), *as_text}
    for batch in table.batches(read, written, last=True):
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


def _notes(unknown: _Unknown) -> tuple[str, ...]:
    return tuple(
        f"Column {quoted(name)} holds values that were not in training, "
        f"{listed(list(found), 5)}, in {counted(found.total(), 'row')}: they belong to no "
        "category."
        for name, found in unknown.items()
    )


def _features(wanted: tuple[str, ...], columns: list[str]) -> list[Column]:
    """Where each feature is found: a column, or a category of one, ``column=category``."""
    features: list[Column] = []
    lacking = []
    for name in wanted:
        found = [column for column in columns if name.startswith(f"{column}=")]
        if name in columns:
            features.append(NumberColumn(name))
        elif found:
            column = max(found, key=len)
            others: Sequence[str] = ()
            last = features[-1] if features else None
            if isinstance(last, CategoryColumn) and last.name == column:
                others = last.categories
                features.pop()
            features.append(CategoryColumn(column, [*others, name[len(column) + 1 :]]))
        else:
            lacking.append(name)
    if lacking:
        raise _lacking(lacking, columns)
    return features


class _Written:
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
            raise _lacking(lacking, table.columns)
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
        self._tell(name, malformed)
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
            self._refuse(feature.name, (0, found.first or "of a number"), what)
        forms = [form for form in found.date_forms if kind_of(form) == kind]
        if not forms and feature.form == YEAR:
            return feature
        form = feature.form if feature.form in forms or not forms else forms[0]
        malformed = found.malformed_dates(form) if forms else found.malformed
        if found.n_known and not (forms and self._may_be_missing(feature.name, malformed)):
            self._refuse(
                feature.name, malformed.first if malformed.n else (0, found.first or ""), what
            )
        self._tell(feature.name, malformed)
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
        self._tell(name, found.malformed)
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

    def _tell(self, name: str, malformed: Malformed) -> None:
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


def _classes(
    document: Document, column: pa.Array, said: Sequence[str] | None, decimal_comma: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Targets of some rows in the tree's own numbering, and which of them are missing."""
    text = known_text(column, said, document.class_names)  # a class may be called None
    missing = text.is_null().to_numpy(zero_copy_only=False)
    found = text.fill_null("").dictionary_encode()
    places = _numbered(document, found.dictionary.to_pylist(), decimal_comma)
    return places[found.indices.to_numpy()], missing


def _lacking(missing, columns) -> TableError:
    return TableError(
        f"the table lacks {listed(list(missing), 5)}, which the tree reads; it has "
        f"{listed(list(columns), 10)}: add what is missing or choose another table"
    )
