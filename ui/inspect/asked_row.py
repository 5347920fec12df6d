"""The row that is looked at: which, how it has been moved, and what a tree says of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from treecore import Tree, apply, predict_proba
from treecore.core import predict_values
from treecore.data import Dataset
from treecore.persistence import Document
from ui.drawing.theme import number
from ui.inspect.link import REQUESTED_MOVES
from ui.inspect.overlay import Overlay
from ui.language.translate import _, written


def chosen_row(overlay: Overlay) -> int:
    row = int(st.session_state.get("tree_row") or 0)
    return min(max(0, row), overlay.rows.n_samples - 1)


def row_control(overlay: Overlay) -> None:
    st.session_state.tree_row = chosen_row(overlay)
    st.number_input(
        _("Row, from 0 to {last}", last=overlay.rows.n_samples - 1),
        0,
        overlay.rows.n_samples - 1,
        key="tree_row",
        persist_state="session",
        help=_("The drawing marks the path of this row."),
    )


def present_row(overlay: Overlay) -> np.ndarray:
    """The row as it has been moved by hand, float64 (n_features,), NaN where a value is missing."""
    row = chosen_row(overlay)
    x = overlay.rows.given[row].astype(np.float64).copy()
    for j, value in moves_of(overlay, row).items():
        x[j] = value
    return x


def moves_of(overlay: Overlay, row: int) -> dict[int, float]:
    """Where a row's features have been moved to, by hand or by a link; none are another row's."""
    state = st.session_state
    requested = state.pop(REQUESTED_MOVES, None)
    if requested is not None or state.get("tree_moved_row") != (overlay.key, row):
        state.tree_moved_row = overlay.key, row
        known = overlay.rows.n_features
        state.tree_moved = {j: value for j, value in (requested or {}).items() if j < known}
    return state.tree_moved


def leaf_of(tree: Tree, x: np.ndarray) -> int:
    return int(apply(tree, x[None])[0])


def answer_text(document: Document, tree: Tree, x: np.ndarray) -> str:
    """What a tree says of one row, in a few words."""
    if document.output_names:
        sentence = number(predict_values(tree, x[None])[0, 0])
        return f"{document.output_names[0]} = {sentence}"
    odds = predict_proba(tree, x[None])[0]
    return f"{document.class_names[int(odds.argmax())]}, {written(odds.max(), '.0%')}"


def with_rows(rows: Dataset, x: np.ndarray) -> Dataset:
    """One row as a dataset of its own, which has the shades of all."""
    top = np.zeros_like(x)
    top[0] = rows.X.max()
    return replace(rows, X=np.stack([x, top]), y=rows.y[:2], holes=None)
