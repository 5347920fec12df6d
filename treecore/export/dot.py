"""A tree as a Graphviz drawing, in the DOT language."""

from __future__ import annotations

import numpy as np

from treecore._version import __version__
from treecore.base.units import one_line
from treecore.export.tables import ExportTables, export_tables
from treecore.export.written import digits_apart, share_text, split_text
from treecore.persistence import Document


def write_dot(document: Document) -> bytes:
    """The trees of a document as one directed graph, a cluster for each tree of a forest."""
    tables = export_tables(document, "a drawing of a tree")
    lines = [
        f"// made by treecore {__version__}: dot -Tsvg tree.dot -o tree.svg",
        "digraph tree {",
        '  node [shape=box, style=rounded, fontname="sans-serif"];',
        '  edge [fontname="sans-serif"];',
    ]
    for number in range(len(tables.trees)):
        inner = _tree_lines(document, tables, number)
        if document.kind == "tree":
            lines += inner
        else:
            lines += [
                f"  subgraph cluster_{number} {{",
                f"    label={quoted(f'tree {number + 1}')};",
            ]
            lines += [*(f"  {line}" for line in inner), "  }"]
    return "\n".join([*lines, "}", ""]).encode()


def _tree_lines(document: Document, tables: ExportTables, number: int) -> list[str]:
    tree, votes = tables.trees[number], tables.votes_of(number)

    def name(reference: int) -> str:
        return f"t{number}_s{reference}" if reference >= 0 else f"t{number}_l{~reference}"

    lines = []
    for split in range(tree.n_splits):
        lines.append(f"  {name(split)} [label={quoted(split_text(document, tree, split, 4))}];")
    digits = digits_apart(votes.ravel())
    for leaf in range(tree.n_leaves):
        text = _leaf_text(document, tables, votes, leaf, digits)
        lines.append(f"  {name(~leaf)} [label={quoted(text)}];")
    for split, children in enumerate(zip(tree.left.tolist(), tree.right.tolist(), strict=True)):
        for answer, child in zip(("no", "yes"), children, strict=True):
            lines.append(f"  {name(split)} -> {name(child)} [label={quoted(answer)}];")
    return lines


def _leaf_text(
    document: Document, tables: ExportTables, votes: np.ndarray, leaf: int, digits: int
) -> str:
    rows = ""
    if document.counts is not None:
        rows = f"\n{document.counts[leaf].sum()} rows"
    if tables.numeric:
        names = [one_line(name) for name in tables.names]
        pairs = zip(names, votes[leaf], strict=True)
        return "\n".join(f"{name} = {value:.{digits}g}" for name, value in pairs) + rows
    best, total = int(votes[leaf].argmax()), votes[leaf].sum()
    share = votes[leaf][best] / total if total > 0 else 0.0
    return f"{one_line(tables.names[best])}\n{share_text(share)}{rows}"


def quoted(text: str) -> str:
    """A text as a quoted string of the DOT language, whatever it holds."""
    clean = "".join(c if c == "\n" or c.isprintable() else " " for c in text)
    return '"' + clean.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
