"""Rows laid over the tree: how good it is on them, where they fall, those of one leaf."""

import numpy as np
import streamlit as st

from treecore.base import CALENDAR, in_unit
from treecore.core import parents
from treecore.losses import reliability
from treecore.persistence import Document
from treecore.pruning import leaves_below
from ui.drawing.on_page import show
from ui.drawing.theme import paint
from ui.inspect.charts import confusion_figure, errors_figure, reliability_figure
from ui.inspect.opened import state_key
from ui.inspect.overlay import Overlay
from ui.language.translate import _, number, within, written
from ui.shell.page_style import picture_columns
from ui.shell.safe_text import in_cell, plain
from ui.widgets.owned import owned

MOST_ROWS, MOST_COLUMNS = 500, 60
"""Of a table: more are not read on a page."""


def rows_tab(document: Document, overlay: Overlay) -> None:
    figures_of(overlay)
    left, right = picture_columns("rows", gap="medium")
    with left:
        errors_of(overlay)
    with right:
        if not overlay.numbers:
            calibration_of(overlay)
    leaves_table(document, overlay)
    node_rows(overlay)


def figures_of(overlay: Overlay) -> None:
    name, good = overlay.good
    reached = overlay.figures.active_leaves
    facts = [
        _("**{n_samples:,}** examples", n_samples=overlay.rows.n_samples),
        f"{name} **{written(good, '.1%')}**",
        *([] if overlay.numbers else [_("loss **{loss}**", loss=number(overlay.figures.loss))]),
        _(
            "**{reached}** of {n_leaves} leaves reached",
            reached=reached,
            n_leaves=overlay.tree.n_leaves,
        ),
    ]
    st.markdown(" · ".join(facts))


def errors_of(overlay: Overlay) -> None:
    if overlay.numbers:
        st.header(_("Size of errors"))
        figure = errors_figure(overlay.rows.y, overlay.guess, overlay.rows.target_name, paint())
        show(figure, "tree_errors", _("Predicted by true numbers of the examples"))
        return
    st.header(_("Confused classes"))
    names = class_names(overlay)
    figure = confusion_figure(overlay.rows.y, overlay.guess, names, paint())
    show(figure, "tree_confusion", _("Confusion matrix of the examples"))


def class_names(overlay: Overlay) -> tuple[str, ...]:
    """Of the tree's outputs; a tree may know classes that the rows do not have."""
    names = overlay.rows.class_names
    return (*names, *(_("class {i}", i=i) for i in range(len(names), overlay.tree.n_outputs)))


def calibration_of(overlay: Overlay) -> None:
    st.header(
        _("Calibration"),
        help=_(
            "Examples by the probability of their predicted class: 80 % of the examples with 80 % "
            "should be right. The expected calibration error is the mean distance from the "
            "diagonal, weighted by examples."
        ),
    )
    found = reliability(overlay.probabilities, overlay.rows.y)
    figure = reliability_figure(found, paint())
    alt = _("Accuracy by probability; expected calibration error {error:.1%}", error=found.error)
    show(figure, "tree_reliability", alt)
    st.caption(_("Expected calibration error: **{error:.1%}**", error=found.error))


def leaves_table(document: Document, overlay: Overlay) -> None:
    """Every leaf in a line: rows, purity, prediction."""
    counts, tree = overlay.counts, overlay.tree
    n = counts.sum(axis=1)
    _depths, above = parents(tree)
    columns: dict[str, list] = {
        _("leaf"): list(range(tree.n_leaves)),
        _("below split"): above.tolist(),
        _("examples"): n.tolist(),
    }
    if overlay.numbers:
        columns[_("predicts")] = tree.values[:, 0].tolist()
        means = np.bincount(overlay.leaf, overlay.rows.y, tree.n_leaves) / np.maximum(n, 1)
        columns[_("mean of its examples")] = np.where(n > 0, means, np.nan).tolist()
    else:
        names = document.class_names
        columns[_("predicts")] = [in_cell(names[c]) for c in tree.values.argmax(axis=1)]
        columns[_("purity")] = overlay.purity.tolist()
        columns[_("accuracy")] = _shares_right(overlay).tolist()
    with st.expander(_("All {n_leaves} leaves", n_leaves=tree.n_leaves)):
        shares = st.column_config.NumberColumn(format="percent")
        st.dataframe(
            columns,
            hide_index=True,
            height=280,
            key="tree_leaves_table",
            column_config={_("purity"): shares, _("accuracy"): shares},
        )


