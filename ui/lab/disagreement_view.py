"""Where two trees of a comparison differ, which of them is right more often, and why."""

from __future__ import annotations

import streamlit as st

from treecore import Tree
from treecore.data.dataset import Dataset
from treecore.training.registry import METHODS
from treecore.viewer.messages.planes import Plane
from ui.drawing.method_colours import colour_numbers
from ui.jobs.chosen_data import ChosenData
from ui.lab.disagreement import (
    AS_NEAR,
    BOTH,
    NONE,
    ONLY_FIRST,
    ONLY_SECOND,
    Difference,
    difference,
)
from ui.lab.disagreement_points import points_list, points_map
from ui.lab.disagreement_ways import ways
from ui.lab.tree_pair import TreePair
from ui.language.translate import _
from ui.live.board import label
from ui.live.comparison import NUMERALS, Comparison
from ui.shell.safe_text import plain


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
    pair: TreePair | None = st.session_state.get("why_asked")
    if pair is None or pair.data != data.key:
        st.caption(
            _(
                "Press the button at any moment of the comparison: it takes the two trees as "
                "they are."
            )
        )
        return
    _answer(pair, held, plane)


def _usual(comparison: Comparison) -> int:
    """The first contestant that learns as a whole: most will wonder about that one."""
    units = [METHODS[one.config.method].unit for one in comparison.contestants if one.is_tree]
    return units.index("epoch") if "epoch" in units else 0


def _look(comparison: Comparison, data: ChosenData, first: str, second: str) -> None:
    """Keep the two trees of this moment."""
    comparison.pause()
    scene = comparison.scene()
    places = [NUMERALS.index(numeral) for numeral in (first, second)]
    if data.held is None or max(places) >= len(scene.views):
        return
    one, other = (scene.views[place].snapshot for place in places)
    if one is None or other is None:
        return
    assert isinstance(one.model, Tree), "forests are not offered"
    assert isinstance(other.model, Tree), "neither for the second"
    colours = colour_numbers(comparison.methods)
    st.session_state["why_asked"] = TreePair(
        data=data.key,
        names=(label(comparison, places[0]), label(comparison, places[1])),
        colours=(colours[places[0]], colours[places[1]]),
        trees=(one.model, other.model),
        tables=(data.held, data.held),
        name=f"{first}{second}{scene.hand!r}{comparison.generation}",
    )
    for key in ("why_clicked", "why_listed"):
        st.session_state.pop(key, None)


def _answer(pair: TreePair, held: Dataset, plane: Plane) -> None:
    names = tuple(map(plain, pair.names))
    found = difference(*pair.trees, (pair.tables[0].X, pair.tables[1].X), held.y)
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
        chosen = points_map(pair, found, held, plane)
        about = plain(" ".join(filter(None, [_(plane.note), _(plane.regions)])))
        st.caption(about or _("Click a point to follow it through both trees."))
    key = f"why_follow_{pair.name}"
    # A click sets what the choice below shows, before that is drawn.
    if chosen is not None and chosen != st.session_state.get("why_clicked"):
        st.session_state["why_clicked"] = st.session_state[key] = chosen
    with right:
        point = points_list(pair, found, held, rows, key)
    ways(pair, point, found, held)


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
