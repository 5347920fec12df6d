"""The sidebar of the page *Forests*: who races and how; and the buttons of the race."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

import streamlit as st

from treecore.training.registry import BASES, METHODS
from ui.forests.job import ForestStatus
from ui.forests.link import MOST, USUAL_N, followed, place, usual_kind
from ui.forests.presets import (
    ENSEMBLES,
    NUMERALS,
    OWN,
    Kind,
    RacerPlan,
    bytes_needed,
    find_kind,
    kind_title,
    kinds,
    size_text,
)
from ui.forests.session import ForestRace
from ui.forests.table import score_of
from ui.jobs.chosen_data import ChosenData
from ui.jobs.metrics import duration
from ui.language.translate import N_, _, ngettext, written
from ui.shell.class_link import group
from ui.shell.safe_text import plain
from ui.widgets.method_settings import (
    setting_control,
    settings_controls,
    settings_shown,
    widget_key,
)
from ui.widgets.owned import owned
from ui.widgets.transport import Act, transport_buttons


@dataclass(frozen=True)
class RacerChoice:
    """What is chosen for one racer.

    values: settings by name; plan: none where these settings make no forest, and then ``problem``
    says why.
    """

    kind: Kind
    values: dict[str, Any]
    plan: RacerPlan | None
    problem: str = ""


def racers_control(data: ChosenData | None, seed: int) -> list[RacerChoice]:
    """The sidebar's choice of racers."""
    n = st.segmented_control(
        _("Forests"),
        range(1, MOST + 1),
        default=USUAL_N,
        required=True,
        key="forest_n",
        persist_state="session",
    )
    task = data.train.task if data else "classification"
    return [_racer(number, data, seed, task) for number in range(n)]


def _racer(number: int, data: ChosenData | None, seed: int, task: str) -> RacerChoice:
    with st.container(border=True):
        kind = _kind(number, task)
        with group("settings", str(number)):
            values = _values(number, kind, task)
        try:
            plan = kind.plan(values, seed, task)
        except ValueError as error:
            return RacerChoice(kind, values, None, str(error))
        if data:
            train = data.train
            n_outputs = max(2, train.n_classes) if train.n_classes else 1
            needed = bytes_needed(plan, train.n_samples, train.n_features, n_outputs)
            st.caption(_("Takes at most {needed} of memory.", needed=size_text(needed)))
        return RacerChoice(kind, values, plan)


def _values(number: int, kind: Kind, task: str) -> dict[str, Any]:
    """The settings of a kind by name; how many trees and how deep are always in view."""
    first = (kind.trees, "depth")
    at_once = sorted(
        (s for s in kind.settings if s.name in first), key=lambda s: first.index(s.name)
    )
    rest = [s for s in settings_shown(kind.settings, task) if s.name not in first]
    values = {}
    for known, column in zip(at_once, st.columns(2), strict=False):
        key = widget_key(kind.name, known.name, place(number))
        values[known.name] = setting_control(
            known, key, column, compact=True, explained=number == 0
        )
    with st.expander(_("More settings")):
        st.caption(_(kind.sentence))
        return values | settings_controls(rest, kind.name, place(number))


def _kind(number: int, task: str) -> Kind:
    state, key, usual = st.session_state, f"{place(number)}kind", usual_kind(number, task)
    if state.get(key) in (None, state.get(followed(number))):  # nobody has chosen another one
        state[key] = state[followed(number)] = usual
    names = kinds(task)
    if state[key] not in names:  # a link asks for it; the page says why it cannot race
        names.append(state[key])
    chosen = owned(key, usual)
    name = st.selectbox(
        _("Forest {numerals}", numerals=NUMERALS[number]),
        names,
        names.index(chosen.value),
        format_func=kind_title,
        **chosen.widget(),
    )
    if name != OWN:
        return find_kind(name)
    ensemble = st.selectbox(
        _("Ensemble"),
        ENSEMBLES,
        format_func=lambda name: _(METHODS[name].title),
        key=f"{place(number)}ensemble",
        help="\n\n".join(f"**{_(METHODS[e].title)}**: {_(METHODS[e].sentence)}" for e in ENSEMBLES),
        persist_state="session",
    )
    learner = st.selectbox(
        _("Base learner"),
        BASES,
        index=BASES.index("oc1"),
        format_func=lambda name: _(METHODS[name].title),
        key=f"{place(number)}learner",
        help=_("What grows each tree."),
        persist_state="session",
    )
    return find_kind(f"{ensemble}.{learner}")


def transport(race: ForestRace, state: str) -> None:
    """Buttons for the whole race; they say what should be."""
    with st.container(key="forest_hand", horizontal=True, vertical_alignment="center", gap="small"):
        transport_buttons(
            "forest_",
            play=Act(
                race.play,
                _("Learn to the end; at the end, grow the same forests once more."),
                disabled=race.playing or state == "failed",
            ),
            pause=Act(race.pause, _("All wait where they are."), disabled=not race.playing),
            step=Act(
                race.step,
                _("Each forest grows by one tree, a hinge forest learns up to its next figures."),
                disabled=race.playing or state not in ("ready", "paused", "stopped"),
            ),
            reset=Act(
                race.reset, _("All back to the start. The same seed grows the same forests again.")
            ),
        )


def progress(label: str, plan: RacerPlan, look: ForestStatus, data: ChosenData) -> None:
    """How far one racer is, how good, and how long it will still take."""
    event = look.event
    share = event.progress if event else 0.0
    figure, detail = score_of(look, data) or ("", "")
    st.html(
        f'<div class="score"><strong>{escape(label)}</strong>'
        f"<p><b>{escape(figure)}</b> {escape(detail)}</p></div>"
    )
    st.progress(share, plain(progress_text(plan, look)))


def progress_text(plan: RacerPlan, look: ForestStatus) -> str:
    """How far one racer is, in words."""
    event, total = look.event, units(plan, plan.total)
    if look.state == "failed":
        return _("cannot learn")
    if event is None and look.state == "waiting":
        return f"{_(look.message)} …"
    if event is None and look.state == "running":
        return _(look.message) or _("The first step is under way …")
    if event is None:
        return _("{total} to come", total=total)
    if look.state == "finished":
        done, seconds = units(plan, int(event.done)), duration(event.seconds)
        return _("{done} in {seconds}", done=done, seconds=seconds)
    so_far = _("{done:,} of {total}", done=event.done, total=units(plan, event.total))
    if look.state in (N_("paused"), N_("stopped")):
        return f"{so_far}, {_(look.state)}"
    if look.state == "running" and look.message:
        return f"{so_far}. {_(look.message)}"
    if look.seconds_left is not None:
        so_far += _(", {seconds_left} left", seconds_left=time_left(look.seconds_left))
    return so_far


def units(plan: RacerPlan, n: int) -> str:
    """So many units of a run, as ``1 tree``."""
    if plan.hinge:
        return ngettext("{n:,} mini-batch", "{n:,} mini-batches", n)
    return ngettext("{n:,} tree", "{n:,} trees", n)


def counted(plan: RacerPlan) -> str:
    """What the units of a run are called."""
    return _("Mini-batches") if plan.hinge else _("Trees")


def time_left(seconds: float) -> str:
    """Seconds as a text that does not pretend to know more than it does: ``8 s``, ``3 min``."""
    if seconds >= 5400:
        return f"{written(seconds / 3600, '.1f')} h"
    return (
        f"{written(seconds / 60, '.0f')} min"
        if seconds >= 90
        else f"{written(max(1.0, seconds), '.0f')} s"
    )
