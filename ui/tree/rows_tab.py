"""Rows laid over the tree: how good it is on them, where they fall, those of one leaf."""

from __future__ import annotations

import numpy as np
import streamlit as st

from treecore.core.tree import parents
from treecore.losses.calibration import reliability
from treecore.persistence import Document
from ui.drawing.charts import confusion_figure, errors_figure
from ui.drawing.theme import number, paint, show
from ui.shell.safe_text import in_cell, plain
from ui.tree.charts import reliability_figure
from ui.tree.drawing import node_key
from ui.tree.overlay import Overlay
from ui.widgets.owned import owned

MOST_ROWS, MOST_COLUMNS = 500, 60
"""Of a table: more are not read on a page."""


def rows_tab(document: Document, overlay: Overlay) -> None:
    """All that the rows of one part say of the tree."""
    figures_of(overlay)
    left, right = st.columns(2, gap="medium")
    with left:
        errors_of(overlay)
    with right:
        if not overlay.numbers:
            calibration_of(overlay)
    leaves_table(document, overlay)
    node_rows(document, overlay)


def figures_of(overlay: Overlay) -> None:
    """Sizes and figures in one line."""
    name, good = overlay.good
    reached = overlay.figures.active_leaves
    facts = [
        f"**{overlay.rows.n_samples:,}** rows",
        f"{name} **{good:.1%}**",
        f"loss **{number(overlay.figures.loss)}**",
        f"**{reached}** of {overlay.tree.n_leaves} leaves reached",
    ]
    if not overlay.numbers:
        n = overlay.counts.sum(axis=1)
        pure = float((overlay.counts.max(axis=1)[n > 0].sum()) / max(1, n.sum()))
        facts.append(f"mean purity **{pure:.1%}**")
    st.markdown(" · ".join(facts))


def errors_of(overlay: Overlay) -> None:
    """The confusion matrix, or predictions over truths."""
    dark = paint().dark
    if overlay.numbers:
        st.header("How far off it is")
        figure = errors_figure(overlay.rows.y, overlay.guess, overlay.rows.target_name, dark)
        show(figure, "tree_errors", "Predicted over true numbers of the rows")
        return
    st.header("Which classes it confuses")
    names = class_names(overlay)
    figure = confusion_figure(overlay.rows.y, overlay.guess, names, dark)
    show(figure, "tree_confusion", "Confusion matrix of the rows")


def class_names(overlay: Overlay) -> tuple[str, ...]:
    """Of the tree's outputs; a tree may know classes that the rows do not have."""
    names = overlay.rows.class_names
    return (*names, *(f"class {i}" for i in range(len(names), overlay.tree.n_outputs)))


def calibration_of(overlay: Overlay) -> None:
    """Whether its probabilities come true."""
    st.header(
        "Do its probabilities come true?",
        help="Rows by the probability of the class that is predicted for them: of those with 80 %, "
        "80 % should be right. The expected calibration error is the mean distance from the "
        "diagonal, each bar by its rows.",
    )
    found = reliability(overlay.probabilities, overlay.rows.y)
    figure = reliability_figure(found, paint())
    alt = f"Share right over probability; expected calibration error {found.error:.1%}"
    show(figure, "tree_reliability", alt)
    st.caption(f"Expected calibration error: **{found.error:.1%}**")


