"""Rows for a tree that is there already: columns found by name, whatever else the table has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple, NoReturn

import numpy as np
import pyarrow as pa
from scipy import sparse

from treecore.core.tree import counted
from treecore.data.readers.cells import (
    PLAIN,
    NumberForm,
    Slips,
    TextSummary,
    as_numbers,
    class_name,
    known_text,
    number_name,
)
from treecore.data.readers.columns import CategoryColumn, Column, NumberColumn
from treecore.data.readers.dates import kind_of
from treecore.data.readers.encoding import encoded, slip_note
from treecore.data.readers.table import Table, TableError, listed, quoted
from treecore.data.sources import (
    Source,
    names_numbers,
    open_table,
    read_arrays,
    read_table,
)
from treecore.persistence.document import Document


class AlignedColumns(NamedTuple):
    """Rows as a tree reads them, and what they truly are, where the table says so.

    Attributes
    ----------
    X : array, shape (n_samples, n_features), or CSR
        NaN where a value is missing.
    y : array, shape (n_samples,), or None
        Classes in the tree's own numbering, -1 for one that it does not know; or numbers.
    notes : tuple of str
        What the tree does not know of the rows, a sentence each.
    """

    X: np.ndarray
    y: np.ndarray | None
    notes: tuple[str, ...] = ()


def match(document: Document, source: Source, *, labelled: bool = False) -> AlignedColumns:
    """The rows of a table, as the document's tree or forest reads them.

    Every row of the table is there, and in its place: a single one, one without a value, one
    without a target. Only where they are ``labelled`` are rows without a target left out,
    as in training, and None stands for targets of another kind than the tree's.

    Parameters
    ----------
    document : Document
    source : Source
    labelled : bool
        Whether the rows are to have targets.

    Raises
    ------
    TableError
        Where the table lacks a feature of the tree, or the target that the source names.
    """
    missing: np.ndarray | None = None
    if (table := open_table(source, to_learn=False)) is not None:
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
            f"the file numbers its columns, and the tree reads {listed(list(wanted), 5)}: choose a "
            "table that names its columns"
        )
    places = {name: place for place, name in enumerate(names)}
    known = set(wanted)
    others = [place for name, place in places.items() if name not in known]
    unknown = [names[others[i]] for i in np.flatnonzero(abs(X[:, others]).sum(axis=0))]
    zeros = np.zeros((X.shape[0], 1))
    if isinstance(X, np.ndarray):
        X = np.hstack([X, zeros])
    else:
        X = sparse.hstack([X, sparse.csr_matrix(zeros)], format="csr")
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
    known = {name: number for number, name in enumerate(document.class_names)}
    point = "," if decimal_comma else "."
    # 007 may be the name of a class; where it is none, it is 7, as 7.0 is.
    numbers = (known.get(c, known.get(class_name(c.replace(point, ".")), -1)) for c in cells)
    return np.array([*numbers], dtype=np.int64)


class AlignedTable:
    """The columns of a table as the model of a document reads them; rows come in blocks.

    Parameters
    ----------
    document : Document
    source : Source
        May name the target.
    table : Table
        Opened with ``to_learn=False``.

    Attributes
    ----------
    has_targets : bool
        Whether the table tells what its rows truly are.

    Raises
    ------
    TableError
        Where the table lacks a feature of the tree, or the target that the source names.
    """

    def __init__(self, document: Document, source: Source, table: Table):
        columns, wanted = list(table.columns), document.feature_names
        made = list(document.columns)
        named = table.has_header or set(wanted) <= set(columns)
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
        self._written = _Written(table, features, [] if document.class_names else self._targets)
        self._unknown: _Unknown = {}

    def blocks(self) -> Iterator[tuple[np.ndarray, np.ndarray | None, np.ndarray | None]]:
        """Features, targets and which of them are missing; None for both where there are none."""
        features, table = self._written.features, self._table
        names = self._targets if self._document.class_names else []  # 007 is not 7
        for X, batch in _read_features(table, features, self._unknown, self._targets, names):
            y, missing = None, None
            for name in self._targets:
                form = self._written.form_of(name)
                y, missing = _labels(self._document, batch.column(name), form, table.decimal_comma)
            yield X, y, missing

    @property
    def notes(self) -> tuple[str, ...]:
        """What the model does not know of the rows that have come, a sentence each."""
        return (*self._written.notes, *_notes(self._unknown))


def _target_of(document: Document, source: Source) -> str | None:
    """The column that holds what is predicted, if there is one."""
    return source.target or document.training.get("data", {}).get("target")


def encode_table(columns: Sequence[Column], table: Table) -> tuple[np.ndarray, tuple[str, ...]]:
    """The features of a table's rows, made as those that a model was trained on.

    Parameters
    ----------
    columns : sequence of Column
        See :attr:`treecore.persistence.Document.columns`.
    table : Table

    Returns
    -------
    X : float64 array, shape (n_rows, n_features)
    notes : tuple of str
        What was not known in training, a sentence each.

    Raises
    ------
    TableError
        In one sentence, where the table lacks a column or holds what cannot be read as in
        training.
    """
    unknown: _Unknown = {}
    written = _Written(table, columns, [])
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
    """The features of all rows, and the batches they come from.

    These have ``others`` too, and those ``as_text`` as they are written.
    """
    words = [feature for feature in features if isinstance(feature, CategoryColumn)]
    read = list(dict.fromkeys([*(feature.name for feature in features), *others]))
    start = 0
    for batch in table.batches(read, {*(f.name for f in words), *as_text}, last=True):
        rows = start + np.arange(batch.num_rows)
        X = np.ascontiguousarray(encoded(table, features, batch, rows))
        start += batch.num_rows
        for feature in words:
            text = known_text(batch.column(feature.name).cast(pa.string()))
            strange = (feature.places(batch.column(feature.name)) < 0) & text.is_valid().to_numpy(
                zero_copy_only=False
            )
            if strange.any():
                found = unknown.setdefault(feature.name, Counter())
                found.update(text.filter(pa.array(strange)).to_pylist())
        yield X, batch


def _notes(unknown: _Unknown) -> tuple[str, ...]:
    return tuple(
        f"Column {quoted(name)} holds what the tree has never seen, {listed(list(found), 5)}, in "
        f"{counted(found.total(), 'row')}: they are of no category there."
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
    """How a table writes the numbers and dates of the features that a tree reads.

    Attributes
    ----------
    features : list of Column
        As they are to be read from this table.
    """

    def __init__(self, table: Table, features: Sequence[Column], targets: Sequence[str]):
        lacking = [feature.name for feature in features if feature.name not in table.columns]
        if lacking:
            raise _lacking(lacking, table.columns)
        numeric = [feature.name for feature in features if not isinstance(feature, CategoryColumn)]
        texts = [name for name in dict.fromkeys([*numeric, *targets]) if name in table.texts]
        self._table, self._found = table, {n: TextSummary(table.decimal_comma) for n in texts}
        start = 0
        for batch in table.batches(texts) if texts else ():
            for name, summary in self._found.items():
                rows = np.arange(start, start + batch.num_rows)
                summary.add(known_text(batch.column(name)), rows)
            start += batch.num_rows
        self._slips: dict[str, Slips] = {}
        for name in targets:
            self._check(name, told=False)
        self.features = [self._as_written(feature) for feature in features]

    def form_of(self, name: str) -> NumberForm:
        """How the numbers of a column are written."""
        return self._found[name].form if name in self._found else PLAIN

    def _as_written(self, feature: Column) -> Column:
        found = self._found.get(feature.name)
        if isinstance(feature, CategoryColumn) or found is None:
            return feature
        if isinstance(feature, NumberColumn):
            self._check(feature.name)
            unit, own = feature.form.unit, found.form.unit
            if unit and own and unit != own:
                raise TableError(
                    f"column {quoted(feature.name)} is in {quoted(own)}, where the tree reads "
                    f"{quoted(unit)}: convert it"
                )
            return NumberColumn(feature.name, found.form)
        kind = kind_of(feature.form)
        forms = [form for form in found.date_forms if kind_of(form) == kind]
        form = feature.form if feature.form in forms or not forms else forms[0]
        slips = found.date_slips(form) if forms else found.slips
        if found.n_known and not (forms and found.are_few(slips)):
            what = "a date" if kind == "dates" else "a time of day"
            self._refuse(feature.name, slips.first if slips.n else (0, ""), what)
        self._tell(feature.name, slips)
        return feature._replace(form=form)

    def _check(self, name: str, *, told: bool = True) -> None:
        """Refuse text where a tree reads a number; a little may be told as missing."""
        found = self._found.get(name)
        if found is None or not found.slips.n:
            return
        if not (told and found.are_few(found.slips)):
            self._refuse(name, found.slips.first, "a number")
        self._tell(name, found.slips)

    def _tell(self, name: str, slips: Slips) -> None:
        if slips.n:
            self._slips[name] = slips

    @property
    def notes(self) -> list[str]:
        """What is read as missing, in a sentence if anything is."""
        return [*filter(None, [slip_note(self._table, self._slips)])]

    def _refuse(self, name: str, first: tuple[int, str], what: str) -> NoReturn:
        cell, where = self._table.locate(name, *first)
        raise TableError(
            f"column {quoted(name)} holds the text {quoted(cell)} in {where}, where the tree "
            f"reads {what}: correct it"
        )


def _labels(
    document: Document, column: pa.Array, form: NumberForm, decimal_comma: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Targets of some rows in the tree's own numbering, and which of them are missing."""
    if pa.types.is_string(column.type):
        text = known_text(column)
        missing = text.is_null().to_numpy(zero_copy_only=False)
        if not document.class_names:
            return as_numbers(text, form), missing
        found = text.fill_null("").dictionary_encode()
        names = found.dictionary.to_pylist()
    else:
        values = column.to_numpy(zero_copy_only=False)
        missing = np.isnan(values)
        if not document.class_names:
            return values.astype(np.float64), missing
        found = pa.array(values).dictionary_encode()
        names = [number_name(value) for value in found.dictionary.to_numpy()]
    return _numbered(document, names, decimal_comma)[found.indices.to_numpy()], missing


def _lacking(missing, columns) -> TableError:
    return TableError(
        f"the table lacks {listed(list(missing), 5)}, which the tree reads; it has "
        f"{listed(list(columns), 10)}: add what is missing or choose another table"
    )
