"""Rows for a tree that is there already: columns found by name, whatever else the table has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from treecore.base.limits import LIBRARY, Limits
from treecore.data.readers.cells import alike, class_name, known_text
from treecore.data.readers.columns import CategoryColumn, Column, NumberColumn
from treecore.data.readers.settings import ReadingSettings
from treecore.data.readers.table import Table, TableError, listed, quoted
from treecore.data.sources import (
    Source,
    names_numbers,
    open_table,
    read_arrays,
    read_table,
    with_header,
)
from treecore.persistence.document import Document
from treecore.persistence.written_columns import (
    UnknownWords,
    WrittenColumns,
    lacking_columns,
    notes_on,
    read_features,
)


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
    raise lacking_columns(missing, names)


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
                raise lacking_columns(wanted[len(columns) :], columns)
            features = [NumberColumn(name) for name in columns[: len(wanted)]]
        elif made:
            features = made
        elif _are_places(wanted) and not set(wanted) <= set(columns):  # learnt on unnamed columns
            others = [name for name in columns if name != _target_of(document, source)]
            if len(others) != len(wanted):
                raise lacking_columns([name for name in wanted if name not in columns], columns)
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
        self._written = WrittenColumns(table, features, numbers, self._said)
        self._as_text = [name for name in self._targets if name not in {*numbers} & {*table.dates}]
        self._unknown: UnknownWords = {}

    def blocks(self) -> Iterator[tuple[np.ndarray, np.ndarray | None, np.ndarray | None]]:
        """Features, targets and which of them are missing; None for both where there are none."""
        features, table = self._written.features, self._table
        for X, batch in read_features(table, features, self._unknown, self._targets, self._as_text):
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
        return (*self._table.notes, *self._written.notes, *notes_on(self._unknown))


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
        raise lacking_columns(lacking, columns)
    return features


def _classes(
    document: Document, column: pa.Array, said: Sequence[str] | None, decimal_comma: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Targets of some rows in the tree's own numbering, and which of them are missing."""
    text = known_text(column, said, document.class_names)  # a class may be called None
    missing = text.is_null().to_numpy(zero_copy_only=False)
    found = text.fill_null("").dictionary_encode()
    places = _numbered(document, found.dictionary.to_pylist(), decimal_comma)
    return places[found.indices.to_numpy()], missing
