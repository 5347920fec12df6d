"""The row that is looked at: which, how it has been moved, and what a tree says of it."""

from dataclasses import replace

import numpy as np
import streamlit as st

from treecore import Forest, Tree, apply, predict_proba
from treecore.core import OBLIQUE, predict_values
from treecore.data import Dataset
from treecore.inspection.contributions import Contributions, contributions
from treecore.persistence import Document
from ui.drawing.split_text import split_text
from ui.inspect.opened import REQUESTED_MOVES
from ui.inspect.overlay import Overlay
from ui.language.translate import N_, _, number, written
from ui.shell.safe_text import plain


def chosen_row(overlay: Overlay) -> int:
    row = int(st.session_state.get("tree_row") or 0)
    return min(max(0, row), overlay.rows.n_samples - 1)


def row_control(overlay: Overlay) -> None:
    st.session_state.tree_row = chosen_row(overlay)
    st.number_input(
        _("Example, from 0 to {last}", last=overlay.rows.n_samples - 1),
        0,
        overlay.rows.n_samples - 1,
        key="tree_row",
        persist_state="session",
        help=_("The drawing marks the path of this example."),
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


def answer_text(document: Document, model: Tree | Forest, x: np.ndarray) -> str:
    if isinstance(model, Forest):
        answer = model.scores(x[None])[0]
    else:
        answer = (predict_values if document.output_names else predict_proba)(model, x[None])[0]
    if document.output_names:
        return f"{document.output_names[0]} = {number(answer[0])}"
    return f"{document.class_names[int(answer.argmax())]}, {written(answer.max(), '.0%')}"


def together(forest: Forest) -> str:
    """Says that all trees are asked, where the page is about one of them."""
    return _("The {n_trees} trees of the forest predict together.", n_trees=forest.n_trees)


def background_of(overlay: Overlay, most: int) -> np.ndarray:
    """So many rows at most that one is compared with, the same for equal rows."""
    n = overlay.rows.n_samples
    at = np.sort(np.random.default_rng(0).permutation(n)[:most])
    return overlay.rows.given[at]


def with_rows(rows: Dataset, x: np.ndarray) -> Dataset:
    """One row as a dataset of its own, which has the shades of all."""
    top = np.zeros_like(x)
    top[0] = rows.X.max()
    return replace(rows, X=np.stack([x, top]), y=rows.y[:2], holes=None)


def path_of_row(overlay: Overlay, x: np.ndarray) -> Contributions:
    return contributions(overlay.tree, x, overlay.rows.X.mean(axis=0), overlay.sources)


def sentences(document: Document, tree: Tree, path: Contributions, x: np.ndarray) -> list[str]:
    sentence, sets = [], document.level_sets()
    for split, right, score in zip(path.splits, path.right, path.score, strict=True):
        names, units = document.feature_names, document.units
        question = plain(split_text(tree, int(split), names, units, sets=sets))
        name = _("Split {node}", node=split) if split else _("The root")
        found = N_("Yes, by {margin}") if right else N_("No, by {margin}")
        feature = tree.feature[split]
        if split in sets:
            found = N_("Yes") if right else N_("No")
        if feature != OBLIQUE and np.isnan(x[feature]):
            found = N_("Missing")
        line = N_("1. {name}: {question}? {found}: the example goes **left**.")
        if right:
            line = N_("1. {name}: {question}? {found}: the example goes **right**.")
        found = _(found, margin=number(abs(score)))
        sentence.append(_(line, name=name, question=question, found=found))
    answer = plain(answer_text(document, tree, x))
    sentence.append(
        _(
            "1. The example ends in leaf {leaf}, which predicts **{answer}**.",
            leaf=path.leaf,
            answer=answer,
        )
    )
    return sentence
