"""One step: each algorithm taken apart, for one example, one node, one coefficient; by hand."""

from functools import partial

import streamlit as st

from ui.jobs.chosen_data import why_alike
from ui.language.translate import N_, _, said
from ui.links.visit import read_link, report_problems, show_link
from ui.shell.class_link import class_link_control, class_title, group, hidden_note, hide
from ui.shell.safe_text import plain
from ui.step.link import read_step, step_params
from ui.step.manual_tab import hand_tab
from ui.step.oc1_tab import oc1_tab
from ui.step.one_example import sample_tab
from ui.step.settings import depth_control, prepared
from ui.step.tao_tab import tao_tab
from ui.widgets.data.picker import data_control
from ui.widgets.file_download import hand_over
from ui.widgets.heading import data_title, heading, rows_text
from ui.widgets.method_settings import errors_control
from ui.widgets.tabs import tabs

TABS = {N_("One example"): sample_tab, "TAO": tao_tab, "OC1": oc1_tab, N_("By hand"): hand_tab}


def main() -> None:
    """The page from top to bottom."""
    report_problems("step", read_link("step", partial(read_step, list(TABS))))
    hide("step")
    with st.sidebar:
        with group("data"):
            st.header(_("Data"))
            data = data_control()
        with group("settings"):
            st.header(_("Tree"))
            depth = depth_control()
            numbers = data is not None and data.train.task == "regression"
            errors = errors_control("regression") if numbers else {}
    title = class_title("step") or _("One step, taken apart")
    if data is None:
        heading(title)
        st.info(_("Choose data on the left to begin."), icon=":material/arrow_back:")
        return
    heading(title, f"{data_title(data)}: {rows_text(data)}")
    st.caption(
        _("Learning is held still: what one single step does, and the numbers that made it do so.")
    )
    if alike := why_alike(data):
        st.info(alike, icon=":material/info:")
        return
    with st.spinner(_("Preparing compiled code; the first time takes half a minute")):
        prepared(errors.get("loss", "log"))
    for tab, (name, draw) in zip(tabs(list(TABS), "step_tab"), TABS.items(), strict=True):
        if tab.open:
            with tab:
                try:
                    draw(data, depth, st.session_state.seed, errors)
                except ValueError as error:
                    st.error(plain(f"{_(name)}: {said(error)}."), icon=":material/error:")
    params = step_params(list(TABS), data)
    show_link("step", params)
    with st.sidebar:
        class_link_control("step", params)
    hand_over()
    hidden_note("step")


main()
