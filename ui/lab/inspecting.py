"""Inspect as a mode of the Lab: what a learner has learnt, with its rows over it."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from treecore.viewer import Plane
from ui.inspect.link import INSPECTED
from ui.inspect.opened import SECOND, TWO, OpenedForest, state_key
from ui.inspect.opening import drawable, open_control, open_model
from ui.inspect.panel import model_page
from ui.jobs.chosen_data import ChosenData
from ui.jobs.session import session_value
from ui.language.translate import _
from ui.live.comparison import Comparison
from ui.live.train_session import TrainSession
from ui.shell.page_style import lay
from ui.shell.safe_text import plain
from ui.step.panel import leave_slow_motion
from ui.widgets.learnt_model import LearntModel


def inspect_button(number: int = 0, label: str = "", *, disabled: bool = False) -> None:
    """Opens what one of the learners has learnt; disabled: whether it has learnt nothing yet."""
    st.button(
        label or _("Inspect"),
        icon=":material/account_tree:",
        key=f"inspect_{number}",
        disabled=disabled,
        help=_(
            "Follow an example through the tree, see what would change its prediction, or prune."
        ),
        on_click=open_inspected,
        args=(number,),
    )


def open_inspected(number: int) -> None:
    leave_slow_motion()
    session_value(Comparison).pause()
    if (run := session_value(TrainSession).selected) is not None:
        run.runner.pause()
    st.session_state[INSPECTED] = number + 1


def why_button(trees: Sequence[int]) -> None:
    """Opens the first two of these learners' trees beside each other; nothing for fewer."""
    if len(trees) > 1:
        st.button(
            _("Where do they differ?"),
            icon=":material/manage_search:",
            key="why",
            help=_("See which tree is right on which examples, and follow one through both."),
            on_click=_open_two,
            args=tuple(trees[:2]),
        )


def _open_two(first: int, second: int) -> None:
    open_inspected(first)
    st.session_state["tree_tab"] = TWO
    st.session_state[state_key("origin", SECOND)] = "run"
    st.session_state[state_key("learner", SECOND)] = second


def is_asked() -> bool:
    return bool(st.session_state.get(INSPECTED))


def inspected(
    models: Sequence[LearntModel], data: ChosenData, plane: Plane, title: DeltaGenerator
) -> None:
    """A model in place of the live view; ``title`` takes what stands in the page's first line."""
    lay("paper", "paper_inspect")
    number = min(st.session_state[INSPECTED], len(models)) - 1
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.button(
            _("Back to learning"),
            icon=":material/arrow_back:",
            key="inspect_leave",
            on_click=lambda: st.session_state.update({INSPECTED: 0}),
            help=_("Return to the run. Nothing you did here has changed it."),
        )
        if len(models) > 1:
            key = "inspect_learner"
            st.session_state[key] = number
            st.segmented_control(
                _("Learner"),
                range(len(models)),
                format_func=lambda i: plain(models[i].title),
                key=key,
                required=True,
                label_visibility="collapsed",
                on_change=lambda: open_inspected(st.session_state[key]),
            )
        found, second = drawable(open_model(models[number])), None
        if st.session_state.get("tree_tab") == TWO and not isinstance(found, OpenedForest):
            second = open_control(data, models, SECOND)
    if found is None:
        return
    top = title.container(horizontal=True, vertical_alignment="center", gap="small")
    model_page(found, second, data, top, plane)
