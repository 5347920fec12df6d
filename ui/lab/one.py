"""One tree in the Lab, live: what it learns, and what holds it back."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from treecore.viewer import Plane
from ui.jobs.chosen_data import ChosenData
from ui.jobs.session import session_value
from ui.lab.inspecting import inspect_button, inspected, is_asked
from ui.lab.learners import remedy
from ui.lab.models import lab_models
from ui.language.translate import _
from ui.links.view import lens_now, take_lens
from ui.live.train_session import VIEW, SelectedRun, TrainSession
from ui.live.views import live_view, slow_view
from ui.shell.class_link import group
from ui.step.panel import (
    held_still,
    learner_shown,
    open_slow_motion,
    row_or_split,
    slow_panel,
    wants_first_steps,
)
from ui.widgets.data.gallery import DRAWN

SLOW = "slow"
"""Name of the view of slow motion."""

AGAIN = "play_again"
"""The session's key of a run that is to be played as soon as there is one."""


def redrawn(before: SelectedRun | None, data: ChosenData) -> bool:
    """Whether somebody goes on drawing after a run has ended: that of the new points is watched."""
    if (
        before is None
        or not before.data.key[0] == data.key[0] == DRAWN
        or before.data.key == data.key
    ):
        return False
    return before.runner.look().state == "finished"


def watch(session: TrainSession, run: SelectedRun, fixed: bool = False) -> None:
    """The run on the page, live; fixed: its settings are not the page's."""
    status = run.runner.look()
    with st.container(key="verdict"):
        remark(run, status.state, fixed)
    if show_slowly(session, run):
        return
    lens = lens_now().message(st.session_state.get("lens_link", 0))
    live_view(session.channel, VIEW, "live", status.resting, lens, take_lens, ask_step)
    with group("more"), st.container(horizontal=True, gap="small", vertical_alignment="center"):
        # Always there: a click whose run has been played meanwhile is not to be lost.
        inspect_button(disabled=run.runner.latest() is None)


def inspects(run: SelectedRun, plane: Plane, title: DeltaGenerator) -> bool:
    """The tree inspected, where that is asked for and the run rests; it is learnt first."""
    status, frame = run.runner.look(), run.runner.latest()
    if not is_asked() or status.state not in ("paused", "finished"):
        return False
    if frame is None or (not frame.event.done and status.state == "paused"):
        run.runner.play()
        return False
    inspected(lab_models(), run.data, plane, title)
    return True


def remark(run: SelectedRun, state: str, fixed: bool) -> None:
    history = run.runner.look().history
    if fixed or state not in ("paused", "finished"):
        return
    if history and history[-1].done and (r2 := history[-1].validation_r2 or 0.0) < 0:
        worse = _("Test R² is {r2:.1%}: the mean of the target would predict better.", r2=r2)
        st.markdown(f":small[{worse}]")
    remedy(0, run.config, history, play_again, alone=True)


def ask_step(which: int) -> None:
    """A step is to be shown in slow motion: of a point, or at a split; -1: of any."""
    session = session_value(TrainSession)
    if session.stage is not None and session.selected is not None:
        open_slow_motion(0, row_or_split(session.stage, session.selected.config, which))


def show_slowly(session: TrainSession, run: SelectedRun) -> bool:
    """Steps from the present tree in slow motion, where they are asked for and the run rests."""
    status, frame = run.runner.look(), run.runner.latest()
    if learner_shown([run.config]) is None or frame is None or session.stage is None:
        return False
    if status.state == "paused" and wants_first_steps(run.config, frame):
        run.runner.step_to(run.runner.next_epoch)
        return False
    if status.state not in ("paused", "finished"):
        return False
    held = held_still(0, run.config, run.data, session.stage, frame)
    with st.container(key="slowly"):
        left, right = st.columns([2.1, 1])
        with left:
            if not isinstance(held, str):
                session.channel.show(SLOW, held.source)
                slow_view(session.channel, SLOW, SLOW, ask_step)
        with right:
            slow_panel(held, [run.config], session.channel)
    return True


def play_again() -> None:
    st.session_state[AGAIN] = True
