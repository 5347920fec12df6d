"""Slow motion on the page: what is held of it for a visitor, and the panel beside map and tree."""

from collections.abc import Callable, Sequence

import numpy as np
import streamlit as st

from treecore import RunConfig
from treecore.viewer import Frame, Stage
from ui.jobs.chosen_data import ChosenData
from ui.jobs.run_title import NUMERALS, run_title
from ui.language.translate import _, ngettext, said
from ui.live.channel import Channel
from ui.live.step_source import clicked
from ui.shell.safe_text import plain
from ui.step.by_hand import ByHand
from ui.step.link import AT, HAND, LEARNER
from ui.step.oc1 import SlowOC1
from ui.step.sgd import SlowSGD
from ui.step.slow_motion import SlowMotion, Watched
from ui.step.tao import SlowTAO

KINDS: dict[str, Callable[[Watched, int | None], SlowMotion]] = {
    "sgd": SlowSGD,
    "stable-sgd": SlowSGD,
    "tao": SlowTAO,
    "oc1": SlowOC1,
}
HELD, HERE = "slow_motion", "slow_here"
"""The session's keys of slow motion, and of whether it was asked for on the page."""


def wants_first_steps(config: RunConfig, frame: Frame) -> bool:
    """Whether a run has no step to show yet: no split, or SGD of a link that has learnt nothing."""
    started = clicked(config) != "point" or frame.event.done > 0 or HERE in st.session_state
    return not (frame.tree.n_splits and started)


def first_of(configs: Sequence[RunConfig]) -> int | None:
    return next((i for i, config in enumerate(configs) if clicked(config)), None)


def learner_shown(configs: Sequence[RunConfig]) -> int | None:
    """The learner in slow motion; None where nobody has asked for it."""
    number = st.session_state.get(LEARNER, 0) - 1
    if number < 0:
        return None
    asked = number < len(configs) and clicked(configs[number]) is not None
    return number if asked else first_of(configs)


def why_not_slow(configs: Sequence[RunConfig]) -> str:
    """Why a link's slow motion is not there; empty where it is, or where none is asked for."""
    if not st.session_state.get(LEARNER) or first_of(configs) is not None:
        return ""
    return _("Slow motion shows SGD, Stable SGD, TAO and OC1: choose one of them.")


def open_slow_motion(number: int, which: int = -1) -> None:
    """Show this learner's step of a row, or at a split; -1: of any."""
    held = st.session_state.get(HELD)
    st.session_state[LEARNER] = number + 1
    if held is not None and held.watched.number == number and which >= 0:
        held.choose(which)
        return
    st.session_state.pop(HELD, None)
    st.session_state[AT], st.session_state[HERE] = which, True


def row_or_split(stage: Stage, config: RunConfig, which: int) -> int:
    """What was clicked, as the learner knows it; -1 for a point held out, or for nothing."""
    if which >= 0 and clicked(config) == "point":
        row = stage.training_row(which)
        return -1 if row is None else row
    return which


def leave_slow_motion() -> None:
    st.session_state.pop(HELD, None)
    st.session_state[LEARNER], st.session_state[AT] = 0, -1
    st.session_state[HAND] = False


def leave_if_played() -> None:
    if HELD in st.session_state:
        leave_slow_motion()


def why_alike(data: ChosenData) -> str:
    """Why nothing can be learnt from these rows, and what to do; empty where it can."""
    train = data.train
    if len(np.unique(train.y)) > 1:
        return ""
    if train.task == "regression":
        return ngettext(
            "There is only one training example, so there is nothing to tell apart. "
            "Choose data with different numbers.",
            "All {n} training examples have the same number, so there is nothing to tell apart. "
            "Choose data with different numbers.",
            train.n_samples,
        )
    return ngettext(
        "There is only one training example, so there is nothing to tell apart. "
        "Choose data with two classes or more.",
        "All {n} training examples are of one class, so there is nothing to tell apart. "
        "Choose data with two classes or more.",
        train.n_samples,
    )


def held_still(
    number: int,
    config: RunConfig,
    data: ChosenData,
    stage: Stage,
    frame: Frame,
    heading: tuple[str, ...] = (),
) -> SlowMotion | str:
    """Slow motion of a learner at this tree; or a sentence on why there is none."""
    held = st.session_state.get(HELD)
    by_hand = bool(st.session_state.get(HAND))
    if isinstance(held, SlowMotion) and isinstance(held, ByHand) == by_hand:
        now = held.watched
        if (now.number, now.config) == (number, config) and now.frame.tree is frame.tree:
            return held
    if alike := why_alike(data):
        return alike
    if not frame.tree.n_splits:
        return _(
            "The tree is still a single leaf and has no split to adjust: let it learn one step."
        )
    which = st.session_state.get(AT, -1)
    try:
        with st.spinner(_("Preparing compiled code. The first time takes half a minute.")):
            watched = Watched(number, config, data, stage, frame, heading)
            made = (ByHand if by_hand else KINDS[config.method])(
                watched, which if which >= 0 else None
            )
    except ValueError as error:
        return _("There is no step to show: {error}.", error=said(error))
    st.session_state[HELD] = made
    return made


def slow_panel(held: SlowMotion | str, configs: Sequence[RunConfig], channel: Channel) -> None:
    """Words, buttons, and the formulas for those who want them."""
    with st.container(key="slow", gap="small"):
        slow = [i for i, config in enumerate(configs) if clicked(config)]
        now = learner_shown(configs)
        assert now is not None, "there is a panel where a learner is shown"
        st.markdown(f"**{_('Slow motion')}** · {run_title(configs[now])}")
        if len(slow) > 1:
            key = "slow_learner_box"
            st.session_state[key] = now
            st.segmented_control(
                _("Learner"),
                slow,
                format_func=lambda i: NUMERALS[i],
                key=key,
                required=True,
                on_change=lambda: open_slow_motion(st.session_state[key]),
                help=_("The learner whose steps are shown."),
            )
        if isinstance(held, str):
            st.info(plain(held), icon=":material/info:")
        else:
            _steps(held)
        st.toggle(
            _("Turn it yourself"),
            key=HAND,
            on_change=lambda: st.session_state.update({AT: -1}),
            help=_("Turn one split and try to beat the learner."),
        )
        st.button(
            _("Back to learning"),
            on_click=leave_slow_motion,
            key="slow_leave",
            icon=":material/arrow_back:",
            help=_("Return to the run. Nothing you did here has changed it."),
        )
        if isinstance(held, SlowMotion) and held.stepping:
            box = st.expander(_("Show the mathematics"), key="slow_why", on_change="rerun")
            if box.open:
                with box:
                    held.mathematics()
        if isinstance(held, SlowMotion):
            st.session_state[AT] = held.at
            channel.announce()


def _steps(held: SlowMotion) -> None:
    for line in filter(None, held.lines()):
        st.markdown(line)
    if not held.stepping:
        held.controls()
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        # One button for both: who has pressed a key on it presses it again.
        st.button(
            _("Next") if held.taken else _("Take the step"),
            on_click=held.next if held.taken else held.take,
            type="primary",
            key="slow_take",
        )
        st.button(
            _("Skip"),
            on_click=held.next,
            disabled=held.taken,
            key="slow_next",
            help=_("Shows the next step that changes a split, without taking this one."),
        )
        st.button(
            _("Undo"),
            on_click=held.undo,
            disabled=not held.can_undo,
            key="slow_undo",
            help=_("Undoes the last step."),
        )
    held.controls()
    held.picture()
