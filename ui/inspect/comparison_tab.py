"""Two trees on the same rows: figures, where they differ, and the way of a row through both."""

import dataclasses

import numpy as np
import streamlit as st
from plotly.graph_objects import Figure

from treecore.core import tree_depth
from treecore.inspection import features_per_split, used_features
from treecore.viewer import Plane, usual_plane
from ui.drawing.map_figure import frame_map, map_points
from ui.drawing.on_page import picked, show
from ui.drawing.squares import box_of
from ui.drawing.theme import Paint, add_dots, paint
from ui.inspect.asked_row import answer_text, chosen_row, path_of_row, row_control, sentences
from ui.inspect.opened import OpenedTree
from ui.inspect.overlay import Overlay
from ui.language.translate import _, number, written
from ui.shell.page_style import picture_columns
from ui.shell.safe_text import in_cell, plain

MOST_ROWS = 200
"""Of the table of rows that two trees tell apart; the map shows all of them."""

BOTH, ONLY_FIRST, ONLY_SECOND, NONE = range(4)
"""Who is right about a row; of numbers, who alone is nearer, and BOTH where they are as near."""

AS_NEAR = 0.01
"""Squared errors that differ by less than this share of the target's variance are called equal."""


def comparison_tab(
    first: OpenedTree,
    one: Overlay,
    second: OpenedTree | None,
    other: Overlay | None,
    plane: Plane | None,
) -> None:
    """Figures of both, where they differ, and a row's way through each; plane: of the map."""
    st.header(_("Two trees on the same examples"))
    if second is None or other is None:
        st.info(_("Choose the second tree above."), icon=":material/arrow_upward:")
        return
    st.dataframe(figures_table((first, one), (second, other)), hide_index=True, key="tree_figures")
    verdict = verdicts(one, other)
    st.markdown(counts_text(one, other, verdict))
    apart = rows_apart(one, other, verdict)[:MOST_ROWS]
    if not len(apart):
        st.caption(_("The two trees agree on every example."))
        return
    st.session_state.setdefault("tree_row", int(apart[0]))
    left, right = picture_columns("apart", gap="medium")
    with left:
        points_map(one, verdict, plane)
    with right:
        st.caption(_("Examples on which they differ: {n}", n=len(apart)))
        st.dataframe(
            rows_table(first, one, other, apart),
            hide_index=True,
            height=350,
            key="tree_apart",
            on_select=lambda: _listed(apart),
            selection_mode="single-row",
        )
    row_control(one)
    ways = ((_("first tree"), first, one), (_("second tree"), second, other))
    for place, (name, opened, overlay) in zip(picture_columns("ways"), ways, strict=True):
        x = overlay.rows.given[chosen_row(one)].astype(np.float64)
        with place:
            said = plain(answer_text(opened.document, overlay.tree, x))
            st.markdown(f"**{name}**: {said}")
            path = path_of_row(overlay, x)
            st.markdown("\n".join(sentences(opened.document, overlay.tree, path, x)))


def verdicts(one: Overlay, other: Overlay) -> np.ndarray:
    """Who is right about each row, or nearer to its number, int8 (n_samples,)."""
    y = one.rows.y
    if not one.numbers:
        right, right2 = one.guess == y, other.guess == y
        return np.select([right & right2, right, right2], [BOTH, ONLY_FIRST, ONLY_SECOND], NONE)
    gain = (other.guess - y) ** 2 - (one.guess - y) ** 2
    clear = np.abs(gain) > AS_NEAR * y.var()
    return np.where(clear, np.where(gain > 0, ONLY_FIRST, ONLY_SECOND), BOTH)


def rows_apart(one: Overlay, other: Overlay, verdict: np.ndarray) -> np.ndarray:
    """Rows told differently, the most frequent verdict first."""
    rows = np.flatnonzero(one.guess != other.guess)
    apart = np.zeros(len(rows))
    if one.numbers:
        rows = rows[verdict[rows] != BOTH]
        apart = np.abs((one.guess - other.guess)[rows])
    n_alike = np.bincount(verdict[rows], minlength=4)
    return rows[np.lexsort((-apart, verdict[rows], -n_alike[verdict[rows]]))]


