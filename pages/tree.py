"""The tree: open any model, walk through it, lay rows over it, ask what would change it."""

from functools import partial

import streamlit as st

from treecore import Forest
from ui.forests.session import ForestRace
from ui.jobs.chosen_data import ChosenData
from ui.jobs.session import remembered, session_value
from ui.language.translate import N_, _, ngettext
from ui.links.visit import read_link, report_problems, show_link
from ui.shell.class_link import class_link_control, class_title, group, hidden_note, hide
from ui.shell.page_style import pictures_beside
from ui.shell.safe_text import plain
from ui.tree.asked_row import leaf_of, present_row
from ui.tree.asks_tab import asks_tab
from ui.tree.beside_tab import beside_tab
from ui.tree.change_tab import change_tab
from ui.tree.criteria import criterion_of
from ui.tree.drawing import tree_drawing
from ui.tree.link import BESIDE, TWO, read_tree, tree_params
from ui.tree.opening import OpenedTree, Surroundings, open_control
from ui.tree.overlay import MAY_HAVE_SEEN, PARTS, Overlay, as_read, misfit, overlays, renamed
from ui.tree.paper import on_paper
from ui.tree.pruning_tab import pruned, pruning_tab
from ui.tree.row_tab import row_tab
from ui.tree.rows_tab import rows_tab
from ui.widgets.data.picker import data_control
from ui.widgets.file_download import hand_over
from ui.widgets.heading import heading
from ui.widgets.saved_tree import tree_export
from ui.widgets.tabs import tabs

EXPORT = N_("The tree that is on the screen, pruned as it is, as a file or a program.")

OF_A_ROW = (N_("One row"), N_("What would change it"))
"""Tabs on which the path of a row is marked in the drawing."""

TABS = (N_("Rows"), *OF_A_ROW, N_("What it asks"), N_("Pruning"), TWO)


def main() -> None:
    """The page from top to bottom."""
    report_problems("tree", read_link("tree", partial(read_tree, TABS)))
    hide("tree")
    on_paper()
    second = None
    with st.sidebar:
        with group("settings"):
            st.header(_("Tree"))
            place = st.container()
        with group("data"):
            st.header(_("Rows"))
            data = data_control()
    around = surroundings(data)
    with st.spinner(_("Opening the tree")), place:  # for some seconds where kernels are compiled
        found = open_control(around)
        if found is not None and st.session_state.get("tree_tab") == TWO:
            st.header(_("Second tree"))
            second = open_control(around, BESIDE)
    if found is None:
        heading(class_title("tree") or _("The tree"))
        st.info(_("Choose a tree on the left to begin."), icon=":material/arrow_back:")
    else:
        tree_page(found, second, data)
    if data is not None:
        params = tree_params(TABS, data)
        show_link("tree", params)
        with st.sidebar:
            class_link_control("tree", params)
    hand_over()
    hidden_note("tree")


def tree_page(found: OpenedTree, second: OpenedTree | None, data: ChosenData | None) -> None:
    """One tree, or two beside each other: the drawing, and below it what is asked of it."""
    problem = _("Choose rows on the left to lay them over the tree.")
    before = None
    if data is not None:
        problem = misfit(found.exported, data.train)
        if not problem and found.over is not None:
            before, data = data, read_rows(found, data)
    opened = found if data is None or problem else pruned(found, data)
    title, tree = class_title("tree"), opened.tree
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        leaves = ngettext("{n} leaf", "{n} leaves", tree.n_leaves)
        heading(title or opened.title, *([opened.title] if title else []), leaves)
        with group("export", width="content"):
            export_tree(opened)
    overlay = None
    if data is not None and not problem:
        overlay = part_control(opened, data, before)
    notes = [opened.note]
    if data is not None and overlay is not None:
        notes.append(renamed(opened.exported, (before or data).train))
        notes.append("" if overlay.own else _(MAY_HAVE_SEEN))
    if note_text := " ".join(filter(None, notes)):
        st.caption(plain(note_text))
    marked = None
    if overlay is not None and st.session_state.get("tree_tab") in OF_A_ROW:
        marked = leaf_of(tree, present_row(overlay))
    other = None
    if second is None:
        tree_drawing(opened, overlay, marked)
    else:
        left, right = pictures_beside("tree", gap="medium")
        with left:
            tree_drawing(opened, overlay, marked)
        with right:
            other = other_drawing(second, overlay, before or data)
    if overlay is None or data is None:
        st.info(plain(problem), icon=":material/info:")
        return
    with group("more"):
        draw = (
            lambda: rows_tab(opened.document, overlay),
            lambda: row_tab(opened.document, overlay),
            lambda: change_tab(opened.document, overlay),
            lambda: asks_tab(opened, overlay, grown_from(opened, overlay, data, before)),
            lambda: pruning_tab(found, data),
            lambda: beside_tab(opened, overlay, second, other),
        )
        for tab, draw_tab in zip(tabs(TABS, "tree_tab"), draw, strict=True):
            if tab.open:
                with tab:
                    draw_tab()


