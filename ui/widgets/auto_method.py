"""A method, or its settings, chosen by the training rows: by auto, and as in the paper."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from treecore.core import tree_depth
from treecore.data import subsample
from treecore.selection import (
    CONTESTS,
    Decision,
    TeacherQuestion,
    bound_contest,
    bound_summary,
    choose_tree,
)
from treecore.training import METHODS, TREES
from ui.jobs.chosen_data import ChosenData
from ui.jobs.session import remembered
from ui.jobs.visitor import session_turn
from ui.language.translate import _
from ui.shell.safe_text import plain
from ui.widgets.data.gallery import UPLOAD
from ui.widgets.method_settings import DEEPEST_SHOWN

MOST_ROWS, PAPER_ROWS = 5000, 2000
"""Rows at most by which a method is chosen, and by which ν and η are: seconds of one processor."""


@dataclass(frozen=True)
class RowsChoice:
    """What was decided, and the settings that play it; by how many of the rows."""

    decision: Decision
    settings: Mapping[str, Any]
    n_rows: int

    @property
    def method(self) -> str:
        return self.decision.best.method


Take = Callable[[str, Mapping[str, Any]], None]
"""Gives the page a method and settings; controls that do stand before its widgets."""


def auto_control(data: ChosenData, take: Take) -> None:
    """The button that has a file's rows decide how they are learnt, and what was decided."""
    if data.key[0] != UPLOAD:
        return
    errors = _errors(data.train.task)
    pressed = st.button(
        _("Choose automatically"),
        icon=":material/balance:",
        key="auto",
        width="stretch",
        help=_(
            "Trains several trees on parts of the training examples and compares them on the "
            "others. Sets the method of the best one below; test examples play no part. Use it "
            "when you do not know which method to choose."
        ),
    )
    key, busy = (data.key, *errors), _("Comparing trees on validation examples")
    choice = _choice("auto_choice", key, pressed, busy, lambda: _choose(data, errors), take)
    if choice is None:
        return
    st.caption(
        _(
            "**Chosen automatically{rows}:** {summary}\n\nThe method is now {title}, depth "
            "{depth}, without pruning or help from a forest. `treecore train --method auto` "
            "saves the chosen tree itself.",
            rows=_by_some(choice, data),
            summary=choice.decision.summary(),
            title=_(TREES[choice.method].title),
            depth=choice.settings["depth"],
        )
    )


def paper_control(data: ChosenData, depth: int, take: Take) -> None:
    """The button that has ν and η chosen as in the paper, for this depth, and what was chosen."""
    errors = _errors(data.train.task)
    pressed = st.button(
        _("As in the paper"),
        icon=":material/article:",
        key="paper",
        width="stretch",
        help=_(
            "Follows Norouzi et al. 2015: splits on one feature, adjusted by CO2, then all splits "
            "together by SGD on the bound. Chooses ν and η on validation examples, at the depth "
            "below; keeps the CO2 tree where nothing is clearly better. Use it to repeat the paper."
        ),
    )
    key = (data.key, *errors, depth, int(st.session_state.seed))
    busy = _("Trying ν and η on validation examples")
    choice = _choice("paper_choice", key, pressed, busy, lambda: _tune(data, errors, depth), take)
    if choice is not None:
        rows, summary = _by_some(choice, data), bound_summary(choice.decision)
        st.caption(_("**As in the paper{rows}:** {told}", rows=rows, told=summary))


def _choice(
    name: str, key: tuple, pressed: bool, busy: str, choose: Callable[[], RowsChoice], take: Take
) -> RowsChoice | None:
    """What was chosen for ``key``, now where the button is pressed; None where nothing was."""
    if pressed:
        try:
            with st.spinner(busy):
                choice = remembered(name, key, choose)
        except ValueError as error:
            problem = _("No method could be chosen: {error}.", error=error)
            st.error(plain(problem), icon=":material/error:")
            return None
        take(choice.method, choice.settings)
    known, choice = st.session_state.get(name, (None, None))
    return choice if known == key else None


def _by_some(choice: RowsChoice, data: ChosenData) -> str:
    if choice.n_rows == data.train.n_samples:
        return ""
    return _(" (by {n_rows} of the examples)", n_rows=choice.n_rows)


def _errors(task: str) -> tuple[str, str]:
    """The loss and the weights of classes, as the widgets below have them."""
    if task == "regression":
        return st.session_state.get("loss") or "squared", "none"
    return "log", "balanced" if st.session_state.get("balanced") else "none"


def _choose(data: ChosenData, errors: tuple[str, str]) -> RowsChoice:
    question = _question(data, errors, MOST_ROWS)
    with session_turn() as turn:
        # The Lab plays no trees behind hinges.
        contest = CONTESTS[data.train.task].of_plain_features()
        tree, decision, _map = choose_tree(question, lambda: turn.take(0.0), contest)
    settings: dict[str, Any] = {"depth": min(max(1, tree_depth(tree)), DEEPEST_SHOWN)}
    if "leaf" in {setting.name for setting in METHODS[decision.best.method].definitions()}:
        settings["leaf"] = "constant" if tree.linear is None else "linear"
    return RowsChoice(decision, settings, len(question.y))


def _tune(data: ChosenData, errors: tuple[str, str], depth: int) -> RowsChoice:
    question, contest = _question(data, errors, PAPER_ROWS), bound_contest(depth)
    with session_turn() as turn:
        decision = choose_tree(question, lambda: turn.take(0.0), contest).decision
    (chosen,) = [one for one in contest.candidates if one.name == decision.chosen]
    return RowsChoice(decision, {"depth": depth, **chosen.settings}, len(question.y))


def _question(data: ChosenData, errors: tuple[str, str], most: int) -> TeacherQuestion:
    seed = int(st.session_state.seed)
    return TeacherQuestion.of(subsample(data.train, most, seed), *errors, seed)
