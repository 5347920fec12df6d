"""What programs in C, JavaScript and Python share: tables with comments, notes on columns.

A language is one file: a template of its functions, and a :class:`Language` that says how it
writes the tables. Those have the same names in all languages, in each one's own case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from treecore._version import __version__
from treecore.base.units import DATE, MOMENT, TIME
from treecore.data.readers.columns import CategoryColumn
from treecore.export.programs.literals import Lists, javascript_text
from treecore.export.tables import ExportTables, export_tables
from treecore.persistence import Document

_DAYS = "days since the beginning of 1970"
COUNTS = {DATE: _DAYS, MOMENT: _DAYS, TIME: "hours since midnight"}
"""What programs read in the place of dates and times."""


class Language(NamedTuple):
    """A programming language.

    - target: as sentences name it; program: the template; spline, models: its parts for splines
      and linear leaves; own: what else it says.
    - tables: how ``{name}`` is declared as ``{values}``, by name or else by kind; comment: begins
      one; case: of names.
    - lists, names: how numbers and texts are written.
    """

    target: str
    program: str
    spline: str
    models: str
    own: Callable[[ExportTables], dict[str, Any]]
    tables: Mapping[str, str]
    comment: str
    case: Callable[[str], str]
    lists: Lists
    names: Callable[[list[str]], str]


def write_program(document: Document, language: Language) -> bytes:
    """The program of a document; it says first what rows have in the place of words and dates."""
    tables = export_tables(document, language.target, linear=True)
    mark, lists = language.comment, language.lists
    kinds: dict[str, Callable[[Any], str]] = {
        "int": lists.ints,
        "float": lists.floats,
        "double": lists.doubles,
        "rows": lambda rows: lists.lines(map(lists.doubles, rows)),
        "blocks": lambda blocks: lists.lines(
            lists.joined(map(lists.doubles, rows)) for rows in blocks
        ),
    }
    lines = []
    for name, kind, array, comment in _tables(tables):
        if comment:
            note = re.sub(r"<(\w+)>", lambda found: language.case(found[1]), comment)
            lines.append(f"{mark} {note}")
        shape = language.tables.get(name) or language.tables[kind]
        lines.append(shape.format(name=language.case(name), values=kinds[kind](array)))
    sizes = {"n_features": len(tables.feature_names), "n_read": tables.n_read}
    program = language.program.format(
        version=__version__,
        features=language.names(list(tables.feature_names)),
        names=language.names(list(tables.names)),
        tables="\n".join(lines),
        spline="" if tables.spline is None else language.spline.format(**sizes),
        models="" if tables.linear is None else language.models.format(**sizes),
        total=repr(tables.total),
        n_outputs=len(tables.names),
        **sizes,
        **language.own(tables),
    )
    notes = (f"{mark.strip()} Feature {j}, from 0, {what}.\n" for j, what in _encoded(document))
    return "".join((*notes, program)).encode("ascii")


def _tables(tables: ExportTables) -> Iterator[tuple[str, str, np.ndarray, str]]:
    """The name, kind and numbers of each table, and what stands above it."""
    packed, spline, (start, column, weight) = tables.packed, tables.spline, tables.sparse_weights()
    yield "missing", "float", tables.missing, ""
    note = "Split i reads <feature>[i], or, where that is -1, row <row>[i] of the weights."
    yield "feature", "int", packed.feature, note
    yield "row", "int", packed.row, ""
    yield "threshold", "float", packed.threshold, ""
    note = "Where a split reads one feature, and that is missing: 1 goes left, 0 right."
    yield "missing_left", "int", packed.missing_left.astype(int), note
    yield "left", "int", packed.left, "A child is a split, or the leaf ~child."
    yield "right", "int", packed.right, ""
    yield "roots", "int", packed.root, ""
    note = "of feature <column>[k]; row r has those from <start>[r] to <start>[r + 1]."
    yield "start", "int", start, f"<weight>[k] is that {note}"
    yield "column", "int", column, ""
    yield "weight", "float", weight, ""
    if spline is not None:
        note = "z[j] = (x[j] - <centre>[j]) / <deviation>[j], and the hinge at each of <knots>."
        yield "centre", "double", spline.centre, f"A row is read as {note}"
        yield "deviation", "double", spline.deviation, ""
        yield "knot_of", "int", spline.features, ""
        yield "knots", "double", spline.knots, ""
    if tables.linear is None:
        yield "votes", "rows", packed.votes, ""
    else:
        note = "Leaf j answers number k by <models>[j][k]: least, greatest, intercept, weights."
        yield "models", "blocks", tables.model_rows(), note


def _encoded(document: Document) -> Iterator[tuple[int, str]]:
    """Which features are not the very numbers of a column, and what they are, for comments."""
    j = 0
    for column in document.columns:
        if isinstance(column, CategoryColumn):
            for category in column.categories:
                word = javascript_text(category)
                yield j, f"is 1 where {javascript_text(column.name)} is {word}, else 0"
                j += 1
            continue
        (unit,) = column.units
        if unit:
            yield j, f"counts {COUNTS.get(unit) or javascript_text(unit)}"
        j += 1
