"""The learners of the Lab: one to three methods, their limit and settings, what holds one back."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from treecore import Event, RunConfig
from treecore.losses import LOSSES
from treecore.training import BASES, METHODS
from ui.jobs.chosen_data import ChosenData
from ui.jobs.diagnosis import diagnose
from ui.jobs.run_title import NUMERALS, long_title
from ui.lab.choices import (
    BUDGETS,
    COMPARED,
    FAIR_BY,
    MIXED,
    MOST,
    USUAL,
    USUAL_BUDGET,
    USUAL_DEPTH,
    USUALLY_SHOWN,
    Limit,
    limited,
    place,
)
from ui.language.translate import N_, _, written
from ui.links.runs import definitions_of, run_name, settings_state
from ui.live.board import LeafLimit
from ui.shell.class_link import group, hidden
from ui.shell.safe_text import plain
from ui.widgets.method_settings import (
    DEEPEST_SHOWN,
    choice_title,
    fitting,
    settings_controls,
    settings_shown,
    widget_key,
)
from ui.widgets.owned import owned

NONE = ""
"""In place of a method: there is no such learner."""


def n_learners() -> int:
    n = st.session_state.setdefault("lab_n", USUALLY_SHOWN)
    return min(max(int(n), 1), MOST)


def learners_control(task: str, places: list[DeltaGenerator]) -> list[str]:
    """The choice of methods, one in each of the ``places``; the first empty one offers another."""
    n, loss = n_learners(), next(name for name, one in LOSSES.items() if one.task == task)
    known = [name for name in COMPARED if loss in METHODS[name].losses]
    methods = []
    for number, where in enumerate(places[: n + 1]):
        with where, group("method", f"{number}"):
            if number < n:
                methods.append(_method(number, n, known))
            elif number < MOST:
                _add(number, "add_learner" if number == 1 else "add_third")
    return methods


def _add(number: int, key: str) -> None:
    label = _("Compare with another") if number == 1 else _("Add a third")
    st.button(label, icon=":material/add:", key=key, on_click=_set, args=(number + 1,))


def _method(number: int, n: int, known: list[str]) -> str:
    rival = owned(f"{place(number)}method", USUAL[number].method, known)
    last = number == n - 1 and n > 1
    options = [*known, NONE] if last else known

    def chosen() -> None:
        if st.session_state[rival.name] == NONE:
            st.session_state[rival.name] = rival.value = USUAL[number].method
            _set(n - 1)

    return st.selectbox(
        _("Learner {numeral}", numeral=NUMERALS[number]),
        options,
        options.index(rival.value),
        format_func=lambda name: _("none") if name == NONE else long_title(name),
        **rival.widget(chosen),
    )


def _set(n: int) -> None:
    st.session_state.lab_n = n


def take_settings(method: str, settings: Mapping[str, Any], number: int = 0) -> None:
    """Give a learner a method and some settings; a depth becomes the limit of all."""
    at, values = place(number), dict(settings)
    state: dict[str, Any] = {f"{at}method": method}
    if "depth" in values:
        state |= {"lab_fair": "depth", "lab_depth": values.pop("depth")}
    state |= {widget_key(method, name, at): value for name, value in values.items()}
    st.session_state.update(state)


def settings_control(
    number: int, method: str, limit: Limit, errors: dict[str, Any], drawn: bool, started: bool
) -> RunConfig:
    """A learner's settings but for the limit; ``errors``: of ``errors_control``."""
    at = place(number)
    known = METHODS[method]
    if drawn:
        says = _(known.sentence)
        if known.claim:
            line = _(":material/verified: **Guaranteed:** {claims}", claims=_(known.claim))
            says = f"{says}\n\n{line}"
        st.caption(says)
    for config in USUAL:  # whose settings are not all those of the registry
        if config.method == method:
            for key, value in settings_state(config, at).items():
                st.session_state.setdefault(key, value)
    base = base_control(method, at, drawn) if method in MIXED else known.base
    name = run_name(RunConfig(method, base=base))
    task = LOSSES[errors.get("loss", "log")].task
    decided = limited(method)[: 2 if limit.unit == "leaves" else 1] + ("start", "shape") * started
    shown = [s for s in settings_shown(definitions_of(name), task) if s.name not in decided]
    if base != "axis":  # which alone has features drawn for it at its root
        shown = [s for s in shown if s.name != "split_features"]
    values = settings_controls(shown, name, at, drawn)
    if "axis" not in (method, base) or values.get("leaf") == "linear":
        errors = {name: value for name, value in errors.items() if name != "categorical"}
    seed = st.session_state.get("seed", 0)
    return RunConfig(method, base=base, seed=seed, **errors, **fitting(values, errors))


def base_control(method: str, at: str, drawn: bool) -> str:
    base = owned(widget_key(method, "base", at), METHODS[method].base, BASES)
    if not drawn:
        return base.value
    return st.selectbox(
        _("Base learner"),
        BASES,
        BASES.index(base.value),
        format_func=long_title,
        help=_("The method that grows each tree. Change it to compare forests of different trees."),
        **base.widget(),
    )


