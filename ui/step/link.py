"""Slow motion in the Lab's link, and links of before to the page *One step*, which it replaces."""

from collections.abc import Mapping

import streamlit as st

from ui.language.translate import N_
from ui.links.fields import Params, Reading, choice_field, number_field, write_parts

LEARNER, AT = "slow_learner", "slow_at"
"""The session's keys of the learner in slow motion, from 1, 0 for none; and of the row or the split
that is asked for, -1 for any."""

HAND, ANGLE, SHIFT = "slow_hand", "slow_angle", "slow_shift"
"""And of whether a split is turned by hand, by how many degrees and per cent of the map."""

FIELDS = (
    number_field("slow", LEARNER, 0, 0, 3),
    number_field("at", AT, -1, -1, 2**53),
    choice_field("hand", HAND, {"no": False, "yes": True}),
    number_field("angle", ANGLE, 0, -90, 90),
    number_field("shift", SHIFT, 0, -50, 50),
)

GONE = ("passes", "oc1", "coefficient", "longer")
"""What links of before may say that slow motion does not have."""

SETTINGS = {
    "sgd": {"inference": "inference", "start": "start", "nu": "nu", "eta": "eta"},
    "tao": {"tao": "start", "C": "C"},
    "oc1": {"criterion": "criterion"},
}
"""Settings of a link of before, and how their methods call them."""

USUAL = {"sgd": {"nu": "5"}, "tao": {}, "oc1": {}}
"""What they were where such a link said nothing."""

PLACES = {"sgd": "example", "tao": "node", "oc1": "oc1_node", "hand": "split"}
"""What says at which row or split a step is."""

OWN = {"tab", "method", "depth", *PLACES.values(), *(n for all in SETTINGS.values() for n in all)}


def to_lab(given: Mapping[str, str]) -> dict[str, str]:
    """The parameters of the Lab that show what a link to *One step* was about."""
    tab = given.get("tab", "").lower()
    kind = tab if tab in ("tao", "oc1") else "sgd"
    method = "stable-sgd" if kind == "sgd" and given.get("method") == "stable-sgd" else kind
    values = USUAL[kind] | {
        name: given[old] for old, name in SETTINGS[kind].items() if old in given
    }
    run = "~".join([method, *(part for setting in values.items() for part in setting)])
    asked = {name: value for name, value in given.items() if name not in OWN}
    asked = {"data": "xor"} | asked | {"run": run, "fair": "depth"}
    asked |= {"depth": given.get("depth", "3"), "slow": "1"}
    by_hand = tab == "by hand"
    if by_hand:
        asked["hand"] = "yes"
    place = PLACES["hand" if by_hand else kind]
    return asked | ({"at": given[place]} if place in given else {})


def read_slow(params: Params, reading: Reading) -> None:
    """What a link of the Lab says of slow motion, and what one to *One step* said beside it."""
    for field in FIELDS:
        field.read(params, reading)
    if gone := [name for name in GONE if name in params]:
        message = N_("One step is now slow motion in the Lab, which has no {names}")
        reading.problem(message, names=", ".join(gone))


def slow_params() -> dict[str, str]:
    """The inverse of :func:`read_slow`."""
    state = st.session_state
    return write_parts(FIELDS, state) if state.get(LEARNER) else {}