def other_drawing(
    second: OpenedTree, overlay: Overlay | None, data: ChosenData | None
) -> Overlay | None:
    """The second tree, with the same rows over it where they fit."""
    st.caption(plain(f"{second.title}. {second.note}"))
    other, problem = None, ""
    if overlay is not None and data is not None:
        problem = misfit(second.exported, data.train)
        if not problem:
            key = (second.key, overlay.key)
            part, rows = overlay.part, read_rows(second, data)
            before = data if second.over is not None else None
            other = remembered("tree_other", key, lambda: overlays(second, rows, before)[part])
    tree_drawing(second, other, place=BESIDE)
    if problem:
        st.info(plain(problem), icon=":material/info:")
    return other


def read_rows(opened: OpenedTree, data: ChosenData) -> ChosenData:
    """The rows as the tree reads them."""
    if opened.over is None:
        return data
    return remembered("tree_read", (opened.key, data.key), lambda: as_read(opened, data))


def export_tree(opened: OpenedTree) -> None:
    """The button on the page that hands out the tree."""
    tree_export(lambda: opened.exported, opened.title, "tree_", _(EXPORT))


def surroundings(data: ChosenData | None) -> Surroundings:
    """The rows that are chosen, and the forests of the page Forests."""
    race = session_value(ForestRace)
    found = [
        (f"{number + 1} · {run.plan.title}", look.forest, criterion_of(run.plan.config))
        for number, run in enumerate(race.runs)
        if run is not None and isinstance((look := run.look()).forest, Forest)
    ]
    return Surroundings(data, found, race.data)


def laid_over(
    opened: OpenedTree, data: ChosenData, before: ChosenData | None
) -> dict[str, Overlay]:
    """The parts of the rows over the tree; see :func:`ui.tree.overlay.overlays`."""
    key = (opened.key, data.key, opened.data_key)
    return remembered("tree_overlays", key, lambda: overlays(opened, data, before))


def grown_from(
    opened: OpenedTree, overlay: Overlay, data: ChosenData, before: ChosenData | None
) -> Overlay:
    """The rows that the tree was grown from; where nobody knows, those that are laid over it."""
    return laid_over(opened, data, before)["training"] if overlay.own else overlay


def part_control(opened: OpenedTree, data: ChosenData, before: ChosenData | None) -> Overlay:
    """Which of the rows are laid over the tree."""
    known = laid_over(opened, data, before)
    words = [word for word in reversed(PARTS) if word in known]
    if st.session_state.get("tree_part") not in words:
        st.session_state.tree_part = words[0]
    names = {"training": _("Training rows"), "held": _("Held-out rows")}
    if not opened.learnt_from(data):
        names = {"training": _("Training split"), "held": _("Test split")}
    part = st.segmented_control(
        _("Rows laid over the tree"),
        words,
        format_func=names.__getitem__,
        key="tree_part",
        required=True,
        label_visibility="collapsed",
        persist_state="session",
    )
    return known[part or words[0]]


main()
