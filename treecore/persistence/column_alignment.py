"""Rows for a tree that is there already: columns found by name, whatever else the table has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from treecore.data.readers.cells import (
    TextSummary,
    as_numbers,
    class_name,
    known_text,
    number_name,
)
from treecore.data.readers.encoding import CategoryColumn, NumberColumn, encoded
from treecore.data.readers.table import Table, TableError, listed, quoted
from treecore.data.sources import Source, open_table, read_arrays, read_table
from treecore.persistence.document import Document


class AlignedColumns(NamedTuple):
    """Rows as a tree reads them, and what they truly are, where the table says so.

    Attributes
    ----------
    X : array, shape (n_samples, n_features), or CSR
        NaN where a value is missing.
    y : array, shape (n_samples,), or None
        Classes in the tree's own numbering, -1 for one that it does not know; or numbers.
    """

    X: np.ndarray
    y: np.ndarray | None


def match(document: Document, source: Source, *, labelled: bool = False) -> AlignedColumns:
    """The rows of a table, as the document's tree or forest reads them.

    Every row of the table is there, and in its place: a single one, one without a value, one
    without a target. Only where they are to be ``labelled`` are rows without a target left out,
    as in training, and None stands for targets of another kind than the tree's.

    Raises
    ------
    TableError
        Where the table lacks a feature of the tree, or the target that the source names.
    """
    if (table := open_table(source, to_learn=False)) is not None:
        rows, missing = _match_columns(document, source, table)
    elif (arrays := read_arrays(source)) is not None:
        X, y, names = arrays
        names = list(names) or [f"x{j}" for j in range(1, X.shape[1] + 1)]
        missing = None if y is None else _absent(y)
        rows = AlignedColumns(_columns(document, X, names), _targets(document, y))
    else:
        sample, missing = read_table(source), None
        y = np.array(sample.class_names)[sample.y] if sample.class_names else sample.y
        X = _columns(document, sample.X, list(sample.feature_names))
        rows = AlignedColumns(X, _targets(document, y))
    if labelled and rows.y is not None and missing is not None and missing.any():
        labelled_rows = np.flatnonzero(~missing)
        if not labelled_rows.size:
            raise TableError("the target is missing in all rows of the table: use predict")
        return AlignedColumns(rows.X[labelled_rows], rows.y[labelled_rows])
    return rows


def _columns(document: Document, X, names: list[str]):
    wanted = document.feature_names
    if tuple(names) == wanted:
        return X
    missing = [name for name in wanted if name not in names]
    if not missing:
        return X[:, [names.index(name) for name in wanted]]
    # Columns without names of their own are told by their places.
    if names == [f"x{j}" for j in range(1, len(names) + 1)]:
        if len(names) == len(wanted):
            return X
        if len(names) < len(wanted) and not isinstance(X, np.ndarray):
            X.resize(X.shape[0], len(wanted))  # features that no row here has
            return X
    raise _lacking(missing, names)


def _absent(y: np.ndarray) -> np.ndarray:
    return np.isnan(y) if y.dtype.kind == "f" else np.zeros(len(y), dtype=bool)


def _targets(document: Document, y: np.ndarray | None) -> np.ndarray | None:
    """Targets of an array in the tree's own numbering."""
    if y is None or y.ndim != 1:
        return None
    if document.class_names:
        return _numbered(document, map(str, y))
    return y.astype(np.float64) if y.dtype.kind in "iufb" else None


def _numbered(document: Document, cells) -> np.ndarray:
    known = {name: number for number, name in enumerate(document.class_names)}
    # 007 may be the name of a class; where it is none, it is 7, as 7.0 is.
    return np.array([known.get(c, known.get(class_name(c), -1)) for c in cells], dtype=np.int64)


def _match_columns(document: Document, source: Source, table: Table):
    """The rows of a table, and which of them have no target, None where there is none at all."""
    columns, wanted = list(table.columns), document.feature_names
    named = table.has_header or set(wanted) <= set(columns)
    if not named and len(columns) < len(wanted):
        raise _lacking(wanted[len(columns) :], columns)
    features = _features(wanted, columns) if named else list(map(NumberColumn, columns))
    features = features[: len(wanted)]
    if named and source.target is not None and source.target not in columns:
        raise TableError(
            f"there is no column {quoted(source.target)}: choose one of {listed(columns, 20)}"
        )
    target = source.target or document.training.get("data", {}).get("target")
    targets = [target] if named and target in columns else []
    numeric = [feature.name for feature in features if isinstance(feature, NumberColumn)]
    commas = _decimal_commas(table, numeric if document.class_names else numeric + targets)
    features = [
        NumberColumn(f.name, commas[f.name]) if isinstance(f, NumberColumn) else f for f in features
    ]
    read = list(dict.fromkeys([*(feature.name for feature in features), *targets]))
    blocks, labels, start = [], [], 0
    for batch in table.batches(read, set(read).difference(numeric)):
        blocks.append(encoded(table, features, batch, start + np.arange(batch.num_rows)))
        start += batch.num_rows
        for name in targets:
            labels.append(_labels(document, batch.column(name), commas.get(name, False)))
    X = np.concatenate(blocks)
    if not targets:
        return AlignedColumns(X, None), None
    y, missing = map(np.concatenate, zip(*labels, strict=True))
    return AlignedColumns(X, y), missing


def _features(wanted: tuple[str, ...], columns: list[str]) -> list[NumberColumn | CategoryColumn]:
    """Where each feature is found: a column, or a category of one, ``column=category``."""
    features: list[NumberColumn | CategoryColumn] = []
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


def _decimal_commas(table: Table, numeric: list[str]) -> dict[str, bool]:
    """Which columns of numbers have a decimal comma; text in any of them is refused."""
    texts = [name for name in dict.fromkeys(numeric) if name in table.texts]
    summaries = {name: TextSummary(table.decimal_comma) for name in texts}
    start = 0
    for batch in table.batches(texts) if texts else ():
        for name, summary in summaries.items():
            rows = np.arange(start, start + batch.num_rows)
            summary.add(known_text(batch.column(name)), rows)
        start += batch.num_rows
    for name, summary in summaries.items():
        if summary.n_odd:
            cell, where = table.locate(name, *summary.first_odd)
            raise TableError(
                f"column {quoted(name)} holds the text {quoted(cell)} in {where}, where the tree "
                "reads a number: correct it"
            )
    return {name: name in summaries and summaries[name].comma for name in numeric}


def _labels(document: Document, column: pa.Array, comma: bool) -> tuple[np.ndarray, np.ndarray]:
    """Targets of some rows in the tree's own numbering, and which of them are missing."""
    if pa.types.is_string(column.type):
        text = known_text(column)
        missing = text.is_null().to_numpy(zero_copy_only=False)
        if not document.class_names:
            return as_numbers(text, comma), missing
        found = text.fill_null("").dictionary_encode()
        names = found.dictionary.to_pylist()
    else:
        values = column.to_numpy(zero_copy_only=False)
        missing = np.isnan(values)
        if not document.class_names:
            return values.astype(np.float64), missing
        found = pa.array(values).dictionary_encode()
        names = [number_name(value) for value in found.dictionary.to_numpy()]
    return _numbered(document, names)[found.indices.to_numpy()], missing


def _lacking(missing, columns) -> TableError:
    return TableError(
        f"the table lacks {listed(list(missing), 5)}, which the tree reads; it has "
        f"{listed(list(columns), 10)}: add what is missing or choose another table"
    )
