"""One model and what is asked of it: its drawing, rows, paths, changes, pruning."""

import hashlib

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from treecore import HingeForest
from treecore.viewer import Plane, standing_message
from ui.inspect.asked_row import leaf_of, present_row
from ui.inspect.asks_tab import asks_tab
from ui.inspect.change_tab import change_tab
from ui.inspect.comparison_tab import comparison_tab
from ui.inspect.forest.tab import forest_tab
from ui.inspect.opened import (
    FOREST,
    OF_A_ROW,
    PARTS,
    SECOND,
    TWO,
    Opened,
    OpenedForest,
    OpenedTree,
    state_key,
)
from ui.inspect.overlay import (
    MAY_HAVE_SEEN,
    Overlay,
    as_read,
    misfit,
    overlays,
    renamed,
    sums_classes,
)
from ui.inspect.pruning_tab import pruned, pruning_tab
from ui.inspect.row_tab import row_tab
from ui.inspect.rows_tab import rows_tab
from ui.jobs.chosen_data import ChosenData
from ui.jobs.session import remembered
from ui.language.translate import N_, _, ngettext
from ui.live.component import browser_component
from ui.shell.class_link import class_title, group
from ui.shell.page_style import picture_columns
from ui.shell.safe_text import plain
from ui.widgets.heading import heading
from ui.widgets.method_settings import plane_control
from ui.widgets.saved_tree import tree_export
from ui.widgets.tabs import tabs

EXPORT = N_("Saves the tree on the screen, pruned as shown, as a file or a program.")


def model_page(
    found: Opened,
    second: Opened | None,
    data: ChosenData | None,
    top: DeltaGenerator,
    plane: Plane | None = None,
) -> None:
    """A model, or two trees, and what is asked of it; top: takes the heading; plane: of a map."""
    if isinstance(found, OpenedForest):
        forest_page(found, data, top, plane)
    else:
        assert not isinstance(second, OpenedForest), "its trees are not laid beside others"
        tree_page(found, second, data, top, plane)


def forest_page(
    found: OpenedForest, data: ChosenData | None, top: DeltaGenerator, plane: Plane | None
) -> None:
    """A hinge forest, whose trees answer together only."""
    with top:
        heading(class_title("inspect") or found.title)
    problem = _("Choose examples under *More* to lay them over it.")
    if data is None or (problem := misfit(found.document, data.train)):
        st.info(problem, icon=":material/info:")
        return
    with group("more", "inspect"):
        if not found.learnt_from(data):
            st.caption(_(MAY_HAVE_SEEN))
        all_trees(found, data, plane)


def all_trees(forest: OpenedForest, data: ChosenData, plane: Plane | None) -> None:
    """All trees of a forest together, on a map; the sidebar chooses it where no plane is given."""
    if plane is None:
        with st.sidebar, group("map"):
            plane = plane_control(data)
    forest_tab(forest, data, plane)


