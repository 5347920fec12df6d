"""A method, or its settings, chosen by the training rows: by auto, and as in the paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from treecore.core.tree import tree_depth
from treecore.data.dataset import subsample
from treecore.selection import (
    CONTESTS,
    Decision,
    TeacherQuestion,
    bound_contest,
    bound_summary,
    choose_tree,
)
from treecore.training.registry import METHODS, TREES
from ui.jobs.chosen_data import ChosenData
from ui.jobs.session import remembered, session_turn
from ui.language.translate import _
from ui.shell.safe_text import plain
from ui.widgets.data.own_file import UPLOAD
from ui.widgets.method_settings import DEEPEST_SHOWN

MOST_ROWS, PAPER_ROWS = 5000, 2000
"""Rows at most by which a method is chosen, and by which ν and η are: seconds of one processor."""


@dataclass(frozen=True)
class AutoChoice:
    """What was decided, and what of it can be played."""

    decision: Decision
    depth: int
    linear: bool
    n_rows: int

    @property
    def method(self) -> str:
        """The method that grows the chosen tree."""
        return self.decision.best.method


Take = Callable[[str, Mapping[str, Any]], None]
"""Gives the page a method and settings; controls that do stand before its widgets."""


def auto_control(data: ChosenData, take: Take) -> None:
    """The button that has a file's rows decide how they are learnt, and what was decided."""
    if data.key[0] != UPLOAD:
        return
    loss, class_weight = _errors(data.train.task)
    key = (data.key, loss, class_weight)
    requested = st.button(
        _("Let the rows decide"),
        icon=":material/balance:",
        key="auto",
        width="stretch",
        help=_(
            "Several trees learn from parts of the training rows and are compared on the others. "
            "The method of the best one is set below. Rows of the test share decide nothing."
        ),
    )
    if requested:
        try:
            with st.spinner(_("Comparing trees on rows held out")):
                choice = remembered("auto_choice", key, lambda: _choose(data, loss, class_weight))
        except ValueError as error:
            st.error(
                plain(_("Nothing could be decided: {error}.", error=error)), icon=":material/error:"
            )
            return
        settings: dict[str, Any] = {"depth": choice.depth}
        if {"leaf"} & {setting.name for setting in METHODS[choice.method].definitions()}:
            settings["leaf"] = "linear" if choice.linear else "constant"
        take(choice.method, settings)
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


@dataclass(frozen=True)
class PaperChoice:
    """What was decided as the paper does, and the settings that play it."""

    decision: Decision
    settings: Mapping[str, Any]
    n_rows: int


def paper_control(data: ChosenData, depth: int, take: Take) -> None:
    """The button that has ν and η chosen as in the paper, for this depth, and what was chosen."""
    loss, class_weight = _errors(data.train.task)
    key = (data.key, loss, class_weight, depth, int(st.session_state.seed))
    requested = st.button(
        _("As in the paper"),
        icon=":material/article:",
        key="paper",
        width="stretch",
        help=_(
            "The pipeline of Norouzi et al. 2015: cuts on one feature, turned by CO2, then all "
            "splits together by SGD on the bound. ν and η are chosen on training rows that are "
            "held out, at the depth set below. The CO2 tree stays where nothing is clearly better."
        ),
    )
    if requested:
        try:
            with st.spinner(_("Trying ν and η on rows held out")):
                choice = remembered(
                    "paper_choice", key, lambda: _tune(data, loss, class_weight, depth)
                )
        except ValueError as error:
            st.error(
                plain(_("Nothing could be decided: {error}.", error=error)), icon=":material/error:"
            )
            return
        take(choice.decision.best.method, {"depth": depth, **choice.settings})
    known, choice = st.session_state.get("paper_choice", (None, None))
    if known == key:
        few = choice.n_rows != data.train.n_samples
        rows = _(" (by {n_rows} of the rows)", n_rows=choice.n_rows) if few else ""
        summary_text = bound_summary(choice.decision)
        st.caption(_("**As in the paper{rows}:** {told}", rows=rows, told=summary_text))


def _errors(task: str) -> tuple[str, str]:
    """The loss and the weights of classes, as the widgets below have them."""
    if task == "regression":
        return st.session_state.get("loss") or "squared", "none"
    return "log", "balanced" if st.session_state.get("balanced") else "none"


def _choose(data: ChosenData, loss: str, class_weight: str) -> AutoChoice:
    question = _question(data, loss, class_weight, MOST_ROWS)
    with session_turn() as turn:
        # The Lab plays no trees behind hinges.
        contest = CONTESTS[data.train.task].of_plain_features()
        tree, decision, _map = choose_tree(question, lambda: turn.take(0.0), contest)
    depth = min(max(1, tree_depth(tree)), DEEPEST_SHOWN)
    return AutoChoice(decision, depth, tree.linear is not None, len(question.y))


def _tune(data: ChosenData, loss: str, class_weight: str, depth: int) -> PaperChoice:
    question, contest = _question(data, loss, class_weight, PAPER_ROWS), bound_contest(depth)
    with session_turn() as turn:
        decision = choose_tree(question, lambda: turn.take(0.0), contest).decision
    (chosen,) = [one for one in contest.candidates if one.name == decision.chosen]
    return PaperChoice(decision, chosen.settings, len(question.y))


def _question(data: ChosenData, loss: str, class_weight: str, most: int) -> TeacherQuestion:
    """The question to at most so many of the training rows."""
    seed = int(st.session_state.seed)
    return TeacherQuestion.of(subsample(data.train, most, seed), loss, class_weight, seed)
