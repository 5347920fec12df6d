"""Experiments: runs and sweeps that are kept in folders, those of the command line among them."""

import streamlit as st

from ui.experiments.link import TAB, TABS, experiments_params, read_experiments
from ui.experiments.runs_tab import runs_tab
from ui.experiments.sweeps_tab import sweeps_tab
from ui.experiments.watch import watch_folders
from ui.language.translate import _
from ui.links.visit import read_link, report_problems, show_link
from ui.shell.class_link import class_link_control, class_title, hidden_note, hide
from ui.widgets.file_download import hand_over
from ui.widgets.heading import heading
from ui.widgets.tabs import tabs

DRAW = dict(zip(TABS, (runs_tab, sweeps_tab), strict=True))


def main() -> None:
    """The page from top to bottom."""
    report_problems("experiments", read_link("experiments", read_experiments))
    hide("experiments")
    heading(class_title("experiments") or _("Experiments"))
    st.caption(
        _(
            "What was learnt and kept: single runs, and sweeps of many runs over methods and "
            "settings. The folders are those of the command line: what begins here can go on "
            "there, and the other way round."
        )
    )
    for name, tab in zip(TABS, tabs(TABS, TAB), strict=True):
        if tab.open:
            with tab:
                DRAW[name]()
    watch_folders()
    params = experiments_params()
    show_link("experiments", params)
    class_link_control("experiments", params)
    hand_over()
    hidden_note("experiments")


main()
