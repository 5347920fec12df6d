"""A method for a table of one's own, chosen by its training rows."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from treecore.core.tree import tree_depth
from treecore.data.dataset import subsample
from treecore.selection import Decision, TeacherQuestion, choose_tree
from treecore.training.registry import TREES
from ui.jobs.chosen_data import ChosenData
from ui.jobs.session import remembered, session_turn
from ui.language.translate import _
from ui.shell.safe_text import plain
from ui.widgets.method_settings import DEEPEST_SHOWN, widget_key
from ui.widgets.own_file import UPLOAD

MOST_ROWS = 5000
"""Rows at most by which a method is chosen: seconds of one processor."""


@dataclass(frozen=True)
class AutoChoice:
    """What was decided, and what of it can be played."""

    decision: Decision
    depth: int
    n_rows: int

    @property
    def method(self) -> str:
        """The method that grows the chosen tree."""
        return self.decision.best.method


def auto_control(data: ChosenData) -> None:
    """The button that has a file's rows decide how they are learnt, and what was decided.

    It sets the method and its depth, so it stands before their widgets.
    """
    if data.key[0] != UPLOAD:
        return
    loss, class_weight = _errors(data.train.task)
    key = (data.key, loss, class_weight)
    asked = st.button(
        _("Let the rows decide"),
        icon=":material/balance:",
        key="auto",
        width="stretch",
        help=_(
            "Several trees learn from parts of the training rows and are compared on the others. "
            "The method of the best one is set below. Rows of the test share decide nothing."
        ),
    )
    if asked:
        try:
            with st.spinner(_("Comparing trees on rows held out")):
                choice = remembered("auto_choice", key, lambda: _choose(data, loss, class_weight))
        except ValueError as error:
            st.error(
                plain(_("Nothing could be decided: {error}.", error=error)), icon=":material/error:"
            )
            return
        st.session_state["method"] = choice.method
        st.session_state[widget_key(choice.method, "depth")] = choice.depth
    known, choice = st.session_state.get("auto_choice", (None, None))
    if known != key:
        return
    rows = (
        ""
        if choice.n_rows == data.train.n_samples
        else _(" (by {n_rows} of the rows)", n_rows=choice.n_rows)
    )
    title = _(TREES[choice.method].title)
    st.caption(
        _(
            "**Auto decided{rows}:** {summary}\n\nSo the method is {title}, "
            "{depth} deep, which plays on the rows alone, without pruning or a forest's help. "
            "`treecore train --method auto` writes the tree itself.",
            rows=rows,
            summary=choice.decision.summary(),
            title=title,
            depth=choice.depth,
        )
    )


def _errors(task: str) -> tuple[str, str]:
    """The loss and the weights of classes, as the widgets below have them."""
    if task == "regression":
        return st.session_state.get("loss") or "squared", "none"
    return "log", "balanced" if st.session_state.get("balanced") else "none"


def _choose(data: ChosenData, loss: str, class_weight: str) -> AutoChoice:
    seed = int(st.session_state.seed)
    rows = subsample(data.train, MOST_ROWS, seed)
    question = TeacherQuestion.of(rows, loss, class_weight, seed)
    with session_turn() as turn:
        tree, decision = choose_tree(question, pause=lambda: turn.take(0.0))
    return AutoChoice(decision, min(max(1, tree_depth(tree)), DEEPEST_SHOWN), rows.n_samples)