def counts_text(one: Overlay, other: Overlay, verdict: np.ndarray) -> str:
    counts = np.bincount(verdict, minlength=4).tolist()
    who = {"first": counts[ONLY_FIRST], "second": counts[ONLY_SECOND], "both": counts[BOTH]}
    if one.numbers:
        return _(
            "On the {rows}, the first is nearer on **{first}**, the second on **{second}**, and "
            "both are equally near on {both}. On average their predictions are **{difference}** "
            "apart.",
            rows=one.rows_name,
            difference=number(np.abs(one.guess - other.guess).mean()),
            **who,
        )
    return _(
        "They agree on **{same:.1%}** of the {rows}. Both are right on {both}, only the "
        "first on {first}, only the second on {second}, neither on {neither}.",
        same=(one.guess == other.guess).mean(),
        rows=one.rows_name,
        neither=counts[NONE],
        **who,
    )


def points_map(one: Overlay, verdict: np.ndarray, plane: Plane | None) -> None:
    """All rows by who is right; a click chooses the row that is followed."""
    rows = one.before or one.rows
    plane = plane or usual_plane(rows)
    if one.numbers and rows.n_features == 1:
        plane = dataclasses.replace(plane, labels=(plane.labels[0], rows.target_name))
    figure = points_figure(map_points(rows, plane), verdict, plane, one.numbers, paint())
    alt = _("Examples by which tree is right or nearer")
    key = "tree_apart_map"
    show(figure, key, alt, on_select=lambda: _clicked(key), selection_mode="points")
    st.caption(plain(_(plane.note)) or _("Click a point to follow it through both trees."))


def points_figure(
    points: np.ndarray, verdict: np.ndarray, plane: Plane, numbers: bool, colours: Paint
) -> Figure:
    """The points of a plane, (n_samples, 2), by who is right."""
    titles = {BOTH: _("both right"), NONE: _("both wrong")}
    titles |= {ONLY_FIRST: _("only the first"), ONLY_SECOND: _("only the second")}
    if numbers:
        titles = dict(enumerate((_("equally near"), _("first nearer"), _("second nearer"))))
    looks = {
        BOTH: ("circle-open", 6, colours.muted),
        NONE: ("x-thin-open", 7, colours.text),
        ONLY_FIRST: ("circle", 10, colours.accent),
        ONLY_SECOND: ("diamond", 11, colours.minus),
    }
    figure = Figure()
    for kind, title in titles.items():
        symbol, size, colour = looks[kind]
        rows = np.flatnonzero(verdict == kind)
        look = {"symbol": symbol, "size": size, "color": colour}
        add_dots(
            figure,
            points[rows, 0],
            points[rows, 1] if plane.labels[1] else np.zeros(len(rows)),
            look | {"line": {"width": 1, "color": colour}},
            customdata=rows[:, None],
            name=f"{title} ({len(rows)})",
            hovertemplate=_("example %{customdata[0]}<extra></extra>"),
        )
    frame_map(figure, plane, box_of(points), colours, 430)
    return figure


def _clicked(key: str) -> None:
    if (row := picked(key)) >= 0:
        st.session_state.tree_row = row


def _listed(apart: np.ndarray) -> None:
    if rows := st.session_state.tree_apart.selection.rows:
        st.session_state.tree_row = int(apart[rows[0]])


def figures_table(*trees: tuple[OpenedTree, Overlay]) -> dict[str, list]:
    overlays = [over for _opened, over in trees]
    loss = [number(over.figures.loss) for over in overlays]
    return {
        _("tree"): [in_cell(opened.title) for opened, _over in trees],
        overlays[0].good[0]: [written(over.good[1], ".1%") for over in overlays],
        # That of numbers would be in the square of their unit, and says what R² says.
        **({} if overlays[0].numbers else {_("loss"): loss}),
        _("leaves"): [over.tree.n_leaves for over in overlays],
        _("depth"): [tree_depth(over.tree) for over in overlays],
        _("features used"): [len(used_features(over.tree)) for over in overlays],
        _("weights"): [int(features_per_split(over.tree).sum()) for over in overlays],
    }


def rows_table(opened: OpenedTree, one: Overlay, other: Overlay, at: np.ndarray) -> dict[str, list]:
    row_values = (one.rows.y[at], one.guess[at], other.guess[at])
    columns = (_("true"), _("first tree"), _("second tree"))
    table: dict[str, list] = {_("example"): at.tolist()}
    names = opened.document.class_names
    for name, values in zip(columns, row_values, strict=True):
        table[name] = values.tolist() if one.numbers else [in_cell(names[c]) for c in values]
    return table
