"""What the settings of a method begin with on a dataset, where the usual ones do not do.

A table beside the gallery of data: settings by dataset and method. Each entry was measured by
``python -m benchmarks.defaults``; ``--registry`` shows what is learnt without it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from treecore.base.settings import Setting
from treecore.training.registry import METHODS, TREES
from ui.language.translate import _, written

# No margin of joint learning is narrower than 1 / sqrt(nu): where borders lie close, or a curve is
# steep, nu has to be large, or learning loses what its random start has had.
DEFAULTS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "checkerboard": {"sgd": {"nu": 100.0}, "stable-sgd": {"nu": 100.0}},
    "stripes": {"sgd": {"nu": 200.0}, "stable-sgd": {"nu": 200.0}},
    "waves": {"sgd": {"nu": 50.0}, "stable-sgd": {"nu": 50.0}},
    # Ten noisy measurements, 331 rows: what a deep tree learns of them does not hold. A small nu
    # prunes it while it learns.
    "diabetes": {
        "sgd": {"nu": 2.0},
        "stable-sgd": {"nu": 2.0},
        "annealed": {"decay": 3.0},
        "tao": {"depth": 2, "C": 1.0},
    },
    "quickening": {"sgd": {"nu": 1000.0}, "stable-sgd": {"nu": 1000.0}},
}
"""Settings by the name of the data and of the method."""

GIVEN = ""
"""In place of a dataset's name: the settings are those of a link, and stay as they are."""

USUAL_FOR = "usual_for"
"""The session's key of the dataset whose defaults a method's widgets have, by place and method."""


def usual_settings(data: str, method: str) -> dict[str, Any]:
    """The settings that are other ones than the method's own defaults, by name."""
    return dict(DEFAULTS.get(data, {}).get(method, {}))


def with_usual(known: Iterable[Setting], data: str, method: str, place: str = "") -> list[Setting]:
    """The settings with the defaults for the data.

    Where a widget still shows the default for the data that were chosen before, it gets this one;
    what the visitor or a link has set stays.

    place: what the keys of the widgets begin with.
    """
    seen = st.session_state.get(USUAL_FOR, {})
    before = seen.get(f"{place}{method}")
    st.session_state[USUAL_FOR] = seen | {f"{place}{method}": data}
    usual, old = usual_settings(data, method), usual_settings(before or "", method)
    settled = []
    for setting in known:
        value = usual.get(setting.name, setting.default)
        key = f"{place}{method}_{setting.name}"
        shown = st.session_state.get(key)
        at_old = shown is not None and shown == old.get(setting.name, setting.default)
        if at_old and before not in (GIVEN, data):
            st.session_state[key] = value
        settled.append(replace(setting, default=value))
    return settled


def keep_given(state: Mapping[str, Any], places: Iterable[str] = ("",)) -> None:
    """A link has set these entries of the session's state: settings among them stay as they are.

    ``places`` are what the keys of the page's widgets may begin with.
    """
    given = {
        f"{place}{method.name}": GIVEN
        for place in places
        for method in TREES.values()
        if any(f"{place}{method.name}_{s.name}" in state for s in method.definitions())
    }
    st.session_state[USUAL_FOR] = st.session_state.get(USUAL_FOR, {}) | given


def usual_note(data: str, method: str, without: Container[str] = ()) -> str:
    """What the defaults for the data are, in one line; empty where they are the method's own.

    ``without`` are settings that the page has for all methods.
    """
    usual = usual_settings(data, method)
    names = {s.name: s.label for s in METHODS[method].definitions()}
    texts = [
        f"{_(names[name]).split(' (')[0]} {written(value, 'g' * isinstance(value, float))}"
        for name, value in usual.items()
        if name not in without
    ]
    return _("Defaults for these data: {told}.", told=", ".join(texts)) if texts else ""
