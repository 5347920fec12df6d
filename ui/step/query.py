"""The link of the page *One step*: its data, the tab, and how the tree has learnt so far."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from treecore.base.settings import Setting
from treecore.training.registry import TREES
from ui.jobs.chosen_data import ChosenData
from ui.query.codec import DATA_NAMES, Params, Reading, data_params, read_data, read_errors
from ui.shell.class_link import read_hidden
from ui.step.manual_tab import FACTORS, MOST_ANGLE, MOST_OFFSET
from ui.step.oc1_tab import STARTS
from ui.step.settings import DEEPEST, ETAS, MOST_PASSES, NUS, USUAL_NU
from ui.step.tao_tab import STRENGTHS

_STARTS = next(s for s in TREES["sgd"].settings.definitions() if s.name == "start").choices


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
    (_number("angle", 0, -MOST_ANGLE, MOST_ANGLE), "step_angle"),
    (_number("shift", 0, -MOST_OFFSET, MOST_OFFSET), "step_offset"),
    (_number("longer", 1.0, FACTORS[0], FACTORS[-1]), "step_longer"),
    (_choice("criterion", "entropy", ("entropy", "gini")), "step_criterion"),
)
"""What a link may set, and the key of its widget in the session."""

MOST = 10**7
"""A number that is surely greater than any row's or feature's."""

PLACES = {
    "One example": (("example", "step_example", "step_asked_example"),),
    "TAO": (("node", "step_node", "step_node"),),
    "OC1": (
        ("oc1_node", "step_oc1_node", "step_oc1_node"),
        ("coefficient", "step_coefficient", "step_asked_coefficient"),
    ),
    "By hand": (("split", "step_hand_node", "step_hand_node"),),
}
"""What is looked at on a tab: its parameter, the key that has it, the key that asks for it."""

STEPPED = {"longer": FACTORS, "nu": NUS, "eta": ETAS, "C": STRENGTHS}
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
    places = [place for tab in PLACES.values() for place in tab]
    for name, _, asked in places:
        reading.number(params, name, asked, 0, MOST, 0)
    # What errors count is a choice for numbers alone here.
    read_errors({name: params[name] for name in ("data", "loss") if name in params}, reading)
    read_hidden("step", params, reading)
    others = ("loss", "hide", *(name for name, *_ in places))
    reading.strangers(params, (*DATA_NAMES, *(one.name for one, _ in known), *others))
    return reading


def step_params(tabs: Sequence[str], data: ChosenData) -> dict[str, str]:
    """The inverse of :func:`read_step`; only what is not the usual, and only of widgets in use."""
    params = data_params(data.key, data.train.name)
    if data.train.task == "regression":
        params["loss"] = st.session_state.get("loss", "squared")
    for one, key in ((_choice("tab", tabs[0], tabs), "step_tab"), *KNOWN):
        value = st.session_state.get(key)
        if value is not None and value != one.default:
            params[one.name] = f"{value:g}" if isinstance(value, int | float) else value
    for name, key, _ in PLACES[params.get("tab", tabs[0])]:
        if (value := st.session_state.get(key)) is not None:
            params[name] = str(value)
    return params
