"""The link of the page *One step*: its data, the tab, and how the tree has learnt so far."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from treecore.methods import METHODS
from treecore.settings import Setting
from ui.address import DATA_NAMES, Params, Reading, data_params, read_data
from ui.data import ChosenData
from ui.step_oc1 import STARTS
from ui.step_settings import DEEPEST, ETAS, MOST_PASSES, NUS, USUAL_NU
from ui.step_tao import STRENGTHS

_STARTS = next(s for s in METHODS["sgd"].settings.known() if s.name == "start").choices


def _choice(name: str, default: str, choices: Sequence[str]) -> Setting:
    return Setting(name, name, "", default, choices=tuple(choices))


def _number(name: str, default: float, low: float, high: float) -> Setting:
    return Setting(name, name, "", default, low, high)


KNOWN = (
    (_number("depth", 3, 1, DEEPEST), "step_depth"),
    (_choice("method", "sgd", ("sgd", "stable-sgd")), "step_method"),
    (_choice("inference", "exact", ("exact", "fast")), "step_inference"),
    (_choice("start", _STARTS[0], _STARTS), "step_start"),
    (_number("nu", USUAL_NU, NUS[0], NUS[-1]), "step_nu"),
    (_number("eta", 0.1, ETAS[0], ETAS[-1]), "step_eta"),
    (_number("passes", 1, 0, MOST_PASSES), "step_passes"),
    (_choice("tao", "axis", ("axis", "random")), "step_tao_start"),
    (_number("C", 10.0, STRENGTHS[0], STRENGTHS[-1]), "step_C"),
    (_choice("oc1", "axis", tuple(STARTS)), "step_oc1_start"),
    (_choice("criterion", "entropy", ("entropy", "gini")), "step_criterion"),
)
"""What a link may set, and the key of its widget in the session."""

STEPPED = {"nu": NUS, "eta": ETAS, "C": STRENGTHS}
"""Settings whose sliders have these steps alone."""


def read_step(tabs: Sequence[str], params: Params) -> Reading:
    """What a link says of the page, as entries of the session's state."""
    reading = Reading()
    read_data(params, reading)
    known = ((_choice("tab", tabs[0], tabs), "step_tab"), *KNOWN)
    for one, key in known:
        if one.name not in params:
            continue
        reading.setting(one, params[one.name][-1], key)
        if steps := STEPPED.get(one.name):
            reading.state[key] = min(steps, key=lambda step: abs(step - reading.state[key]))
    reading.strangers(params, (*DATA_NAMES, *(one.name for one, _ in known)))
    return reading


def step_params(tabs: Sequence[str], data: ChosenData) -> dict[str, str]:
    """The inverse of :func:`read_step`; only what is not the usual, and only of widgets in use."""
    params = data_params(data.key, data.train.name)
    for one, key in ((_choice("tab", tabs[0], tabs), "step_tab"), *KNOWN):
        value = st.session_state.get(key)
        if value is not None and value != one.default:
            params[one.name] = f"{value:g}" if isinstance(value, int | float) else value
    return params
