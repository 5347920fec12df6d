"""Rows for a tree that is there already: columns found by name, whatever else the table has."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.data.readers.encoding import read_numbers
from treecore.data.readers.text import MISSING, TableError, TextTable, listed, quoted
from treecore.data.sources import Source, read_arrays, read_table, read_text
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
    if (text := read_text(source)) is not None:
        rows, missing = _match_text(document, source, text)
    elif (arrays := read_arrays(source)) is not None:
        X, y, names = arrays
        names = list(names) or [f"x{j}" for j in range(1, X.shape[1] + 1)]
        missing = None if y is None else _absent(y)
        rows = AlignedColumns(_columns(document, X, names), _targets(document, y))
    else:
        table, missing = read_table(source), None
        y = np.array(table.class_names)[table.y] if table.class_names else table.y
        X = _columns(document, table.X, list(table.feature_names))
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
    return np.array([known.get(c, known.get(_class_name(c), -1)) for c in cells], dtype=np.int64)


def _match_text(document: Document, source: Source, text: TextTable):
    """The rows of a text, and which of them have no target, None where there is none at all."""
    columns = list(text.frame.columns)
    wanted = document.feature_names
    X = np.empty((len(text.frame), len(wanted)))
    if not text.has_header and not set(wanted) <= set(columns):
        if len(columns) < len(wanted):
            raise _lacking(wanted[len(columns) :], columns)
        for j, column in enumerate(columns[: len(wanted)]):
            X[:, j] = _numbers(text, text.cells(column), column)
        return AlignedColumns(X, None), None
    cells = {name: text.cells(name) for name in columns}
    lacking = []
    for j, name in enumerate(wanted):
        if name in cells:
            X[:, j] = _numbers(text, cells[name], name)
        elif (column := _column_of(name, columns)) is not None:
            X[:, j] = cells[column] == name[len(column) + 1 :]
        else:
            lacking.append(name)
    if lacking:
        raise _lacking(lacking, columns)
    target = source.target or document.training.get("data", {}).get("target")
    if source.target is not None and source.target not in cells:
        raise TableError(
            f"there is no column {quoted(source.target)}: choose one of {listed(columns, 20)}"
        )
    if target is None or target not in cells:
        return AlignedColumns(X, None), None
    missing = np.array([not _is_text(cell) for cell in cells[target]])
    if document.class_names:
        return AlignedColumns(X, _numbered(document, cells[target])), missing
    return AlignedColumns(X, _numbers(text, cells[target], target)), missing


def _column_of(feature: str, columns: list[str]) -> str | None:
    """The column of texts, of which a feature, named ``column=category``, is one category."""
    fitting = [name for name in columns if feature.startswith(f"{name}=")]
    return max(fitting, key=len, default=None)


def _numbers(text: TextTable, cells: np.ndarray, column: str) -> np.ndarray:
    numbers = read_numbers(cells, text.separator)
    odd = np.flatnonzero(np.isnan(numbers) & np.array([_is_text(cell) for cell in cells]))
    if odd.size:
        raise TableError(
            f"column {quoted(column)} holds the text {quoted(cells[odd[0]])} in line "
            f"{text.line(odd[0])}, where the tree reads a number: correct it"
        )
    return numbers


def _is_text(cell: str) -> bool:
    return cell.lower() not in MISSING


def _class_name(cell: str) -> str:
    """A class as it is named when a table is learnt from: 1 and 1.0 are the same one."""
    try:
        number = float(cell)
    except ValueError:
        return cell
    return str(int(number)) if number == np.rint(number) and abs(number) < 2**53 else repr(number)


def _lacking(missing, columns) -> TableError:
    return TableError(
        f"the table lacks {listed(list(missing), 5)}, which the tree reads; it has "
        f"{listed(list(columns), 10)}: add what is missing or choose another table"
    )
