"""The link of the page *Inspect*: its data, where the tree comes from, what is looked at."""

import streamlit as st

from ui.inspect.opened import (
    PARTS,
    REQUESTED_MOVES,
    REQUESTED_WANTED,
    SECOND,
    TABS,
    TWO,
    WANTED,
    state_key,
)
from ui.jobs.chosen_data import ChosenData
from ui.language.translate import N_
from ui.links.data import DATA_NAMES, data_params, read_data
from ui.links.fields import (
    Field,
    Name,
    Params,
    Part,
    Places,
    Reading,
    choice_field,
    number_field,
    read_parts,
    write_parts,
)
from ui.links.visit import class_fields

MOST = 10**7
"""A number that is surely greater than any row's or node's."""

FAR = 1e30
"""A number that nobody wants a tree to predict."""

ORIGINS = {
    "grown": N_("Grown here"),
    "run": N_("The Lab"),
    "file": N_("A file"),
    "kept": N_("The Library"),
}
"""Where a tree may come from, by the word in a link."""

GROWN_BY = ("axis", "oc1", "tao")
"""Methods that grow a tree within the drawing of a page."""

DEEPEST = 10
"""Of a tree that is grown on the page."""

CARRIED = "grown"
"""The origin of trees that a link alone makes again."""


def origin_fields(place: str = "") -> tuple[Field, ...]:
    """Where a tree comes from, under names that end in ``2`` for the one beside it."""
    end = "2" if place else ""
    return (
        choice_field(f"tree{end}", state_key("origin", place), tuple(ORIGINS), always=True),
        choice_field(f"method{end}", state_key("method", place), GROWN_BY),
        number_field(f"depth{end}", state_key("depth", place), 5, 1, DEEPEST),
    )


def look_fields(most: str) -> tuple[Part, ...]:
    """What is looked at, where a row was moved to, and what would have to change.

    most: a name in the link.
    """
    return (
        Name("tab", "tree_tab", lambda: TABS, {"Rows": "Examples", "One row": "One example"}),
        choice_field("rows", "tree_part", tuple(reversed(PARTS))),
        number_field("node", "tree_node", 0, -MOST, MOST),
        number_field("row", "tree_row", 0, 0, MOST),
        number_field("pruned", "tree_pruned", 0, 0, MOST),
        Places("moved", "tree_moved", REQUESTED_MOVES, valued=True),
        number_field("wanted", "tree_wanted", -1, -1, MOST),
        number_field("least", "tree_low", -FAR, -FAR, FAR),
        number_field(most, "tree_high", FAR, -FAR, FAR),
        choice_field("norm", "tree_norm", ("l2", "l1")),
        Places("fixed", "tree_fixed"),
        Places("whole", "tree_whole"),
        choice_field("within", "tree_within", {"yes": True, "no": False}),
    )


FIELDS = (*origin_fields(), *look_fields("most"))


def read_tree(params: Params) -> Reading:
    """What a link says of the page, as entries of the session's state."""
    reading = Reading()
    parts: tuple[Part, ...] = (*FIELDS, *origin_fields(SECOND), *class_fields("inspect"))
    read_data(params, reading)
    read_parts(parts, params, reading)
    reading.state[REQUESTED_WANTED] = not WANTED.isdisjoint(reading.state)
    reading.strangers(params, (*DATA_NAMES, *(part.name for part in parts)))
    return reading


def tree_params(data: ChosenData) -> dict[str, str]:
    """The inverse of :func:`read_tree`; only what is not the usual, and only of what is shown."""
    params = data_params(data.key, data.train.name)
    said = write_parts(FIELDS, st.session_state)
    if said.get("tree") != CARRIED:
        said = {name: text for name, text in said.items() if name not in ("method", "depth")}
    if said.get("tab") == TWO:
        second = write_parts(origin_fields(SECOND), st.session_state)
        if second.get("tree2") != CARRIED:
            second = {name: text for name, text in second.items() if name == "tree2"}
        said |= second
    return params | said


INSPECTED = "lab_inspect"
"""The session's key of the learner of the Lab that is inspected, from 1; 0: none."""

IN_THE_LAB: tuple[Part, ...] = (
    number_field("inspect", INSPECTED, 0, 0, 3),
    *look_fields("highest"),
)
"""What a link of the Lab says of Inspect; ``most`` is the limit there."""


def read_inspected(params: Params, reading: Reading) -> None:
    """What a link of the Lab says, as entries of the session's state."""
    if "inspect" in params:
        read_parts(IN_THE_LAB, params, reading)
        reading.state[REQUESTED_WANTED] = not WANTED.isdisjoint(reading.state)


def inspected_params() -> dict[str, str]:
    """The inverse of :func:`read_inspected`."""
    return write_parts(IN_THE_LAB, st.session_state) if st.session_state.get(INSPECTED) else {}
