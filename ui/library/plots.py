"""Plots of a sweep: a dot a run, lines of means over seeds, published curves under them.

A click on a dot opens its run.
"""

from collections.abc import Sequence
from typing import Any

import streamlit as st
from plotly.graph_objects import Figure

from treecore.training import METHODS
from ui.drawing.on_page import show
from ui.drawing.theme import (
    PERCENT,
    SYMBOLS,
    Paint,
    add_dots,
    add_line,
    colour_numbers,
    dress,
    line_colour,
    paint,
)
from ui.jobs.metrics import duration
from ui.language.translate import N_, _, ngettext, written
from ui.library.index import SweepFolder, data_title
from ui.library.published_curves import Curve, fitting, published
from ui.library.results_table import Dot, Mean, RunsTable, best_by_depth, frontier, grouped, mean_of
from ui.shell.class_link import group
from ui.shell.safe_text import plain

PLOTS = {
    "depth": N_("Results against depth"),
    "nu": N_("Active leaves against ν"),
    "size": N_("Results against size"),
    "time": N_("Time against depth"),
}
"""Kinds of plots and how they are called."""

LINES = {
    "depth": N_(
        "Dots are runs. A line joins the best settings of its method at each depth; mean ± "
        "deviation over seeds."
    ),
    "nu": N_("Dots are runs. A line is one method at one depth; mean ± deviation over seeds."),
    "size": N_("Dots are runs. A line joins the runs of a method that no smaller tree equals."),
    "time": N_(
        "Dots are runs. A line is the mean of a method's runs at each depth; a bar spans the "
        "fastest to the slowest."
    ),
}
"""What is drawn, by the kind of plot."""


