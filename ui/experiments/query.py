"""The link of the page *Experiments*: the tab, what is open on it, and the kind of plot."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

import streamlit as st

from treecore.base.settings import Setting
from ui.experiments import runs_tab, sweeps_tab
from ui.experiments.index import runs_found, sweeps_found
from ui.experiments.plots import PLOTS
from ui.experiments.published_curves import published
from ui.query.codec import Params, Reading
from ui.shell.class_link import read_hidden

TABS = ("Runs", "Sweeps")
TAB = "experiments_tab"

LONGEST = 80
"""Letters of a name that are told."""


def read_experiments(params: Params) -> Reading:
    """What a link says, as entries of the session's state. Names are looked for, never opened."""
    reading = Reading()
    if "tab" in params:
        known = Setting("tab", "tab", "", TABS[0], choices=TABS)
        reading.setting(known, params["tab"][-1].capitalize()[:LONGEST], TAB)
    if "plot" in params:
        known = Setting("plot", "plot", "", "depth", choices=tuple(PLOTS))
        reading.setting(known, params["plot"][-1][:LONGEST], sweeps_tab.PLOT)
    if "run" in params:
        names = [run.name for run in runs_found().good]
        _name(reading, "run", params["run"][-1], names, runs_tab.CHOSEN)
    if "sweep" in params:
        names = [sweep.name for sweep in sweeps_found().good]
        _name(reading, "sweep", params["sweep"][-1], names, sweeps_tab.CHOSEN)
    if "published" in params:
        names = list({name: None for plot in PLOTS for name in published(plot)})
        _name(reading, "published", params["published"][-1], names, sweeps_tab.PUBLISHED)
    if "row" in params:  # of whichever sweep: it is looked for among its runs
        reading.state[sweeps_tab.ROW] = params["row"][-1][:LONGEST]
    read_hidden("experiments", params, reading)
    reading.strangers(params, ("tab", "run", "sweep", "plot", "published", "row", "hide"))
    return reading


def _name(reading: Reading, what: str, asked: str, known: Iterable[str], key: str) -> None:
    known = list(known)
    if asked not in known:
        near = difflib.get_close_matches(asked[:LONGEST], known, 1)
        now = f", now {near[0]!r}" if near else ""
        shown = asked if len(asked) <= LONGEST else asked[:LONGEST] + "…"
        reading.problems.append(f"there is no {what}={shown!r}{now}")
        if not near:
            return
        asked = near[0]
    reading.state[key] = asked


def experiments_params() -> dict[str, str]:
    """The inverse of :func:`read_experiments`, of the tab that is open."""
    state = st.session_state
    tab = state.get(TAB) or TABS[0]
    if tab == TABS[0]:
        return {"tab": tab, **_given(state, run=runs_tab.CHOSEN)}
    own = sweeps_tab
    return {"tab": tab} | _given(
        state, sweep=own.CHOSEN, plot=own.PLOT, published=own.PUBLISHED, row=own.ROW
    )


def _given(state, **keys: str) -> dict[str, str]:
    return {name: str(state[key]) for name, key in keys.items() if state.get(key)}
