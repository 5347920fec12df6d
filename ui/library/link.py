"""The link of the page *Library*: the tab, what is open on it, and the kind of plot."""

import streamlit as st

from ui.language.translate import N_
from ui.library.index import runs_found, sweeps_found
from ui.library.plots import PLOT, PLOTS, PUBLISHED, ROW
from ui.library.published_curves import published
from ui.links.fields import (
    Name,
    Params,
    Part,
    Reading,
    Words,
    choice_field,
    read_parts,
    write_parts,
)
from ui.links.visit import class_fields

TABS = (N_("Runs"), N_("Sweeps"))
TAB = "library_tab"

RUN, OVER, SWEEP = "library_run", "library_over", "library_sweep"
"""Keys of the session: names of the run that is open, of those laid over it, and of the sweep."""


def run_names() -> list[str]:
    return [run.name for run in runs_found().good]


OPEN_TAB = choice_field("tab", TAB, TABS, always=True)
OF_TAB: dict[str, tuple[Part, ...]] = {
    "Runs": (Name("run", RUN, run_names), Words("over", OVER, run_names)),
    "Sweeps": (
        Name("sweep", SWEEP, lambda: [sweep.name for sweep in sweeps_found().good]),
        choice_field("plot", PLOT, PLOTS.keys(), always=True),
        Name(
            "published",
            PUBLISHED,
            lambda: {name: None for plot in PLOTS for name in published(plot)},
        ),
        Name("row", ROW),  # of whichever sweep: it is looked for among its runs
    ),
}
"""What is open on a tab. Names are looked for, never opened."""


def read_library(params: Params) -> Reading:
    """What a link says, as entries of the session's state."""
    reading = Reading()
    parts = (OPEN_TAB, *OF_TAB["Runs"], *OF_TAB["Sweeps"], *class_fields("library"))
    if "tab" in params:
        params = {**params, "tab": [params["tab"][-1].capitalize()]}
    read_parts(parts, params, reading)
    reading.strangers(params, [part.name for part in parts])
    return reading


def library_params() -> dict[str, str]:
    """The inverse of :func:`read_library`, of the tab that is open."""
    tab = st.session_state.get(TAB) or TABS[0]
    return OPEN_TAB.write({TAB: tab}) | write_parts(OF_TAB[tab], st.session_state)
