"""How large trees may be: one slider for all learners, of leaves, depth or weights."""

from __future__ import annotations

import math
from collections.abc import Sequence

import streamlit as st

from ui.lab.link import BUDGETS, FAIR_BY, USUAL_BUDGET, USUAL_DEPTH, Limit, limited
from ui.language.translate import N_, _
from ui.live.board import LeafLimit
from ui.shell.class_link import hidden
from ui.widgets.method_settings import DEEPEST_SHOWN
from ui.widgets.owned import owned

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


def limit_control(shown: bool) -> Limit:
    """The slider of the limit; it is ``shown`` where a single tree is among the learners."""
    unit = st.session_state.get("lab_fair", next(iter(FAIR_BY)))
    if not shown:
        size = ("lab_depth", USUAL_DEPTH) if unit == "depth" else ("lab_most", USUAL_BUDGET)
        return Limit(unit, st.session_state.get(*size))
    if unit != "depth":
        most = owned("lab_most", USUAL_BUDGET, BUDGETS)
        n = st.select_slider(
            _("{fair_by}, at most", fair_by=_(FAIR_BY[unit])), BUDGETS, most.value, **most.widget()
        )
        return Limit(unit, n)
    equal = owned("lab_depth", USUAL_DEPTH)
    depth = st.slider(_("Depth, at most"), 1, DEEPEST_SHOWN, equal.value, **equal.widget())
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
