"""The held-out points on which two trees differ: on the map, and in a list to choose from."""

from __future__ import annotations

import dataclasses

import numpy as np
import streamlit as st

from treecore.data.dataset import Dataset
from treecore.viewer.messages.planes import Plane
from ui.drawing.figure import Figure
from ui.drawing.map_figure import box_of, frame_map, map_points
from ui.drawing.method_colours import line_colour
from ui.drawing.png import picture
from ui.drawing.theme import paint, picked, show
from ui.lab.disagreement import BOTH, NONE, ONLY_FIRST, ONLY_SECOND, Difference
from ui.lab.tree_pair import TreePair, target_text
from ui.language.translate import _
from ui.shell.safe_text import in_cell, in_figure
from ui.widgets.owned import owned

MAP_HEIGHT = 430

MOST_LISTED = 200
"""Points in the list; the map shows all of them."""

LOOKS = {
    BOTH: ("circle-open", 6),
    NONE: ("x-thin-open", 7),
    ONLY_FIRST: ("circle", 10),
    ONLY_SECOND: ("diamond", 11),
}
"""Marker and its size, by who is right."""

GREYS = {BOTH: ("#8a949b", "#7d8890"), NONE: ("#4a545b", "#c3ccd2")}


def points_map(pair: TreePair, found: Difference, held: Dataset, plane: Plane) -> int | None:
    """All held-out points by who is right; gives the row of the one that was clicked."""
    dark = st.context.theme.type == "dark"
    points, labels = map_points(held, plane), plane.labels
    if not held.class_names and held.n_features == 1:
        labels = labels[0], held.target_name
    short, names = pair.numerals, pair.names
    titles = {
        BOTH: _("both right"),
        NONE: _("none right"),
        ONLY_FIRST: _("only {names}", names=names[0]),
        ONLY_SECOND: _("only {names}", names=names[1]),
    }
    if not held.class_names:
        titles = {BOTH: _("as near")} | {
            verdict: _("nearer with {name}", name=name)
            for verdict, name in zip((ONLY_FIRST, ONLY_SECOND), names, strict=True)
        }
    figure = Figure()
    looks = {verdict: greys[dark] for verdict, greys in GREYS.items()}
    for verdict, number in zip((ONLY_FIRST, ONLY_SECOND), pair.colours, strict=True):
        looks[verdict] = line_colour(number, dark)
    for verdict, (symbol, size) in LOOKS.items():
        if verdict not in titles:
            continue
        colour = looks[verdict]
        rows = np.flatnonzero(found.verdict == verdict)
        figure.add_scatter(
            x=points[rows, 0],
            y=points[rows, 1] if labels[1] else np.zeros(len(rows)),
            customdata=rows[:, None],
            mode="markers",
            name=in_figure(f"{titles[verdict]} ({len(rows)})", most=120),
            marker={
                "symbol": symbol,
                "color": colour,
                "size": size,
                "line": {"width": 1.2 if verdict in (BOTH, NONE) else 0.6, "color": colour},
            },
            text=[
                in_figure(
                    _(
                        "is {held}, {short} says {held2}, {short2} says {held3}",
                        held=target_text(held, held.y[i]),
                        short=short[0],
                        held2=target_text(held, found.first[i]),
                        short2=short[1],
                        held3=target_text(held, found.second[i]),
                    ),
                    most=240,
                )
                for i in rows
            ],
            hovertemplate=_("point %{customdata[0]} %{text}<extra></extra>"),
        )
    frame_map(
        figure,
        dataclasses.replace(plane, labels=labels),
        box_of(points),
        paint(),
        MAP_HEIGHT,
        uirevision=pair.name,
    )
    key = f"why_map_{pair.name}"
    alt = _("Held-out points by which of the two trees is right, or nearer")
    show(figure, key, alt, on_select="rerun", selection_mode="points")
    point = picked(key)
    return None if point < 0 else point


def points_list(
    pair: TreePair, found: Difference, held: Dataset, rows: np.ndarray, key: str
) -> int:
    """The points on which the trees differ; gives the one to follow."""
    rows = rows[:MOST_LISTED]
    short = pair.numerals
    who = {ONLY_FIRST: short[0], ONLY_SECOND: short[1], NONE: _("neither")}
    columns = {
        _("point"): [int(i) for i in rows],
        _("is in truth"): [_cell(held, held.y[i]) for i in rows],
        _("{name} says", name=short[0]): [_cell(held, found.first[i]) for i in rows],
        _("{name} says", name=short[1]): [_cell(held, found.second[i]) for i in rows],
        _("who is right") if held.class_names else _("who is nearer"): [
            who[int(found.verdict[i])] for i in rows
        ],
    }
    if not held.class_names:
        for name, cost in zip(short, found.costs, strict=True):
            columns[_("squared error of {name}", name=name)] = [float(cost[i]) for i in rows]
    config = {
        _("point"): st.column_config.NumberColumn(help=_("Its number among the held-out ones."))
    }
    if held.image_shape:
        columns = {_("picture"): [picture(held, i) for i in rows], **columns}
        config[_("picture")] = st.column_config.ImageColumn("", width="small")
    event = st.dataframe(
        columns,
        key=f"{key}_list",
        height=350,
        hide_index=True,
        width="stretch",
        on_select="rerun",
        selection_mode="single-row",
        column_config=config,
    )
    chosen = event.selection.rows if event and event.selection else []
    if chosen and chosen[0] < len(rows):
        row = int(rows[chosen[0]])
        if row != st.session_state.get("why_listed"):
            st.session_state["why_listed"] = st.session_state[key] = row
    # The grid is drawn on a canvas; this is the way for the keyboard and for readers of screens.
    options = [int(i) for i in rows]
    follow = owned(key, options[0])
    if follow.value not in options:
        options.insert(0, follow.value)  # one on which both agree, clicked on the map
    return st.selectbox(
        _("Follow the point"),
        options,
        options.index(follow.value),
        help=_("See its way through both trees below."),
        **follow.widget(),
        format_func=lambda i: _("{i}: is {held}", i=i, held=target_text(held, held.y[i])),
    )


def _cell(data: Dataset, value) -> str:
    """The same for a table; a number may begin with a minus sign, a name may not."""
    return in_cell(target_text(data, value)) if data.class_names else target_text(data, value)
