"""Library: runs and sweeps in folders, the command line's among them; model files; examples."""

import streamlit as st

from ui.language.translate import _
from ui.library.examples import examples
from ui.library.link import TAB, TABS, library_params, read_library
from ui.library.runs_tab import runs_tab
from ui.library.sweeps_tab import sweeps_tab
from ui.links.visit import read_link, report_problems, show_link
from ui.shell.class_link import class_link_control, class_title, group, hidden_note, hide
from ui.shell.router import page_file
from ui.widgets.file_download import hand_over
from ui.widgets.heading import heading
from ui.widgets.tabs import tabs

DRAW = dict(zip(TABS, (runs_tab, sweeps_tab), strict=True))


def main() -> None:
    report_problems("library", read_link("library", read_library))
    hide("library")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        heading(class_title("library") or _("Library"))
        with group("more", "file", width="content"):
            st.page_link(
                page_file("inspect"),
                label=_("Open a model file"),
                icon=":material/upload_file:",
                query_params={"tree": "file"},
                help=_(
                    "Open a model of treecore, XGBoost, LightGBM or ONNX, and lay examples over "
                    "its trees."
                ),
            )
    with group("more", "examples"):
        examples()
    st.caption(
        _(
            "Saved runs and comparisons, and sweeps over many settings. They share folders with "
            "the command line, so you can start here and continue there."
        )
    )
    for name, tab in zip(TABS, tabs(TABS, TAB), strict=True):
        if tab.open:
            with tab:
                DRAW[name]()
    params = library_params()
    show_link("library", params)
    class_link_control("library", params)
    hand_over()
    hidden_note("library")


main()
