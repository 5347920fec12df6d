"""Rows for a tree that is there already: columns found by name, whatever else the table has."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from treecore.datasets import Dataset
from treecore.persistence import TreeDocument
from treecore.sources import MAX_BYTES, MAX_ROWS, Source, read_table
from treecore.tables import read_columns, read_numbers
from treecore.text_tables import TableError, listed, quoted, read_text_table

TEXTS = (".csv", ".tsv", ".txt", "")


class Matched(NamedTuple):
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


def match(document: TreeDocument, source: Source) -> Matched:
    """The rows of a table, as the document's tree reads them.

    Raises
    ------
    TableError
        Where the table lacks a feature of the tree.
    """
    path = Path(source.name)
    if ":" not in source.name and path.suffix.lower() in TEXTS:
        return _match_text(document, source)
    table = read_table(source)
    return Matched(_columns(document, table), _targets(document, table))


def _columns(document: TreeDocument, table: Dataset):
    names = list(table.feature_names)
    if table.feature_names == document.feature_names:
        return table.X
    missing = [name for name in document.feature_names if name not in names]
    if not missing:
        return table.X[:, [names.index(name) for name in document.feature_names]]
    # Columns without names of their own are told by their places.
    if names == [f"x{j}" for j in range(1, len(names) + 1)]:
        n = len(document.feature_names)
        if len(names) == n:
            return table.X
        if len(names) < n and not isinstance(table.X, np.ndarray):
            table.X.resize(table.X.shape[0], n)  # features that no row here has
            return table.X
    raise _lacking(missing, names)


def _targets(document: TreeDocument, table: Dataset) -> np.ndarray | None:
    if not document.class_names:
        return table.y.astype(np.float64) if not table.class_names else None
    if not table.class_names:
        return None
    known = {name: number for number, name in enumerate(document.class_names)}
    return np.array([known.get(name, -1) for name in table.class_names])[table.y]


def _match_text(document: TreeDocument, source: Source) -> Matched:
    read_columns(source.name, max_bytes=MAX_BYTES, max_rows=MAX_ROWS)  # one sentence if it is none
    text = read_text_table(source.name, MAX_BYTES, MAX_ROWS)
    columns = list(text.frame.columns)
    X = np.empty((len(text.frame), len(document.feature_names)))
    cells = {name: text.cells(name) for name in columns}
    if not set(document.feature_names) & set(columns) and any(
        note.startswith("The file has no header") for note in text.notes
    ):
        for j, column in enumerate(columns[: X.shape[1]]):
            X[:, j] = _numbers(text, cells[column], column)
        if len(columns) < X.shape[1]:
            raise _lacking(document.feature_names[len(columns) :], columns)
        return Matched(X, None)
    for j, name in enumerate(document.feature_names):
        column, found, category = name.partition("=")
        if name in cells:
            X[:, j] = _numbers(text, cells[name], name)
        elif found and column in cells:
            X[:, j] = cells[column] == category
        else:
            raise _lacking(
                [n for n in document.feature_names if n.partition("=")[0] not in cells], columns
            )
    target = source.target or document.training.get("data", {}).get("target")
    if target is None or target not in cells:
        return Matched(X, None)
    if not document.class_names:
        return Matched(X, _numbers(text, cells[target], target))
    known = {name: number for number, name in enumerate(document.class_names)}
    y = np.array([known.get(_class_name(cell), -1) for cell in cells[target]])
    return Matched(X, y)


def _numbers(text, cells: np.ndarray, column: str) -> np.ndarray:
    numbers = read_numbers(cells, text.separator)
    odd = np.flatnonzero(np.isnan(numbers) & np.array([_is_text(cell) for cell in cells]))
    if odd.size:
        raise TableError(
            f"column {quoted(column)} holds the text {quoted(cells[odd[0]])} in line "
            f"{text.line(odd[0])}, where the tree reads a number: correct it"
        )
    return numbers


def _is_text(cell: str) -> bool:
    from treecore.text_tables import MISSING

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
