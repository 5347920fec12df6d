"""Why one tree is better here: the held-out points on which two trees differ, and their ways."""

from __future__ import annotations

import dataclasses

import numpy as np
import streamlit as st

from treecore import Tree
from treecore.data.dataset import Dataset
from treecore.data.filter_map import read_by
from treecore.training.registry import METHODS
from treecore.viewer.messages.planes import Plane
from ui.compare.disagreement import (
    AS_NEAR,
    BOTH,
    NONE,
    ONLY_FIRST,
    ONLY_SECOND,
    Difference,
    Way,
    difference,
    way,
)
from ui.drawing.figure import Figure
from ui.drawing.map_figure import box_of, frame_map, map_points
from ui.drawing.png import picture
from ui.drawing.split_text import question_text
from ui.drawing.theme import LINES, paint, picked, show
from ui.jobs.chosen_data import ChosenData
from ui.language.translate import _, written
from ui.live.board import label
from ui.live.comparison import NUMERALS, Comparison
from ui.shell.safe_text import in_cell, in_figure, plain
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


def why_control(comparison: Comparison, data: ChosenData, plane: Plane) -> None:
    """The button, what it opens, and the points; drawn with the page, not with every tick."""
    held = data.held
    st.header(_("Where do they differ?"), anchor="why")
    if held is None:
        st.caption(
            _("There are no held-out examples to look at: raise the test share on the left.")
        )
        return
    names = {
        one.numeral: label(comparison, i)
        for i, one in enumerate(comparison.contestants)
        if one.is_tree
    }
    if len(names) < 2:
        st.caption(
            _("Of a forest there is no one way that a point takes: compare two single trees.")
        )
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        first = st.selectbox(
            _("This one"),
            list(names),
            index=_usual(comparison),
            format_func=names.__getitem__,
            key="why_first",
        )
        others = [numeral for numeral in names if numeral != first]
        second = st.selectbox(
            _("beside this one"),
            others,
            format_func=names.__getitem__,
            key=f"why_second_{first}",
        )
        st.button(
            _("Show the points"),
            on_click=_look,
            args=(comparison, data, first, second),
            icon=":material/manage_search:",
            key="why",
            help=_(
                "Shows the held-out points on which the two trees on the screen differ, and the "
                "way of each through both."
            ),
        )
    asked = st.session_state.get("why_asked")
    if asked is None or asked["data"] != data.key:
        st.caption(
            _(
                "Press the button at any moment of the comparison: it takes the two trees as "
                "they are."
            )
        )
        return
    _answer(asked, held, plane)


def _usual(comparison: Comparison) -> int:
    """The first contestant that learns as a whole: most will wonder about that one."""
    units = [METHODS[one.config.method].unit for one in comparison.contestants if one.is_tree]
    return units.index("epoch") if "epoch" in units else 0


def _look(comparison: Comparison, data: ChosenData, first: str, second: str) -> None:
    """Keep the two trees of this moment."""
    comparison.pause()
    scene = comparison.scene()
    found = {
        one.numeral: (label(comparison, i), view.snapshot)
        for i, (one, view) in enumerate(zip(comparison.contestants, scene.views, strict=True))
    }
    if first not in found or second not in found:
        return
    (name, snapshot), (other_name, other) = found[first], found[second]
    if snapshot is None or other is None or data.held is None:
        return
    st.session_state["why_asked"] = {
        "data": data.key,
        "names": (name, other_name),
        "trees": (snapshot.model, other.model),
        "tables": [read_by(shot.filters, data.held) for shot in (snapshot, other)],
        "id": f"{first}{second}{scene.hand!r}{comparison.generation}",
    }
    for key in ("why_clicked", "why_listed"):
        st.session_state.pop(key, None)


