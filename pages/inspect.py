"""Inspect: open any tree, walk through it, lay rows over it, ask what would change it."""

import streamlit as st

from ui.inspect.link import read_tree, tree_params
from ui.inspect.opened import SECOND, TWO, OpenedTree
from ui.inspect.opening import open_control
from ui.inspect.panel import model_page
from ui.lab.models import lab_models
from ui.language.translate import _
from ui.links.visit import read_link, report_problems, show_link
from ui.shell.class_link import class_link_control, class_title, group, hidden_note, hide
from ui.shell.page_style import lay
from ui.widgets.data.picker import data_control
from ui.widgets.file_download import hand_over
from ui.widgets.heading import heading


def main() -> None:
    report_problems("inspect", read_link("inspect", read_tree))
    hide("inspect")
    lay("paper", "paper_inspect")
    second = None
    with st.sidebar, group("data"):
        st.header(_("Examples"))
        data = data_control()
    top = st.container(horizontal=True, vertical_alignment="center", gap="small")
    with group("settings"), st.spinner(_("Opening the tree")):  # while kernels are compiled
        models = lab_models()
        found = open_control(data, models)
        if isinstance(found, OpenedTree) and st.session_state.get("tree_tab") == TWO:
            second = open_control(data, models, SECOND)
    if found is None:
        with top:
            heading(class_title("inspect") or _("Inspect"))
    else:
        model_page(found, second, data, top)
    if data is not None:
        params = tree_params(data)
        show_link("inspect", params)
        with st.sidebar:
            class_link_control("inspect", params)
    hand_over()
    hidden_note("inspect")


main()
