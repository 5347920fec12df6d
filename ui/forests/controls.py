"""The sidebar of the page *Forests*: who races and how; and the buttons of the race."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from treecore.training.registry import BASES, METHODS
from ui.forests.job import ForestStatus
from ui.forests.link import MOST, USUAL_N, place, usual_kind
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
from ui.widgets.transport import Act, transport_buttons


@dataclass(frozen=True)
class RacerChoice:
    """What is chosen for one racer.

    Attributes
    ----------
    kind : Kind
    values : dict
        Settings by name.
    plan : Plan or None
        None where these settings make no forest, and then ``problem`` says why.
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
        help=_("How many forests learn from the same rows, and race."),
        persist_state="session",
    )
    task = data.train.task if data else "classification"
    return [_racer(number, data, seed, task) for number in range(n)]


def _racer(number: int, data: ChosenData | None, seed: int, task: str) -> RacerChoice:
    with st.container(border=True):
        kind = _kind(number)
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
        values[known.name] = setting_control(known, key, column, compact=True)
    with st.expander(_("More settings")):
        st.caption(_(kind.sentence))
        return values | settings_controls(rest, kind.name, place(number))


def _kind(number: int) -> Kind:
    names = kinds()
    name = st.selectbox(
        _("Forest {numerals}", numerals=NUMERALS[number]),
        names,
        index=names.index(usual_kind(number)),
        format_func=kind_title,
        key=f"{place(number)}kind",
        help=_("How the trees are made, and how they answer together."),
        persist_state="session",
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
    begun = any(look and look.event for look in race.looks())
    label = _("Resume") if begun and state in ("paused", "stopped") else _("Play")
    if state == "finished":
        label = _("Play again")
    with st.container(key="forest_hand", horizontal=True, vertical_alignment="center", gap="small"):
        transport_buttons(
            "forest_",
            play=Act(
                race.play,
                _("Learn to the end; what was stopped goes on where it was."),
                disabled=race.playing or state == "failed",
                label=label,
            ),
            pause=Act(race.pause, _("All wait where they are."), disabled=not race.playing),
            stop=Act(
                race.stop,
                _(
                    "Ends the runs. The trees that are there stay, and the runs can be resumed, as "
                    "long as this page is open, even after others were looked at."
                ),
                disabled=not begun or state not in ("running", "paused", "waiting"),
            ),
            reset=Act(
                race.reset, _("All back to the start. The same seed grows the same forests again.")
            ),
        )


def progress(label: str, plan: RacerPlan, look: ForestStatus) -> None:
    """How far one racer is, and how long it will still take."""
    event = look.event
    share = event.progress if event else 0.0
    st.markdown(f"**{plain(label)}**")
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