def changed_settings(configs: list[RunConfig], data: ChosenData) -> str:
    """A badge for every setting of a learner that is not the usual one, as Markdown."""
    badges = []
    for numeral, config in zip(NUMERALS, configs, strict=False):
        usual = next((one for one in USUAL if one.method == config.method), None)
        usual = usual or RunConfig(config.method, base=config.base and config.base.method)
        values = usual.as_dict()
        for known in settings_shown(definitions_of(run_name(config)), data.train.task):
            value = config.as_dict()[known.name]
            if known.name not in limited(config.method) and value != values[known.name]:
                text = _(choice_title(value)) if known.choices else written(float(value), "g")
                label = _(known.label).split(" (")[0]
                badges.append(f":gray-badge[{numeral} · {label} {plain(str(text))}]")
    return " ".join(badges)


def learner_settings(
    methods: list[str], limit: Limit, errors: dict[str, Any], started: bool
) -> list[RunConfig]:
    """The settings of all learners, only drawn where unfolded; started: from a saved tree."""
    configs = []
    for number, method in enumerate(methods):
        title = f"{NUMERALS[number]} · {long_title(method)}"
        with group("settings", f"{number}"):
            box = st.expander(title, key=f"{place(number)}settings", on_change="rerun")
        with box:
            drawn = bool(box.open)
            configs.append(settings_control(number, method, limit, errors, drawn, started))
    if 1 < len(methods) < MOST:
        _add(len(methods), "more_third")  # on a telephone, where it has no place beside the others
    return configs


def remedy(
    number: int,
    config: RunConfig,
    history: Sequence[Event],
    then: Callable[[], None],
    alone: bool = False,
) -> None:
    """A line for a run that has not learnt; a click changes its settings, then calls ``then``."""
    found = diagnose(tuple(history), config)
    if found is None or ("depth" in found.change and not alone):
        return
    who = "" if alone else f"**{NUMERALS[number]}**: "
    key = f"remedy_{NUMERALS[number]}"
    with st.container(key=key, horizontal=True, vertical_alignment="center"):
        st.markdown(f":small[{who}{found.sentence}]", width="stretch")
        st.button(
            found.offer,
            key=f"mend_{NUMERALS[number]}",
            on_click=_begin_again,
            args=(number, config.method, found.change, then),
        )


def _begin_again(
    number: int, method: str, change: Mapping[str, Any], then: Callable[[], None]
) -> None:
    take_settings(method, change, number)
    then()


LIMIT_HELP = N_(
    "Sets one limit for all single trees; forests keep their own settings. **Leaves**: greedy "
    "trees split their best leaf first. **Weights**: a split on one feature has one weight, an "
    "oblique split one for each feature. **Depth**: the number of splits in a row. Change it to "
    "compare trees by the size that matters to you."
)


def unit_control() -> None:
    unit = owned("lab_fair", next(iter(FAIR_BY)), FAIR_BY)
    st.segmented_control(
        _("Limit by"),
        list(FAIR_BY),
        default=unit.value,
        required=True,
        format_func=lambda name: _(FAIR_BY[name]),
        width="stretch",
        help=_(LIMIT_HELP),
        **unit.widget(),
    )


def limit_control(shown: bool, off: bool = False) -> Limit:
    """The slider of the limit; it is ``shown`` where a single tree is among the learners.

    off: whether a saved tree decides instead.
    """
    unit = st.session_state.get("lab_fair", next(iter(FAIR_BY)))
    if not shown:
        size = ("lab_depth", USUAL_DEPTH) if unit == "depth" else ("lab_most", USUAL_BUDGET)
        return Limit(unit, st.session_state.get(*size))
    if unit != "depth":
        most = owned("lab_most", USUAL_BUDGET, BUDGETS)
        n = st.select_slider(
            _("{fair_by}, at most", fair_by=_(FAIR_BY[unit])),
            BUDGETS,
            most.value,
            disabled=off,
            **most.widget(),
        )
        return Limit(unit, n)
    equal = owned("lab_depth", USUAL_DEPTH)
    depth = st.slider(
        _("Depth, at most"), 1, DEEPEST_SHOWN, equal.value, disabled=off, **equal.widget()
    )
    return Limit(unit, depth)


def leaf_limit(limit: Limit, methods: Sequence[str]) -> LeafLimit | None:
    """The limit as a line of the chart over leaves, where it counts leaves and a visitor has it."""
    if limit.unit != "leaves" or "settings" in hidden("lab") or not any(map(limited, methods)):
        return None
    return limit.most, BUDGETS


def take_limit(most: int) -> None:
    """The limit of leaves is another one, as if the slider had been moved."""
    if most in BUDGETS:
        st.session_state.lab_most = most


def depth_now() -> int:
    """The greatest depth that the limit leaves to a complete tree."""
    if st.session_state.get("lab_fair", next(iter(FAIR_BY))) == "leaves":
        return max(1, int(math.log2(st.session_state.get("lab_most", USUAL_BUDGET))))
    return int(st.session_state.get("lab_depth", USUAL_DEPTH))
