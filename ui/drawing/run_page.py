"""Recorded runs as a page in one file, in the visitor's language, with what is said of a tree."""

from collections.abc import Sequence

from treecore import Tree
from treecore.data import Dataset
from treecore.viewer import RecordedRun, page_html, safe
from ui.drawing.split_text import split_text
from ui.language.catalogue import ENGLISH, viewer_words
from ui.language.translate import _, language


def run_page(title: str, runs: Sequence[RecordedRun], before: str = "", after: str = "") -> str:
    """The file's text; parameters are those of :func:`treecore.viewer.pages.page.page_html`."""
    code = language()
    words = "" if code == ENGLISH else viewer_words(code)
    return page_html(title, runs, before, after, say=_, words=words)


def facts_html(tree: Tree, train: Dataset, rows: list[tuple[str, str]]) -> str:
    """What was learnt from ``train`` and how, and every split in words: part of a page."""
    table = "".join(f"<tr><th>{safe(a)}</th><td>{safe(b)}</td></tr>" for a, b in rows)
    run, splits = safe(_("The run")), safe(_("The splits"))
    return f"<h2>{run}</h2><table>{table}</table><h2>{splits}</h2>{_splits(tree, train)}"


MOST_SPLITS, MOST_TERMS = 255, 4


def _splits(tree: Tree, train: Dataset) -> str:
    """Every split as a question: right where it is answered with yes."""
    scale, rows = train.X.std(axis=0), []
    for split in range(min(tree.n_splits, MOST_SPLITS)):
        names, units = train.feature_names, train.units
        requested = split_text(tree, split, names, units, scale, MOST_TERMS, digits=4)
        ways = (_way(int(side[split])) for side in (tree.right, tree.left))
        rows.append((_way(split), requested, *ways))
    if not rows:
        return f"<p>{safe(_('None: the tree is a single leaf.'))}</p>"
    titles = ("", _("split"), _("if yes"), _("if no"))
    head = "".join(f"<th>{safe(title)}</th>" for title in titles)
    cells = "".join(
        f"<tr><th>{safe(name)}</th>{''.join(f'<td>{safe(cell)}</td>' for cell in rest)}</tr>"
        for name, *rest in rows
    )
    more = tree.n_splits - len(rows)
    rest = f"<p>{safe(_('and {n} more', n=more))}</p>" if more else ""
    return f"<table><tr>{head}</tr>{cells}</table>{rest}"


def _way(node: int) -> str:
    return _("split {node}", node=node) if node >= 0 else _("leaf {node}", node=~node)
