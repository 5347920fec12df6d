"""What the programs in C, JavaScript and Python share: the same tables, in their own words.

Each is a template. Its trees are read as :mod:`treecore.export.tables` says.
"""

from __future__ import annotations

from treecore._version import __version__
from treecore.export.literals import Lists
from treecore.export.tables import ExportTables


def table_fields(tables: ExportTables, lists: Lists) -> dict[str, object]:
    """What a template says of the trees and of the rows that they read, by its places.

    lists: how the language writes them.
    """
    packed, (start, column, weight) = tables.packed, tables.sparse_weights()
    return {
        "version": __version__,
        "feature": lists.ints(packed.feature),
        "row": lists.ints(packed.row),
        "threshold": lists.floats(packed.threshold),
        "left": lists.ints(packed.left),
        "right": lists.ints(packed.right),
        "roots": lists.ints(packed.root),
        "start": lists.ints(start),
        "column": lists.ints(column),
        "weight": lists.floats(weight),
        "total": repr(tables.total),
        "n_features": len(tables.feature_names),
        "n_outputs": len(tables.names),
    }


def spline_text(template: str, tables: ExportTables, lists: Lists) -> str:
    """What makes the features that a tree reads, where they are not those of a row.

    template: with places for ``centre``, ``deviation``, ``features`` and ``knots``.
    """
    spline = tables.spline
    if spline is None:
        return ""
    return template.format(
        centre=lists.doubles(spline.centre),
        deviation=lists.doubles(spline.deviation),
        features=lists.ints(spline.features),
        knots=lists.doubles(spline.knots),
    )


def leaf_text(votes: str, models: str, tables: ExportTables, lists: Lists) -> str:
    """What the leaves say: votes, or linear models and the function that reads them."""
    if tables.linear is None:
        return votes.format(rows=lists.lines(map(lists.doubles, tables.packed.votes)))
    rows = (lists.joined(map(lists.doubles, leaf)) for leaf in tables.model_rows())
    return models.format(rows=lists.lines(rows), n_features=tables.n_read)
