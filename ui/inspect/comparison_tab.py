"""Two trees on the same rows: their figures, and where they agree."""

from __future__ import annotations

import numpy as np
import streamlit as st

from treecore.core.tree import tree_depth
from treecore.inspection.importances import features_per_split
from treecore.inspection.shapley import used_features
from ui.drawing.theme import number
from ui.inspect.opening import OpenedTree
from ui.inspect.overlay import Overlay
from ui.language.translate import _, written
from ui.shell.safe_text import in_cell, plain

MOST_ROWS = 200
"""Of the table of rows that two trees tell apart."""


def comparison_tab(
    first: OpenedTree, one: Overlay, second: OpenedTree | None, other: Overlay | None
):
    """Figures of both, how often they agree, and the rows on which they do not."""
    st.header(_("Two trees on the same rows"))
    if second is None or other is None:
        st.info(_("Choose the second tree on the left."), icon=":material/arrow_back:")
        return
    st.dataframe(figures_table((first, one), (second, other)), hide_index=True, key="tree_figures")
    rows = one.rows_name
    if one.numbers:
        difference = np.abs(one.guess - other.guess)
        together = 0.0
        if one.guess.std() > 0 and other.guess.std() > 0:
            together = float(np.corrcoef(one.guess, other.guess)[0, 1])
        st.markdown(
            _(
                "On the {rows} their predictions are **{difference}** apart on the mean, and their "
                "correlation is **{together:.2f}**.",
                rows=rows,
                difference=number(difference.mean()),
                together=together,
            )
        )
        apart = np.argsort(-difference, kind="stable")[:MOST_ROWS]
        apart = apart[difference[apart] > 0]
    else:
        same = one.guess == other.guess
        y = one.rows.y
        right, right2 = one.guess == y, other.guess == y
        st.markdown(
            _(
                "They agree on **{same:.1%}** of the {rows}. Both are right on {both}, only the "
                "first on {first}, only the second on {second}, neither on {neither}.",
                same=same.mean(),
                rows=rows,
                both=(right & right2).sum(),
                first=(right & ~right2).sum(),
                second=(right2 & ~right).sum(),
                neither=(~right & ~right2).sum(),
            )
        )
        apart = np.flatnonzero(~same)[:MOST_ROWS]
    if not len(apart):
        st.caption(_("There is no row on which they differ."))
        return
    st.caption(plain(_("Rows on which they differ, {n} of them:", n=len(apart))))
    st.dataframe(rows_table(first, one, other, apart), hide_index=True, key="tree_apart")


def figures_table(*trees: tuple[OpenedTree, Overlay]) -> dict[str, list]:
    """A line a tree."""
    overlays = [over for _opened, over in trees]
    return {
        _("tree"): [in_cell(opened.title) for opened, _over in trees],
        overlays[0].good[0]: [written(over.good[1], ".1%") for over in overlays],
        _("loss"): [number(over.figures.loss) for over in overlays],
        _("leaves"): [over.tree.n_leaves for over in overlays],
        _("depth"): [tree_depth(over.tree) for over in overlays],
        _("features used"): [len(used_features(over.tree)) for over in overlays],
        _("weights"): [int(features_per_split(over.tree).sum()) for over in overlays],
    }


def rows_table(opened: OpenedTree, one: Overlay, other: Overlay, at: np.ndarray) -> dict[str, list]:
    """Rows, what they are, and what the two trees say."""
    row_values = (one.rows.y[at], one.guess[at], other.guess[at])
    columns = (_("in truth"), _("first tree"), _("second tree"))
    table: dict[str, list] = {_("row"): at.tolist()}
    names = opened.document.class_names
    for name, values in zip(columns, row_values, strict=True):
        table[name] = values.tolist() if one.numbers else [in_cell(names[c]) for c in values]
    return table
