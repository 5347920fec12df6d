"""What can be said of a run and its tree in words, for a page that is taken along."""

from __future__ import annotations

from treecore import Tree
from treecore.data.dataset import Dataset
from treecore.viewer.page import safe
from ui.drawing.split_text import split_text


def facts_html(tree: Tree, train: Dataset, rows: list[tuple[str, str]]) -> str:
    """What was learnt and how, and every split in words: part of a page.

    Parameters
    ----------
    tree : Tree
    train : Dataset
        That it was learnt from.
    rows : list of (name, value)
        What is told of the run.
    """
    table = "".join(f"<tr><th>{safe(a)}</th><td>{safe(b)}</td></tr>" for a, b in rows)
    return f"<h2>The run</h2><table>{table}</table><h2>The splits</h2>{_splits(tree, train)}"


MOST_SPLITS, MOST_TERMS = 255, 4


def _splits(tree: Tree, train: Dataset) -> str:
    """Every split as a question: right where it is answered with yes."""
    scale, rows = train.X.std(axis=0), []
    for split in range(min(tree.n_splits, MOST_SPLITS)):
        asked = split_text(tree, split, train.feature_names, scale, MOST_TERMS, digits=4)
        ways = (_way(int(side[split])) for side in (tree.right, tree.left))
        rows.append((f"split {split}", asked, *ways))
    if not rows:
        return "<p>None: the tree is a single leaf.</p>"
    cells = "".join(
        f"<tr><th>{a}</th><td>{safe(b)}</td><td>{c}</td><td>{d}</td></tr>" for a, b, c, d in rows
    )
    more = tree.n_splits - len(rows)
    rest = f"<p>and {more} more</p>" if more else ""
    return (
        "<table><tr><th></th><th>question</th><th>if so</th><th>if not</th></tr>"
        f"{cells}</table>{rest}"
    )


def _way(node: int) -> str:
    return f"split {node}" if node >= 0 else f"leaf {~node}"
