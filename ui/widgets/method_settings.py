"""Widgets for what is learnt and what is shown of it; a method's come from the registry."""

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import streamlit as st

from treecore import RunConfig
from treecore.base import Setting
from treecore.data import CategoryColumn, Dataset
from treecore.losses import LOSSES, Loss
from treecore.training import METHODS, TREES
from treecore.viewer import (
    DEEPEST_SHOWN,
    Plane,
    feature_plane,
    principal_plane,
    telling_features,
)
from ui.jobs.chosen_data import ChosenData
from ui.language.translate import N_, _, translated, writing
from ui.widgets.owned import owned

COMPONENTS = N_("Principal components")
FEATURES = N_("Two features")

REQUESTED_PLANE = "plane_asked"
"""The session's key of two features that a link names, of data that only their file knows."""

REQUESTED_LEVELS = "levels_asked"
"""The session's key of the columns, by their places, that a link splits by sets of levels."""


def fitting(values: dict[str, Any], errors: Mapping[str, Any]) -> dict[str, Any]:
    """A method's settings as the loss can have them; says so where those are others."""
    if values.get("leaf", "constant") == "constant":
        return values
    if errors.get("loss", "squared") == "squared":
        return _with_linear_cuts(values)
    st.caption(_("With this loss, leaves are constant. Choose the squared loss for linear leaves."))
    return values | {"leaf": "constant"}


def _with_linear_cuts(values: dict[str, Any]) -> dict[str, Any]:
    """Settings with which cuts for linear leaves can be grown; says what they leave no choice."""
    fixed = {"max_features": 0, "significance": 0.0} if "leaf_price" in values else {}
    if any(values[name] for name in fixed):
        st.caption(
            _(
                "With linear leaves, all features compete at every split, and the split price "
                "replaces the significance test."
            )
        )
    return values | fixed


def setting_of(method: str, name: str) -> Setting:
    return next(known for known in METHODS[method].definitions() if known.name == name)


def in_view(known: Setting) -> Setting:
    """A setting within the range that a live view can show."""
    if known.name != "depth" or known.high is None:
        return known
    return dataclasses.replace(known, high=min(known.high, DEEPEST_SHOWN))


def settings_shown(known: Iterable[Setting], task: str) -> list[Setting]:
    """Those of some settings that mean something for classes, or for numbers."""
    # An impurity is one of classes; of numbers it is the squared error.
    return [s for s in known if s.name != "criterion" or task != "regression"]


def losses(task: str) -> dict[str, Loss]:
    return {name: loss for name, loss in LOSSES.items() if loss.task == task}


def errors_control(task: str) -> dict[str, Any]:
    """What errors count, numbers' by loss, classes' by weights, as entries of a RunConfig."""
    if task == "regression":
        known = losses(task)
        loss = st.segmented_control(
            _("Loss"),
            list(known),
            default="squared",
            required=True,
            format_func=lambda name: _(known[name].title),
            key="loss",
            width="stretch",
            help=_("Sets how much each error counts. Choose by the errors that matter to you.\n\n")
            + "\n\n".join(f"**{_(loss.title)}**: {_(loss.sentence)}" for loss in known.values()),
            persist_state="session",
        )
        return {"loss": loss}
    balanced = st.toggle(
        _("Balanced classes"),
        key="balanced",
        help=_(
            "Gives each class the same weight, however many examples it has. Choose it when a "
            "rare class matters as much as a frequent one. Training figures are weighted too, "
            "test figures are not."
        ),
        persist_state="session",
    )
    return {"class_weight": "balanced" if balanced else "none"}


def categories_control(data: ChosenData, methods: Iterable[str]) -> dict[str, Any]:
    """The columns of words of which splits may send any set of levels to a side, for a RunConfig.

    Nothing where there are none, or no method has such splits.
    """
    words = [one.name for one in data.train.columns if isinstance(one, CategoryColumn)]
    if not words or not any("axis" in (name, METHODS[name].base) for name in methods):
        return {}
    key = f"levels_{data.key[0]}_{len(words)}"
    if (requested := st.session_state.pop(REQUESTED_LEVELS, None)) is not None:
        st.session_state[key] = [place for place in requested if place < len(words)]
    shown = owned(key, [])
    chosen = st.multiselect(
        _("Sets of categories"),
        range(len(words)),
        shown.value,
        format_func=words.__getitem__,
        help=_(
            "Lets an axis-aligned split send any set of a column's categories to one side. "
            "Choose columns with many categories; other splits separate one category at a time."
        ),
        **shown.widget(),
    )
    return {"categorical": [words[place] for place in chosen]}