def tree_page(
    found: OpenedTree,
    second: OpenedTree | None,
    data: ChosenData | None,
    top: DeltaGenerator,
    plane: Plane | None,
) -> None:
    problem = _("Choose examples under *More* to lay them over the tree.")
    before = None
    if data is not None:
        problem = misfit(found.exported, data.train)
        if not problem and found.over is not None:
            before, data = data, read_rows(found, data)
    opened = found if data is None or problem else pruned(found, data)
    title, tree = class_title("inspect"), opened.tree
    overlay = None
    with top:
        leaves = ngettext("{n} leaf", "{n} leaves", tree.n_leaves)
        heading(title or opened.title, *([opened.title] if title else []), leaves)
        if data is not None and not problem:
            overlay = part_control(opened, data, before)
        with group("export", "inspect", width="content"):
            tree_export(lambda: opened.exported, opened.title, "tree_", _(EXPORT))
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
        drawn, answers = st.container(key="beside_tree").columns([3, 2], gap="medium")
        with drawn:
            tree_drawing(opened, overlay, marked)
    else:
        left, right = picture_columns("tree", gap="medium")
        with left:
            tree_drawing(opened, overlay, marked)
        with right:
            other = other_drawing(second, overlay, before or data)
        answers = st.container()
    forest = found.forest
    if forest is not None and data is not None and sums_classes(forest.document, data.train):
        with answers, group("more", "inspect"):
            st.caption(
                _(
                    "Each tree of this model adds to the scores of the classes; the class with "
                    "the largest sum is the prediction. Map and margins show the sums. Columns "
                    "and classes are matched by position."
                )
            )
            st.caption(_(MAY_HAVE_SEEN))  # such models come from files only
            all_trees(forest, data, plane)
        return
    if overlay is None or data is None:
        answers.info(problem, icon=":material/info:")
        return
    # The rows that the tree was grown from; where nobody knows, those that are laid over it.
    grown = laid_over(opened, data, before)["training"] if overlay.own else overlay
    whole = forest.forest if forest is not None else None
    assert not isinstance(whole, HingeForest), "its trees are not opened"
    with answers, group("more", "inspect"):
        draw = {
            "Examples": lambda: rows_tab(opened.document, overlay),
            "One example": lambda: row_tab(opened.document, overlay, whole),
            "What would change it": lambda: change_tab(opened.document, overlay, whole),
            "What it asks": lambda: asks_tab(opened, overlay, grown),
            "Pruning": lambda: pruning_tab(found, data),
            TWO: lambda: comparison_tab(opened, overlay, second, other, plane),
        }
        if forest is not None:
            draw = {FOREST: lambda: all_trees(forest, data, plane)} | draw
        if st.session_state.get("tree_tab") not in draw:
            st.session_state.tree_tab = next(iter(draw))
        for tab, draw_tab in zip(tabs(list(draw), "tree_tab"), draw.values(), strict=True):
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
    tree_drawing(second, other, place=SECOND)
    if problem:
        st.info(problem, icon=":material/info:")
    return other


def read_rows(opened: OpenedTree, data: ChosenData) -> ChosenData:
    if opened.over is None:
        return data
    return remembered("tree_read", (opened.key, data.key), lambda: as_read(opened, data))


def laid_over(
    opened: OpenedTree, data: ChosenData, before: ChosenData | None
) -> dict[str, Overlay]:
    """The parts of the rows over the tree; see :func:`ui.inspect.overlay.overlays`."""
    key = (opened.key, data.key, opened.data_key)
    return remembered("tree_overlays", key, lambda: overlays(opened, data, before))


def part_control(opened: OpenedTree, data: ChosenData, before: ChosenData | None) -> Overlay:
    known = laid_over(opened, data, before)
    words = [word for word in reversed(PARTS) if word in known]
    if st.session_state.get("tree_part") not in words:
        st.session_state.tree_part = words[0]
    names = {"training": _("Training examples"), "held": _("Test examples")}
    if not opened.learnt_from(data):
        names = {"training": _("Training split"), "held": _("Test split")}
    part = st.segmented_control(
        _("Examples over tree"),
        words,
        format_func=names.__getitem__,
        key="tree_part",
        required=True,
        label_visibility="collapsed",
        persist_state="session",
    )
    return known[part or words[0]]


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
        labels=rows.y.astype(int) * (rows.n_classes > 0) if rows is not None else None,
        counts=overlay.counts if overlay is not None else document.counts,
        image=rows.image_shape if rows is not None else None,
        part="training" if overlay is None else PARTS[overlay.part] if overlay.own else "chosen",
        marked=marked,
        columns=document.columns,
    )
    key = state_key("drawing", place)

    def picked() -> None:
        mark, node = st.session_state[key].get("picked") or {}, state_key("node", place)
        if mark.get("leaf", -1) >= 0:
            st.session_state[node] = ~int(mark["leaf"])
        elif mark.get("split", -1) >= 0:
            st.session_state[node] = int(mark["split"])

    mount = browser_component("standing", "pages/standing.js")
    mount(data=message, key=key, height="content", on_picked_change=picked)