def leaves_table(document: Document, overlay: Overlay) -> None:
    """Every leaf in a line: rows, purity, prediction."""
    counts, tree = overlay.counts, overlay.tree
    n = counts.sum(axis=1)
    _, above = parents(tree)
    columns: dict[str, list] = {
        "leaf": list(range(tree.n_leaves)),
        "below split": above.tolist(),
        "rows": n.tolist(),
    }
    if overlay.numbers:
        columns["predicts"] = tree.values[:, 0].tolist()
        means = np.bincount(overlay.leaf, overlay.rows.y, tree.n_leaves) / np.maximum(n, 1)
        columns["mean of its rows"] = np.where(n > 0, means, np.nan).tolist()
    else:
        names = document.class_names
        columns["predicts"] = [in_cell(names[c]) for c in tree.values.argmax(axis=1)]
        columns["purity"] = overlay.purity.tolist()
        columns["right"] = _shares_right(overlay).tolist()
    with st.expander(f"All {tree.n_leaves} leaves"):
        shares = st.column_config.NumberColumn(format="percent")
        st.dataframe(
            columns,
            hide_index=True,
            height=280,
            key="tree_leaves_table",
            column_config={"purity": shares, "right": shares},
        )


def _shares_right(overlay: Overlay) -> np.ndarray:
    """Share of the rows of every leaf that it gets right, NaN without rows."""
    label = overlay.tree.values.argmax(axis=1)
    n = overlay.counts.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return overlay.counts[np.arange(len(n)), label] / n


def leaves_below(tree, node: int) -> np.ndarray:
    """The leaves that are reached through a node, a split or ``~leaf``."""
    found, waiting = [], [node]
    while waiting:
        at = waiting.pop()
        if at < 0:
            found.append(~at)
        else:
            waiting += [int(tree.left[at]), int(tree.right[at])]
    return np.sort(np.array(found, dtype=np.int64))


def node_title(node: int) -> str:
    """What a split or ``~leaf`` is called."""
    return f"Leaf {~node}" if node < 0 else f"Split {node}" if node else "Root split"


def node_rows(document: Document, overlay: Overlay) -> None:
    """The rows that come to the node that was picked, as a table."""
    tree, rows = overlay.tree, overlay.rows
    known = [*range(tree.n_splits), *(~leaf for leaf in range(tree.n_leaves))]
    first = known[-1] if tree.n_splits == 0 else ~int(overlay.leaf[0])
    chosen = owned(node_key(), first, known)
    st.header("The rows of a leaf or split")
    node = st.selectbox(
        "Leaf or split",
        known,
        known.index(chosen.value),
        format_func=node_title,
        help="Or click a leaf or a split in the drawing.",
        **chosen.widget(),
    )
    at = np.flatnonzero(np.isin(overlay.leaf, leaves_below(tree, node)))
    if not len(at):
        st.caption(f"None of the rows comes to {node_title(node).lower()}.")
        return
    shown = at[:MOST_ROWS]
    columns: dict[str, list] = {"row": shown.tolist()}
    if overlay.numbers:
        columns |= {
            plain_name(rows.target_name): rows.y[shown].tolist(),
            "predicted": overlay.guess[shown].tolist(),
        }
    else:
        names = class_names(overlay)
        columns |= {
            "class": [in_cell(names[c]) for c in rows.y[shown]],
            "predicted": [in_cell(names[c]) for c in overlay.guess[shown]],
            "probability": overlay.probabilities[shown, overlay.guess[shown]].tolist(),
        }
    for j, name in enumerate(rows.feature_names[:MOST_COLUMNS]):
        title = plain_name(name)
        while title in columns:
            title += " "
        columns[title] = rows.X[shown, j].tolist()
    left = [f"{len(at):,} of {rows.n_samples:,} rows come to {node_title(node).lower()}."]
    if len(at) > MOST_ROWS:
        left.append(f"The first {MOST_ROWS} are shown.")
    if rows.n_features > MOST_COLUMNS:
        left.append(f"The first {MOST_COLUMNS} of {rows.n_features} features are shown.")
    st.caption(plain(" ".join(left)))
    st.dataframe(
        columns,
        hide_index=True,
        height=min(320, 38 + 35 * len(shown)),
        key="tree_rows_table",
        column_config={"probability": st.column_config.NumberColumn(format="percent")},
    )


def plain_name(name: str) -> str:
    """The title of a column, which a spreadsheet may read."""
    return in_cell(name)[:60]
