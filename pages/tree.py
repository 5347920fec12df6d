"""The tree: open any model, walk through it, lay rows over it, ask what would change it."""

from functools import partial

import streamlit as st

from treecore import Forest
from ui.forests.session import ForestRace
from ui.jobs.chosen_data import ChosenData
from ui.jobs.session import remembered, session_value
from ui.links.visit import read_link, report_problems, show_link
from ui.shell.class_link import class_link_control, class_title, group, hidden_note, hide
from ui.shell.safe_text import plain
from ui.tree.drawing import tree_drawing
from ui.tree.link import read_tree, tree_params
from ui.tree.opening import OpenedTree, Surroundings, open_control
from ui.tree.overlay import PARTS, Overlay, misfit, overlays, renamed
from ui.tree.rows_tab import rows_tab
from ui.widgets.dataset_picker import data_control
from ui.widgets.file_download import hand_over
from ui.widgets.heading import heading

TABS = {"Rows": rows_tab}


def main() -> None:
    """The page from top to bottom."""
    reading = read_link("tree", partial(read_tree, list(TABS)))
    report_problems("tree", reading)
    hide("tree")
    with st.sidebar:
        with group("settings"):
            st.subheader("Tree")
            place = st.container()
        with group("data"):
            st.subheader("Rows")
            data = data_control()
    with place:
        opened = open_control(surroundings(data))
    if opened is None:
        heading(class_title("tree") or "The tree")
        st.info("Choose a tree on the left to begin.", icon=":material/arrow_back:")
    else:
        tree_page(opened, data)
    if data is not None:
        params = tree_params(list(TABS), data)
        show_link("tree", params)
        with st.sidebar:
            class_link_control("tree", params)
    hand_over()
    hidden_note("tree")


def tree_page(opened: OpenedTree, data: ChosenData | None) -> None:
    """One tree: its drawing, and below it what is asked of it."""
    tree = opened.tree
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves} leaves"
    title = class_title("tree")
    heading(title or opened.title, *([opened.title] if title else []), leaves)
    if opened.note:
        st.caption(plain(opened.note))
    problem = "Choose rows on the left to lay them over the tree."
    if data is not None:
        problem = misfit(opened.document, data.train)
    overlay = None
    if data is not None and not problem:
        if note := renamed(opened.document, data.train):
            st.caption(plain(note))
        overlay = part_control(opened, data)
    tree_drawing(opened, overlay)
    if overlay is None:
        st.info(plain(problem), icon=":material/info:")
        return
    with group("more"):
        tabs = st.tabs(list(TABS), on_change="rerun", key="tree_tab")
        for tab, draw in zip(tabs, TABS.values(), strict=True):
            if tab.open:
                with tab:
                    draw(opened.document, overlay)


def surroundings(data: ChosenData | None) -> Surroundings:
    """The rows that are chosen, and the forests of the page Forests."""
    race = session_value(ForestRace)
    found = [
        (f"{number + 1} · {run.plan.title}", look.forest)
        for number, run in enumerate(race.runs)
        if run is not None and isinstance((look := run.look()).forest, Forest)
    ]
    return Surroundings(data, found, race.data.train if race.data else None)


def part_control(opened: OpenedTree, data: ChosenData) -> Overlay:
    """Which of the rows are laid over the tree."""
    known = remembered("tree_overlays", (opened.key, data.key), lambda: overlays(opened.tree, data))
    words = [word for word in reversed(PARTS) if word in known]
    if st.session_state.get("tree_part") not in words:
        st.session_state.tree_part = words[0]
    part = st.segmented_control(
        "Rows laid over the tree",
        words,
        format_func=lambda word: f"{PARTS[word]} rows".capitalize(),
        key="tree_part",
        required=True,
        label_visibility="collapsed",
        persist_state="session",
    )
    return known[part or words[0]]


main()