def _answer(asked: dict, held: Dataset, plane: Plane) -> None:
    (first, second), tables = asked["trees"], asked["tables"]
    names = tuple(plain(name) for name in asked["names"])
    found = difference(first, second, (tables[0].X, tables[1].X), held.y)
    mine, theirs = found.count(ONLY_FIRST), found.count(ONLY_SECOND)
    n = len(held.y)
    if held.class_names:
        st.markdown(
            _(
                "Of {n} held-out points, **{mine}** are right only with {names} and **{theirs}** "
                "only with {names2}; {both} with both, {none} with none. ",
                n=n,
                mine=mine,
                names=names[0],
                theirs=theirs,
                names2=names[1],
                both=found.count(BOTH),
                none=found.count(NONE),
            )
            + _sum_of_classes(mine, theirs, n, names)
        )
    else:
        st.markdown(
            _(
                "Of {n} held-out points, **{mine}** are predicted more closely by {names}, "
                "**{theirs}** by {names2} and {both} as closely by both (squared "
                "errors within {as_near:.0%} of the variance). ",
                n=n,
                mine=mine,
                names=names[0],
                theirs=theirs,
                names2=names[1],
                both=found.count(BOTH),
                as_near=AS_NEAR,
            )
            + _sum_of_numbers(found, held, names)
        )
    rows = found.rows()
    if not len(rows):
        what = _("the same class") if held.class_names else _("about the same number")
        st.info(_("The two trees tell every held-out point {what}.", what=what))
        return
    left, right = st.columns([1.15, 1], gap="medium")
    with left:
        chosen = _map(asked, found, held, plane)
        about = plain(" ".join(filter(None, [_(plane.note), _(plane.regions)])))
        st.caption(about or _("Click a point to follow it through both trees."))
    key = f"why_follow_{asked['id']}"
    # A click sets what the choice below shows, before that is drawn.
    if chosen is not None and chosen != st.session_state.get("why_clicked"):
        st.session_state["why_clicked"] = st.session_state[key] = chosen
    with right:
        point = _list(found, held, rows, names, key)
    _ways(point, found, held, ((first, tables[0]), (second, tables[1])), names)


def _sum_of_classes(mine: int, theirs: int, n: int, names) -> str:
    if mine == theirs:
        return _("Both trees are as often right.")
    winner = names[0] if mine > theirs else names[1]
    return _(
        "So {winner} is right more often, by {n:.1%} of the points.",
        winner=winner,
        n=abs(mine - theirs) / n,
    )


def _sum_of_numbers(found: Difference, held: Dataset, names) -> str:
    first, second = found.costs.mean(axis=1)
    sentence = _(
        "Their mean squared errors are {first:.4g} and {second:.4g}", first=first, second=second
    )
    variance = float(held.y.var())
    if first == second or not variance > 0:
        return f"{sentence}."
    winner = names[0] if first < second else names[1]
    share = abs(first - second) / variance
    return _(
        "{sentence}: {winner} is nearer, by {share:.1%} of the target's variance.",
        sentence=sentence,
        winner=winner,
        share=share,
    )


def _told(data: Dataset, value) -> str:
    """A target or a prediction: the name of a class, or a number."""
    return str(data.class_names[value]) if data.class_names else written(value, ".4g")


def _cell(data: Dataset, value) -> str:
    """The same for a table; a number may begin with a minus sign, a name may not."""
    return in_cell(_told(data, value)) if data.class_names else _told(data, value)