def plot_figure(
    plot: str, table: RunsTable, curves: Sequence[Curve], chosen: str | None, colours: Paint
) -> Figure:
    """One of :data:`PLOTS` over published curves; chosen: key of the run with a ring about it."""
    figure = Figure()
    for number, curve in enumerate(curves):
        _published(figure, curve, number, colours)
    methods = [name for name in METHODS if any(dot.method == name for dot in table.dots)]
    numbers = zip(methods, colour_numbers(methods), strict=True)
    looks = {name: DotStyle(colours, number) for name, number in numbers}
    for name in methods:
        of_method = [dot for dot in table.dots if dot.method == name and not dot.final]
        _LINES[plot](figure, of_method, table, looks[name])
        _dots(figure, of_method, plot, table, looks[name], named=plot == "size")
    for name in methods:  # over all others
        final = [dot for dot in table.dots if dot.method == name and dot.final]
        _dots(figure, final, plot, table, looks[name], named=False)
    _ring(figure, table.dot(chosen), plot, colours)
    legend = {"orientation": "h", "y": -0.2, "yanchor": "top", "x": 0, "traceorder": "normal"}
    height = 330 + 20 * (len(figure.data) // 5)
    dress(figure, colours, height, legend=legend, clickmode="event+select")
    _axes(figure, plot, table, [at for curve in curves for at in curve.x])
    return figure


class DotStyle:
    """A method's colour and marker, the same in all plots."""

    def __init__(self, colours: Paint, number: int):
        self.colour = line_colour(number, colours.dark)
        self.symbol = SYMBOLS[number % len(SYMBOLS)]
        self.back = colours.back


def _place(dot: Dot, plot: str) -> tuple[float | None, float]:
    return {
        "depth": (dot.get("depth"), dot.good),
        "nu": (dot.get("nu"), dot.leaves),
        "size": (dot.leaves, dot.good),
        "time": (dot.get("depth"), dot.seconds),
    }[plot]


def _dots(figure, dots: Sequence[Dot], plot: str, table: RunsTable, look: DotStyle, named) -> None:
    dots = [dot for dot in dots if _place(dot, plot)[0] is not None]
    if not dots:
        return
    final = dots[0].final
    name = _("{title}: its best, on test examples", title=dots[0].title) if final else dots[0].title
    marker = {
        "color": look.colour,
        "size": 13 if final else 10 if look.symbol.startswith("triangle") else 8,
        "symbol": "star" if final else look.symbol,
        "opacity": 1.0 if final else 0.65,
        "line": {"width": 1, "color": look.back},
    }
    add_dots(
        figure,
        [_place(dot, plot)[0] for dot in dots],
        [_place(dot, plot)[1] for dot in dots],
        marker,
        customdata=[dot.key for dot in dots],
        text=[says(dot, table) for dot in dots],
        name=name,
        showlegend=named,
        selected={"marker": {"opacity": marker["opacity"]}},
        unselected={"marker": {"opacity": marker["opacity"]}},
        hovertemplate="%{text}<extra></extra>",
    )


def says(dot: Dot, table: RunsTable) -> str:
    settings_text = dot.settings_text([*table.varying, *({"seed"} - set(table.varying))])
    rows = _("on test examples") if dot.final else _("on validation examples")
    leaves = ngettext("{n} active leaf", "{n} active leaves", dot.leaves)
    figures = f"{good_text(dot.good, table)} {rows}<br>{leaves}, {duration(dot.seconds)}"
    return f"{settings_text}<br>{figures}"


def good_text(good: float, table: RunsTable) -> str:
    return "R² " * table.numbers + written(good, ".1%")


def _ring(figure, dot: Dot | None, plot: str, colours: Paint) -> None:
    if dot is None or _place(dot, plot)[0] is None:
        return
    x, y = _place(dot, plot)
    edge = {"width": 2.5, "color": colours.text}
    add_dots(figure, [x], [y], {"size": 17, "color": "rgba(0,0,0,0)", "line": edge})


def _line(
    figure, line: Sequence[Mean], name: str, look: DotStyle, dash: str = "solid", form: str = ".4~g"
) -> None:
    """Means, whose figures are written by a ``form`` of Plotly's."""
    if not line:
        return
    figure.add_scatter(
        x=[one.x for one in line],
        y=[one.mean for one in line],
        error_y={
            "array": [one.above for one in line],
            "arrayminus": [one.below for one in line],
            "symmetric": False,
            "visible": any(one.above for one in line),
            "thickness": 1.2,
            "width": 4,
        },
        # A mean may lie on a dot, and takes the click for it: a click opens the nearest run.
        customdata=[one.nearest for one in line],
        text=[
            _("{value}<br>mean of {n} runs", value=one.text or name, n=one.n)
            if one.n > 1
            else one.text or name
            for one in line
        ],
        mode="lines+markers",  # what has no markers cannot be clicked on
        marker=_UNSEEN,
        selected={"marker": _UNSEEN},
        unselected={"marker": _UNSEEN},
        name=name,
        line={"color": look.colour, "width": 2, "dash": dash},
        hovertemplate=f"%{{text}}: %{{y:{form}}}<extra></extra>",
    )


_UNSEEN = {"opacity": 0.0}


def _by_depth(figure, dots: list[Dot], table: RunsTable, look: DotStyle) -> None:
    if dots:
        _line(figure, best_by_depth(dots, table.varying), dots[0].title, look, form=".1%")


_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def _by_nu(figure, dots: list[Dot], table: RunsTable, look: DotStyle) -> None:
    dots = [dot for dot in dots if dot.get("nu") is not None]
    for number, (depth, of_depth) in enumerate(
        sorted(grouped(dots, lambda dot: dot.get("depth")).items())
    ):
        line = [
            mean_of(nu, runs, lambda dot: dot.leaves)
            for nu, runs in sorted(grouped(of_depth, lambda dot: dot.get("nu")).items())
        ]
        name = _("{title}, depth {depth}", title=of_depth[0].title, depth=depth)
        _line(figure, line, name, look, _DASHES[number % len(_DASHES)])


def _by_size(figure, dots: list[Dot], table: RunsTable, look: DotStyle) -> None:
    best = frontier(dots)
    leaves, good = [dot.leaves for dot in best], [dot.good for dot in best]
    add_line(figure, leaves, good, look.colour, 1.5, shape="hv")


def _by_time(figure, dots: list[Dot], table: RunsTable, look: DotStyle) -> None:
    if dots:
        line = [
            # Below a mean by its deviation there may be less than nothing, and no logarithm.
            mean_of(depth, runs, lambda dot: dot.seconds, is_count=True)
            for depth, runs in sorted(grouped(dots, lambda dot: dot.get("depth")).items())
        ]
        _line(figure, line, dots[0].title, look)


_LINES = {"depth": _by_depth, "nu": _by_nu, "size": _by_size, "time": _by_time}


def _published(figure, curve: Curve, number: int, colours: Paint) -> None:
    single = len(curve.x) == 1
    figure.add_scatter(
        x=curve.x,
        y=curve.y,
        mode="markers" if single else "lines",
        name=_("published: {name}", name=curve.name),
        line={"color": colours.muted, "width": 1.5, "dash": _DASHES[1 + number % 5]},
        marker={"color": colours.muted, "size": 9, "symbol": f"{SYMBOLS[number % 10]}-open"},
        hovertemplate=f"{curve.name}, {curve.source}: %{{y:.4~g}} at %{{x:g}}<extra></extra>",
    )


def _axes(figure, plot: str, table: RunsTable, published: list) -> None:
    title = _("{good_title}, validation examples", good_title=table.good_title)
    good = {"title": title, "tickformat": PERCENT}
    depths = {at for dot in table.dots if (at := dot.get("depth")) is not None}
    ticks = sorted(depths | set(published))
    depth: dict[str, Any] = {"title": _("Depth"), "tickvals": ticks, "zeroline": False}
    names: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
        "depth": (depth, good),
        "nu": ({"title": "ν", "type": "log"}, {"title": _("Active leaves"), "rangemode": "tozero"}),
        "size": ({"title": _("Active leaves"), "type": "log"}, good),
        "time": (depth, {"title": _("Seconds of learning"), "type": "log"}),
    }
    x, y = names[plot]
    if x.get("type") == "log":
        x |= {"dtick": "D2", "tickformat": "~g"}
    if y.get("type") == "log":
        y |= {"dtick": 1, "tickformat": "~g"}
    figure.update_xaxes(**x)
    figure.update_yaxes(**y)


PLOT, PUBLISHED, ROW = (f"library_{name}" for name in ("plot", "published", "row"))
"""Keys of the session: kind of plot, dataset of the curves, key of the run."""

MEASURED = {
    "depth": N_("on test examples"),
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
    tested = any(dot.final for dot in table.dots)
    stars = _(" A star is the best run of its method, on test examples.") if tested else ""
    st.caption(_(LINES[plot]) + stars + _(" Click a dot to open its tree."))


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
        sentence += _(" The runs here use {data}: compare the shapes, not the numbers.", data=data)
    return known[name], sentence


def _picked(plot: str) -> None:
    points = st.session_state[f"library_plot_{plot}"].selection.points
    for point in points:
        key = point.get("customdata")
        key = key[0] if isinstance(key, list | tuple) and key else key
        if isinstance(key, str):
            st.session_state[ROW] = key
