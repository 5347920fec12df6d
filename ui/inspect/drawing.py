"""The drawing of a tree on the page: the live view's, of a tree that stands still."""

import hashlib

import streamlit as st

from treecore.viewer import standing_message
from ui.inspect.opened import PARTS, OpenedTree, state_key
from ui.inspect.overlay import Overlay
from ui.live.component import browser_component


def node_key(place: str = "") -> str:
    """The session's key of the node that was picked on a drawing: a split, or ``~leaf``."""
    return state_key("node", place)


def tree_drawing(
    opened: OpenedTree, overlay: Overlay | None, marked: int | None = None, place: str = ""
) -> None:
    """A tree with the rows that come to every node, and the path to the leaf ``marked``."""
    document, rows = opened.document, overlay.rows if overlay is not None else None
    name = (opened.key, overlay and overlay.key)
    message = standing_message(
        document.tree,
        hashlib.sha256(repr(name).encode()).hexdigest()[:16],
        document.feature_names,
        document.class_names,
        units=document.units,
        target=document.output_names[0] if document.output_names else "",
        rows=rows.X if rows is not None else None,
        counts=overlay.counts if overlay is not None else document.counts,
        image=rows.image_shape if rows is not None else None,
        part="training" if overlay is None else PARTS[overlay.part] if overlay.own else "chosen",
        marked=marked,
        columns=document.columns,
    )
    key = state_key("drawing", place)

    def picked() -> None:
        mark = st.session_state[key].get("picked") or {}
        if mark.get("leaf", -1) >= 0:
            st.session_state[node_key(place)] = ~int(mark["leaf"])
        elif mark.get("split", -1) >= 0:
            st.session_state[node_key(place)] = int(mark["split"])

    mount = browser_component("standing", "pages/standing.js")
    mount(data=message, key=key, height="content", on_picked_change=picked)