def _map(asked, found: Difference, held: Dataset, plane: Plane) -> int | None:
    """All held-out points by who is right; gives the row of the one that was clicked."""
    dark = st.context.theme.type == "dark"
    points, labels = map_points(held, plane), plane.labels
    if not held.class_names and held.n_features == 1:
        labels = labels[0], held.target_name
    short = [_numeral(name) for name in asked["names"]]
    titles = {
        BOTH: _("both right"),
        NONE: _("none right"),
        ONLY_FIRST: _("only {names}", names=asked["names"][0]),
        ONLY_SECOND: _("only {names}", names=asked["names"][1]),
    }
    if not held.class_names:
        titles = {BOTH: _("as near")} | {
            verdict: _("nearer with {name}", name=name)
            for verdict, name in zip((ONLY_FIRST, ONLY_SECOND), asked["names"], strict=True)
        }
    figure = Figure()
    places = [NUMERALS.index(numeral) for numeral in short]
    looks = GREYS | {ONLY_FIRST: LINES[places[0]], ONLY_SECOND: LINES[places[1]]}
    for verdict, (symbol, size) in LOOKS.items():
        if verdict not in titles:
            continue
        colours = looks[verdict]
        rows = np.flatnonzero(found.verdict == verdict)
        figure.add_scatter(
            x=points[rows, 0],
            y=points[rows, 1] if labels[1] else np.zeros(len(rows)),
            customdata=rows[:, None],
            mode="markers",
            name=in_figure(f"{titles[verdict]} ({len(rows)})", most=120),
            marker={
                "symbol": symbol,
                "color": colours[dark],
                "size": size,
                "line": {"width": 1.2 if verdict in (BOTH, NONE) else 0.6, "color": colours[dark]},
            },
            text=[
                in_figure(
                    _(
                        "is {held}, {short} says {held2}, {short2} says {held3}",
                        held=_told(held, held.y[i]),
                        short=short[0],
                        held2=_told(held, found.first[i]),
                        short2=short[1],
                        held3=_told(held, found.second[i]),
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
        uirevision=asked["id"],
    )
    key = f"why_map_{asked['id']}"
    alt = _("Held-out points by which of the two trees is right, or nearer")
    show(figure, key, alt, on_select="rerun", selection_mode="points")
    point = picked(key)
    return None if point < 0 else point


def _numeral(name: str) -> str:
    return name.split(" · ")[0]


def _list(found: Difference, held: Dataset, rows: np.ndarray, names, key: str) -> int:
    """The points on which the trees differ; gives the one to follow."""
    rows = rows[:MOST_LISTED]
    short = [_numeral(name) for name in names]
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
        help=_("Its way through both trees is told below."),
        **follow.widget(),
        format_func=lambda i: _("{i}: is {held}", i=i, held=_told(held, held.y[i])),
    )


def _ways(
    point: int,
    found: Difference,
    held: Dataset,
    trees: tuple[tuple[Tree, Dataset], ...],
    names,
) -> None:
    """One point's way through both trees, side by side; each with the rows as it reads them."""
    st.markdown(
        _("**Point {point}** is *{held}*.", point=point, held=plain(_told(held, held.y[point])))
    )
    places = st.columns([1, 1] if not held.image_shape else [0.35, 1, 1], gap="medium")
    if held.image_shape:
        places[0].image(picture(held, point, scale=12), caption=_("point {point}", point=point))
        places = places[1:]
    answers = (found.first[point], found.second[point])
    for position, (tree, read), name, answer in zip(places, trees, names, answers, strict=True):
        with position:
            right = answer == held.y[point]
            said = plain(_told(held, answer))
            if not held.class_names:
                off = answer - held.y[point]
                sentence = _(
                    "{name} says *{said}*, which is off by {off:+.4g}",
                    name=name,
                    said=said,
                    off=off,
                )
            elif right:
                sentence = _(
                    ":material/check_circle: {name} says *{said}*, which is right",
                    name=name,
                    said=said,
                )
            else:
                sentence = _(
                    ":material/cancel: {name} says *{said}*, which is wrong", name=name, said=said
                )
            st.markdown(sentence)
            st.dataframe(
                _steps(way(tree, read.X[point]), read),
                hide_index=True,
                width="stretch",
                column_config=_step_columns(),
            )
            st.caption(plain(_says(way(tree, read.X[point]), held.class_names)))


def _step_columns() -> dict:
    """How the columns of a decision path are shown, and what is said of them."""
    return {
        _("question"): st.column_config.TextColumn(
            help=_("The weighted features that count most for this point, and the threshold."),
            width="large",
        ),
        _("score"): st.column_config.NumberColumn(
            help=_(
                "The weighted sum less the threshold: right when it is positive. Close to zero the "
                "point is near the boundary."
            ),
            format="%.3f",
        ),
    }


def _steps(found: Way, data: Dataset) -> dict[str, list]:
    names = data.feature_names
    questions = [
        question_text(
            [(names[j], weight) for j, weight, _product in question.terms],
            question.n_terms,
            question.threshold,
        )
        for question in found.questions
    ]
    return {
        _("goes"): [_("right") if question.right else _("left") for question in found.questions],
        _("score"): [question.score for question in found.questions],
        _("question"): questions,
    }


def _says(found: Way, class_names: tuple[str, ...]) -> str:
    if not class_names:
        return _("Leaf {leaf} says: {values:.4g}.", leaf=found.leaf, values=found.values[0])
    order = np.argsort(-found.shares, kind="stable")[:4]
    listed = ", ".join(f"{class_names[c]} {written(found.shares[c], '.1%')}" for c in order)
    rest = len(class_names) - len(order)
    return _("Leaf {leaf} says: {listed}", leaf=found.leaf, listed=listed) + (
        _(" and {rest} more.", rest=rest) if rest else "."
    )