def level_places(data: ChosenData, configs: Iterable[RunConfig]) -> list[int]:
    """The places, among columns of words, of those that are split by sets of levels."""
    chosen = {name for config in configs for name in config.categorical}
    columns = data.train.columns if chosen else ()
    words = [one.name for one in columns if isinstance(one, CategoryColumn)]
    return [place for place, name in enumerate(words) if name in chosen]


def widget_key(owner: str, setting: str, place: str = "") -> str:
    """The session's key of a setting's widget; ``place`` tells two of the same method apart."""
    return f"{place}{owner}_{setting}"


def settings_controls(
    known: Iterable[Setting], owner: str, place: str, drawn: bool
) -> dict[str, Any]:
    """A widget for each setting, keyed by :func:`widget_key`, if ``drawn``; values by name."""
    return {s.name: setting_control(s, widget_key(owner, s.name, place), drawn) for s in known}


def setting_control(setting: Setting, key: str, drawn: bool = True) -> Any:
    """One widget, by what is known of the setting; gives its value."""
    label, shown = _(setting.label), owned(key, setting.default, setting.choices or None)
    value, common = shown.value, shown.widget() | {"help": _(setting.help)}
    if not drawn:
        return value
    if setting.choices:
        common["format_func"] = lambda choice: _(choice_title(choice))
        if len(setting.choices) > 3:
            index = setting.choices.index(value)
            return st.selectbox(label, setting.choices, index, **common)
        common |= {"default": value, "required": True, "width": "stretch"}
        return st.segmented_control(label, setting.choices, **common)
    low, high = setting.low or 0, 0 if setting.high is None else setting.high
    if setting.log:
        steps = sorted({*_steps(low, high), setting.default, *_between(key)})
        return st.select_slider(label, steps, value, format_func=writing("g"), **common)
    if isinstance(setting.default, int):
        most = max(setting.slider or high, value)
        control = st.slider if most <= 100 else st.number_input
        return control(label, low, most, value, **common)
    return st.number_input(label, float(low), float(high), value, format="%.4f", **common)


def _between(key: str) -> set[float]:
    """Values that came with a link and lie between two steps: they stay on offer."""
    steps = st.session_state.setdefault("between_steps", {}).setdefault(key, set())
    if isinstance(value := st.session_state.get(key), int | float):
        steps.add(float(value))
    return steps


def choice_title(choice: str) -> str:
    return choice.upper() if choice in TREES and len(choice) == 3 else choice.capitalize()


def _steps(low: float, high: float) -> list[float]:
    """1, 2, 5, 10, 20, ... within a range: steps of about the same ratio."""
    decades = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    steps = [float(f"{m}e{d}") for d in decades for m in (1, 2, 5)]
    return [step for step in steps if low <= step <= high]


def plane_control(data: ChosenData) -> Plane:
    """The choice of a plane of three features or more."""
    train = data.train
    names = train.feature_names
    if train.n_features <= 2:
        return feature_plane(train, 0, train.n_features - 1)
    st.header(_("Map"))
    kind = st.selectbox(
        _("The map shows"),
        [COMPONENTS, FEATURES],
        format_func=translated,
        key="plane",
        help=_(
            "The data have more features than the map has sides. The principal components are "
            "the two directions in which the examples differ most. Choose features to see a "
            "slice that you can name."
        ),
    )
    if kind == COMPONENTS:
        return _principal_plane(data.key, train)
    left, right = st.columns(2)
    across, up = feature_keys(data.key[0], len(names))
    usual = telling_features(train)
    if requested := st.session_state.pop(REQUESTED_PLANE, None):
        last = train.n_features - 1
        st.session_state[across], st.session_state[up] = (min(one, last) for one in requested)
    first, second = (
        place.selectbox(label, range(len(names)), index, names.__getitem__, key, _(_AXIS_HELP))
        for place, label, index, key in (
            (left, _("Across"), usual[0], across),
            (right, _("Up"), usual[1], up),
        )
    )
    return feature_plane(train, first, second)


def feature_keys(name: str, n_features: int) -> tuple[str, str]:
    """The session's keys of the two features; those of another dataset have other names."""
    return f"across_{name}_{n_features}", f"up_{name}_{n_features}"


_AXIS_HELP = N_(
    "The feature along this side of the map. Change it to see another slice of the tree."
)


@st.cache_resource(show_spinner=False, max_entries=16)
def _principal_plane(key: tuple, _train: Dataset) -> Plane:
    return principal_plane(_train)
