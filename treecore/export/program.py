"""What the templates in C, JavaScript and Python share: tables of ``treecore.export.tables``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from treecore._version import __version__
from treecore.export.literals import Lists
from treecore.export.tables import ExportTables, export_tables
from treecore.persistence import Document


class Language(NamedTuple):
    """A programming language: its templates, and how it writes lists and names.

    target: as sentences name it; spline, votes, models: parts for splines, constant and linear
    leaves.
    """

    target: str
    program: str
    spline: str
    votes: str
    models: str
    lists: Lists
    names: Callable[[list[str]], str]


def write_program(
    document: Document, language: Language, own: Callable[[ExportTables], dict[str, Any]]
) -> bytes:
    """The program of a document; ``own`` is what the language's template says besides."""
    tables = export_tables(document, language.target, linear=True, spline=True)
    lists = language.lists
    packed, (start, column, weight) = tables.packed, tables.sparse_weights()
    spline, leaves = "", language.votes.format(rows=lists.lines(map(lists.doubles, packed.votes)))
    if tables.spline is not None:
        spline = language.spline.format(
            centre=lists.doubles(tables.spline.centre),
            deviation=lists.doubles(tables.spline.deviation),
            features=lists.ints(tables.spline.features),
            knots=lists.doubles(tables.spline.knots),
        )
    if tables.linear is not None:
        rows = (lists.joined(map(lists.doubles, leaf)) for leaf in tables.model_rows())
        leaves = language.models.format(rows=lists.lines(rows), n_features=tables.n_read)
    program = language.program.format(
        version=__version__,
        features=language.names(list(tables.feature_names)),
        names=language.names(list(tables.names)),
        feature=lists.ints(packed.feature),
        row=lists.ints(packed.row),
        threshold=lists.floats(packed.threshold),
        missing_left=lists.ints(packed.missing_left.astype(int)),
        left=lists.ints(packed.left),
        right=lists.ints(packed.right),
        roots=lists.ints(packed.root),
        start=lists.ints(start),
        column=lists.ints(column),
        weight=lists.floats(weight),
        spline=spline,
        leaves=leaves,
        total=repr(tables.total),
        n_features=len(tables.feature_names),
        n_outputs=len(tables.names),
        **own(tables),
    )
    return program.encode("ascii")
