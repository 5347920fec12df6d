"""The plot of a sweep: which one, over which published curves; a click on it opens a run."""

from __future__ import annotations

import streamlit as st

from ui.drawing.theme import paint, show
from ui.language.translate import N_, _
from ui.library.index import SweepFolder, data_title
from ui.library.plots import LINES, PLOTS, plot_figure
from ui.library.published_curves import fitting, published
from ui.library.results_table import RunsTable
from ui.shell.class_link import group
from ui.shell.safe_text import plain

PLOT, PUBLISHED, ROW = (f"library_{name}" for name in ("plot", "published", "row"))
"""Keys of the session: kind of plot, dataset of the curves, key of the run."""

MEASURED = {
    "depth": N_("on test rows"),
    "nu": N_("with the leaves of the starting trees"),
    "time": N_("on the authors' machine"),
}
"""What the published curves of a plot are of."""


def plot_control(sweep: SweepFolder, table: RunsTable) -> None:
    known = [plot for plot in PLOTS if plot != "nu" or any(d.get("nu") for d in table.dots)]
    if st.session_state.get(PLOT) not in known:
        st.session_state[PLOT] = known[0]
    row = st.container(horizontal=True, vertical_alignment="center", gap="medium")
    with row, group("plot", width="content"):
        plot = st.segmented_control(
            _("Plot"),
            known,
            format_func=lambda name: _(PLOTS[name]),
            required=True,
            key=PLOT,
            label_visibility="collapsed",
            persist_state="session",
        )
    assert plot is not None, "the choice is required, and one was made above"
    with row, group("plot", "published"):
        curves, whose = _published_control(sweep, table, plot)
    if whose:
        st.caption(plain(whose))
    show(
        plot_figure(plot, table, curves, st.session_state.get(ROW), paint()),
        f"library_plot_{plot}",
        _(
            "{plots}, {dots} runs. Open any of them in the box below.",
            plots=_(PLOTS[plot]),
            dots=len(table.dots),
        ),
        on_select=lambda: _picked(plot),
        selection_mode="points",
    )
    st.caption(_(LINES[plot]) + _(" Click a dot to open its tree."))


def _published_control(sweep: SweepFolder, table: RunsTable, plot: str):
    """Which published curves are under our own, and whose they are; others' data if asked for."""
    known = {} if table.numbers else published(plot)
    if not known:
        return (), ""
    usual = fitting(plot, data_title(sweep.spec.data.source.name))
    requested = st.session_state.get(PUBLISHED)
    if requested not in (None, *known):
        st.session_state[PUBLISHED] = requested = None
    seen = ("published_for", sweep.name, plot)
    if usual and st.session_state.get("published_for") != seen:
        st.session_state[PUBLISHED] = usual
    st.session_state["published_for"] = seen
    name = st.selectbox(
        _("Published curves"),
        list(known),
        index=None,
        key=PUBLISHED,
        label_visibility="collapsed",
        placeholder=_("Published curves"),
        help=_(
            "Draws results of papers on single oblique trees under the runs. Use it to check "
            "your own results."
        ),
        persist_state="session",
    )
    if name is None:
        return (), ""
    sources = _(" and ").join(dict.fromkeys(curve.source for curve in known[name]))
    data = data_title(sweep.spec.data.source.name)
    sentence = _(
        "Published on {name}: {sources}, {measured}.",
        name=name,
        sources=sources,
        measured=_(MEASURED[plot]),
    )
    if name != usual:
        sentence += _(
            " The runs here use {data}: compare the shapes, not the numbers.",
            data=data,
        )
    return known[name], sentence


def _picked(plot: str) -> None:
    points = st.session_state[f"library_plot_{plot}"].selection.points
    for point in points:
        key = point.get("customdata")
        key = key[0] if isinstance(key, list | tuple) and key else key
        if isinstance(key, str):
            st.session_state[ROW] = key
