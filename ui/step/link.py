"""The link of the page *One step*: its data, the tab, and how the tree has learnt so far."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from treecore import RunConfig
from treecore.training.registry import TREES
from ui.jobs.chosen_data import ChosenData
from ui.language.translate import _
from ui.links.data import DATA_NAMES, LOSS, data_params, read_data, read_errors
from ui.links.fields import (
    VERSION,
    Field,
    Params,
    Part,
    Reading,
    choice_field,
    number_field,
    read_parts,
    write_parts,
)
from ui.links.visit import class_fields
from ui.shell.router import page_file
from ui.step.manual_tab import FACTORS, MOST_ANGLE, MOST_OFFSET
from ui.step.oc1_tab import STARTS
from ui.step.settings import DEEPEST, ETAS, MOST_PASSES, NUS, USUAL_NU
from ui.step.tao_tab import STRENGTHS


def _among(name: str, key: str, usual: float, steps: Sequence[float]) -> Field:
    return number_field(name, key, usual, steps[0], steps[-1], steps=tuple(steps))


FIELDS = (
    number_field("depth", "step_depth", 3, 1, DEEPEST),
    choice_field("method", "step_method", ("sgd", "stable-sgd")),
    choice_field("inference", "step_inference", ("exact", "fast")),
    choice_field(
        "start",
        "step_start",
        next(s for s in TREES["sgd"].settings.definitions() if s.name == "start").choices,
    ),
    _among("nu", "step_nu", USUAL_NU, NUS),
    _among("eta", "step_eta", 0.1, ETAS),
    number_field("passes", "step_passes", 1, 0, MOST_PASSES),
    choice_field("tao", "step_tao_start", ("axis", "random")),
    _among("C", "step_C", 10.0, STRENGTHS),
    choice_field("oc1", "step_oc1_start", STARTS.keys()),
    number_field("angle", "step_angle", 0, -MOST_ANGLE, MOST_ANGLE),
    number_field("shift", "step_offset", 0, -MOST_OFFSET, MOST_OFFSET),
    _among("longer", "step_longer", 1.0, FACTORS),
    choice_field("criterion", "step_criterion", ("entropy", "gini")),
)
"""What a link may set."""

MOST = 2**53
"""A number that is surely greater than any row's or feature's; tabs say what there is."""


def _place(name: str, key: str, requested: str = "") -> Field:
    return number_field(name, key, 0, 0, MOST, requested=requested, always=True)


PLACES = {
    "One example": (_place("example", "step_example", "step_asked_example"),),
    "TAO": (_place("node", "step_node", "step_node_asked"),),
    "OC1": (
        _place("oc1_node", "step_oc1_node", "step_oc1_node_asked"),
        _place("coefficient", "step_coefficient", "step_asked_coefficient"),
    ),
    "By hand": (_place("split", "step_hand_node", "step_hand_node_asked"),),
}
"""What is looked at on a tab, and so stands in its links alone."""


def read_step(tabs: Sequence[str], params: Params) -> Reading:
    """What a link says of the page, as entries of the session's state."""
    reading = Reading()
    places = [place for tab in PLACES.values() for place in tab]
    parts: tuple[Part, ...] = (
        choice_field("tab", "step_tab", tabs),
        *FIELDS,
        *places,
        *class_fields("step"),
    )
    read_data(params, reading)
    read_parts(parts, params, reading)
    # What errors count is a choice for numbers alone here.
    read_errors({name: given for name, given in params.items() if name == "loss"}, reading)
    reading.strangers(params, (*DATA_NAMES, *(part.name for part in parts), "loss"))
    return reading


TAB_OF = {"sgd": "One example", "stable-sgd": "One example", "tao": "TAO", "oc1": "OC1"}
"""The tab that takes a method apart, by its name."""


def to_step(config: RunConfig, data: ChosenData, label: str) -> None:
    """A link to the steps of a learner's method on these data, where there is such a tab."""
    if config.method not in TAB_OF:
        return
    state = {
        "step_tab": TAB_OF[config.method],
        "step_depth": min(config.depth, DEEPEST),
        "step_method": config.method,
    }
    fields = (choice_field("tab", "step_tab", TAB_OF.values()), *FIELDS)
    st.page_link(
        page_file("step"),
        label=label,
        icon=":material/footprint:",
        query_params={"v": VERSION, **data_params(data.key, data.train.name)}
        | write_parts(fields, state),
        help=_("What one step of this method does, slowly, with its numbers."),
    )


def step_params(tabs: Sequence[str], data: ChosenData) -> dict[str, str]:
    """The inverse of :func:`read_step`; only what is not the usual, and only of widgets in use."""
    params = data_params(data.key, data.train.name)
    if data.train.task == "regression":
        params |= LOSS.write({"loss": st.session_state.get("loss", "squared")})
    params |= write_parts((choice_field("tab", "step_tab", tabs), *FIELDS), st.session_state)
    return params | write_parts(PLACES[params.get("tab", tabs[0])], st.session_state)