def _shares_right(overlay: Overlay) -> np.ndarray:
    """Share of the rows of every leaf that it gets right, NaN without rows."""
    n = overlay.counts.sum(axis=1)
    right = np.bincount(overlay.leaf[overlay.guess == overlay.rows.y], minlength=len(n))
    with np.errstate(invalid="ignore", divide="ignore"):
        return right / n


def node_title(node: int) -> str:
    if node < 0:
        return _("Leaf {leaf}", leaf=~node)
    return _("Split {split}", split=node) if node else _("Root split")


def node_rows(overlay: Overlay) -> None:
    tree, rows = overlay.tree, overlay.rows
    known = [*range(tree.n_splits), *(~leaf for leaf in range(tree.n_leaves))]
    first = known[-1] if tree.n_splits == 0 else ~int(overlay.leaf[0])
    chosen = owned(state_key("node"), first, known)
    st.header(_("The examples of a leaf or split"))
    node = st.selectbox(
        _("Leaf or split"),
        known,
        known.index(chosen.value),
        format_func=node_title,
        help=_("Or click a leaf or a split in the drawing."),
        **chosen.widget(),
    )
    at = np.flatnonzero(np.isin(overlay.leaf, leaves_below(tree, node)))
    if not len(at):
        st.caption(_("None of the examples reaches {where}.", where=within(node_title(node))))
        return
    shown = at[:MOST_ROWS]
    columns: dict[str, list] = {_("example"): shown.tolist()}
    if overlay.numbers:
        columns |= {
            plain_name(rows.target_name): rows.y[shown].tolist(),
            _("predicted"): overlay.guess[shown].tolist(),
        }
    else:
        names = class_names(overlay)
        columns |= {
            _("class"): [in_cell(names[c]) for c in rows.y[shown]],
            _("predicted"): [in_cell(names[c]) for c in overlay.guess[shown]],
            _("probability"): overlay.probabilities[shown, overlay.guess[shown]].tolist(),
        }
    for j, name in enumerate(rows.feature_names[:MOST_COLUMNS]):
        title = plain_name(name)
        while title in columns:
            title += " "
        cells, unit = rows.given[shown, j].tolist(), rows.units[j]
        if unit in CALENDAR:
            cells = [None if np.isnan(cell) else in_unit(cell, unit, number) for cell in cells]
        columns[title] = cells
    left = [
        _(
            "{at:,} of {n_samples:,} examples reach {where}.",
            at=len(at),
            n_samples=rows.n_samples,
            where=within(node_title(node)),
        )
    ]
    if len(at) > MOST_ROWS:
        left.append(_("Shows the first {most_rows} examples.", most_rows=MOST_ROWS))
    if rows.n_features > MOST_COLUMNS:
        left.append(
            _(
                "Shows the first {most_columns} of {n_features} features.",
                most_columns=MOST_COLUMNS,
                n_features=rows.n_features,
            )
        )
    st.caption(plain(" ".join(left)))
    st.dataframe(
        columns,
        hide_index=True,
        height=min(320, 38 + 35 * len(shown)),
        key="tree_rows_table",
        column_config={_("probability"): st.column_config.NumberColumn(format="percent")},
    )


def plain_name(name: str) -> str:
    """The title of a column, which a spreadsheet may read."""
    return in_cell(name)[:60]
