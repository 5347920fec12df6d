"""What the tree asks: the importance of features, how many it uses, all splits in words."""

import numpy as np
import streamlit as st

from treecore.data import read_training
from treecore.inspection import feature_importances, features_per_split, used_features
from treecore.losses import LOSSES
from treecore.persistence import Document
from treecore.pruning import sums_below
from ui.drawing.on_page import show
from ui.drawing.split_text import split_text
from ui.drawing.theme import paint
from ui.inspect.charts import largest, signed_bars
from ui.inspect.opened import OpenedTree, measure_text
from ui.inspect.overlay import Overlay
from ui.language.translate import _, number
from ui.shell.safe_text import in_cell


def asks_tab(opened: OpenedTree, overlay: Overlay, grown: Overlay) -> None:
    document, tree = opened.document, overlay.tree
    if not tree.n_splits:
        st.caption(_("The tree is a single leaf: it has no splits."))
        return
    st.header(
        _("Importance"),
        help=_(
            "A split earns the decrease in impurity of its examples, times their number. An "
            "oblique split divides this among its features by how much each moves the score."
        ),
    )
    names, values, _errors = largest(overlay.names(document), importances(opened, grown))
    st.caption(measure_text(opened.criterion, grown.numbers, grown.rows_name))
    if names:
        figure = signed_bars(names, values, paint(), _("share of impurity decrease"))
        show(figure, "tree_importance", _("Share of each feature in the decrease of impurity"))
    else:
        st.caption(_("No split lowers the impurity of these examples."))
    used = features_per_split(tree)
    st.markdown(
        _(
            "The tree uses **{used}** of {n_features} features, a split **{mean}** on average "
            "and {most} at most.",
            used=len(used_features(tree)),
            n_features=tree.n_features,
            mean=number(used.mean()),
            most=int(used.max()),
        )
    )
    st.header(_("Every split in words"))
    st.dataframe(splits_table(document, overlay), hide_index=True, key="tree_splits_table")


def importances(opened: OpenedTree, overlay: Overlay) -> np.ndarray:
    """Shares of the features, by the tree's own criterion, float64 (n_features,)."""
    rows, loss = overlay.rows, LOSSES["squared" if overlay.numbers else "log"]
    read, _units = read_training(rows.given, rows.y, None, "none", loss, overlay.tree.n_outputs)
    criterion = opened.criterion or "gini"
    return feature_importances(overlay.tree, read, overlay.leaf, criterion, overlay.sources)


def splits_table(document: Document, overlay: Overlay) -> dict[str, list]:
    """Every split: its question by its largest weights, its rows, what it uses."""
    tree, spread = overlay.tree, overlay.rows.X.std(axis=0)
    n = overlay.counts.sum(axis=1)
    rows = sums_below(tree, n.astype(np.float64)).astype(int)
    to_right = [
        int(rows[child] if child >= 0 else n[~child]) for child in tree.right[: tree.n_splits]
    ]
    names, units, sets = document.feature_names, document.units, document.level_sets()
    return {
        _("split"): list(range(tree.n_splits)),
        _("goes right if"): [
            in_cell(split_text(tree, split, names, units, spread, 4, sets=sets))
            for split in range(tree.n_splits)
        ],
        _("examples"): rows.tolist(),
        _("go right"): to_right,
        _("features"): features_per_split(tree).tolist(),
    }
