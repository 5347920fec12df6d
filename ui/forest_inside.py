"""Inside one forest of a race: its map, its margins, its members, at any moment of its growth."""

from __future__ import annotations

import numpy as np
import streamlit as st

from treecore.ensembles import Forest
from ui.data import ChosenData
from ui.forest_curves import Racer
from ui.forest_map import box_on, grid, margin_figure, points_figure, vote_figure
from ui.forest_margins import margin_values, margins_figure
from ui.forest_member import member_figure, member_node
from ui.forest_plans import NUMERALS
from ui.forest_race import Race
from ui.forest_scenes import Scene, reached, scene_at
from ui.forest_table import download_control
from ui.glossary import FOREST_GLOSSARY
from ui.planes import Plane
from ui.step_paint import paint, show
from ui.text import plain

LENSES = {"votes": "Votes", "margin": "Smallest margin", "member": "One member"}
KEPT_PICTURES = 30


def inside(own: Race, racers: list[Racer], data: ChosenData, plane: Plane) -> None:
    """Everything about one forest."""
    st.subheader("Inside a forest", anchor="inside")
    racer = _racer_control(racers)
    look = racer.look
    if look.forest is None:
        if not look.at_rest:
            st.caption("The first tree will be here as soon as it is grown.")
        else:
            st.caption("These rows are what the trees will learn from. Press Play.")
        show(points_figure(data, plane, paint()), "forest_points", "The training rows")
        return
    at = _moment_control(racer)
    scene = scene_at(racer.plan, data, look, at)
    key = (data.key, racer.number, racer.plan, scene.at, look.kept_at, paint().dark)
    # At rest a tick finds everything here; while it learns, all but what is new.
    memory = own.memory
    while len(memory) > KEPT_PICTURES:
        memory.pop(next(iter(memory)))

    def kept(*more, make):
        name = (*key, *more)
        if name not in memory:
            memory[name] = make()
        return memory[name]

    member = _member(scene)
    left, right = st.columns([1.1, 1], gap="medium")
    with left:
        lens = _lens_control(racer)
        figure = kept(
            "map",
            lens,
            plane.labels,
            member if lens == "member" else None,
            make=lambda: _map(own, scene, plane, lens, member, key[:3]),
        )
        show(figure, "forest_map", f"Map of the forest: {LENSES[lens].lower()}")
        notes = [plane.note.replace("the tree", "the forest")]
        if racer.plan.boosts:
            notes.insert(0, "The area of a point is what it weighs for the next tree.")
        st.caption(plain(" ".join(filter(None, notes)) or "Points are the training rows."))
    with right:
        style = _style_control(scene)
        figure = kept(
            "margins",
            style,
            make=lambda: margins_figure(margin_values(scene), style, scene.numbers, paint()),
        )
        show(figure, "forest_margin_chart", "Distribution of the margins")
    _member_view(racer, scene, member, kept)
    download_control(racer, data)


def _racer_control(racers: list[Racer]) -> Racer:
    labels = {racer.number + 1: racer.label for racer in racers}
    if st.session_state.get("forest_look") not in labels:
        st.session_state["forest_look"] = next(iter(labels))
    chosen = st.segmented_control(
        "Look into",
        list(labels),
        format_func=labels.__getitem__,
        required=True,
        key="forest_look",
        on_change=_look_anew,
        help="The forest whose map, margins and trees are below.",
        persist_state="session",
    )
    return next(racer for racer in racers if racer.number + 1 == chosen)


def _moment_control(racer: Racer) -> int | None:
    """How many trees, or mini-batches, to look at; None: as many as there are.

    While a forest learns the newest is shown. A slider that moved by itself would be fought over:
    the browser's timer sends back where it was, as if somebody had pulled it.
    """
    look, plan = racer.look, racer.plan
    most = reached(plan, look)
    low, unit = (0, "mini-batches") if plan.hinge else (1, "trees")
    if not look.at_rest or most <= low:
        st.caption(f"After {most:,} {unit if most != 1 else unit[:-1]}.")
        return None
    at = st.session_state.get("forest_at")
    key = f"forest_slider_{racer.number}_{plan.kind}_{most}"
    value = most if at is None else min(max(at, low), most)
    st.slider(
        unit.capitalize(),
        low,
        most,
        st.session_state.get(key, value),
        step=100 if plan.hinge and most % 100 == 0 else 1,
        key=key,
        on_change=_moved,
        args=(key, most),
        help="Look back: map, margins, weights and members are those of the forest after so many.",
    )
    return None if at is None or value >= most else value


def _moved(key: str, most: int) -> None:
    at = st.session_state[key]
    st.session_state["forest_at"] = None if at >= most else at


def _look_anew() -> None:
    """Another forest is looked at as it is now."""
    st.session_state["forest_at"] = None


def _lens_control(racer: Racer) -> str:
    lenses = [name for name in LENSES if name != "margin" or racer.plan.hinge]
    if st.session_state.get("forest_lens") not in lenses:
        st.session_state["forest_lens"] = lenses[0]
    parts = [f"**Votes**: {FOREST_GLOSSARY['votes']}"]
    if racer.plan.hinge:
        parts.append(f"**Smallest margin**: {FOREST_GLOSSARY['smallest']}")
    parts.append("**One member**: what the tree chosen below says alone.")
    if racer.plan.boosts:
        parts.append(f"**Points**: {FOREST_GLOSSARY['weights']}")
    return st.segmented_control(
        "Map",
        lenses,
        format_func=LENSES.get,
        required=True,
        key="forest_lens",
        help="\n\n".join(parts),
        persist_state="session",
    )


def _style_control(scene: Scene) -> str:
    st.session_state.setdefault("forest_margins", "cumulative")
    return st.segmented_control(
        "Errors of the numbers" if scene.numbers else "Margins",
        ["cumulative", "histogram"],
        format_func=str.capitalize,
        required=True,
        key="forest_margins",
        help=FOREST_GLOSSARY["residuals" if scene.numbers else "margins"],
        persist_state="session",
    )


def _map(own: Race, scene: Scene, plane: Plane, lens: str, member: int, name: tuple):
    box = box_on(plane, scene.data.train.X)
    squares = grid(plane, box)
    if lens == "margin":
        return margin_figure(scene, plane, scene.smallest_margins(squares), box, paint())
    if lens == "member":
        scores = scene.member_scores(member, squares)
    else:
        scores = _grid_scores(own, scene, squares, (*name, plane.labels))
    return vote_figure(scene, plane, scores, box, paint())


def _grid_scores(own: Race, scene: Scene, squares: np.ndarray, name: tuple) -> np.ndarray:
    """Scores of the squares; trees that come on top are added to what is known of the others."""
    forest = scene.forest
    if not isinstance(forest, Forest):
        return scene.scores(squares)
    known, first, sums = own.grid
    if known != name or first > forest.n_trees or sums is None:
        first, sums = 0, np.zeros((len(squares), forest.n_outputs))
    if first < forest.n_trees:
        new = Forest(forest.trees[first:], forest.weights[first:], forest.answer)
        sums = sums + new.scores(squares) * new.weights.sum()
        own.grid = name, forest.n_trees, sums
    return sums / forest.weights.sum()


def _member(scene: Scene) -> int:
    """The chosen member, from 0, before its widget is drawn."""
    known = st.session_state.get("forest_member", 1)
    return min(max(1, known), scene.n_trees) - 1


def _member_view(racer: Racer, scene: Scene, member: int, kept) -> None:
    st.markdown(f"**A member of {NUMERALS[racer.number]}**", help=FOREST_GLOSSARY["member"])
    if st.session_state.get("forest_member") != member + 1:
        st.session_state["forest_member"] = member + 1
    left, right = st.columns([1, 3], gap="medium")
    with left:
        st.number_input(
            f"Tree, of {scene.n_trees}",
            1,
            scene.n_trees,
            key="forest_member",
            help="Its number in the forest; boosted trees are in the order in which they came.",
            persist_state="session",
        )
        for title, value, help in kept(
            "figures", member, make=lambda: _member_figures(racer, scene, member)
        ):
            st.markdown(f"{title}: **{value}**", help=help)
    with right:
        figure = kept(
            "member",
            member,
            make=lambda: member_figure(member_node(scene, member), paint(), scene.numbers),
        )
        show(figure, "forest_tree", f"Tree {member + 1} of the forest")


def _member_figures(racer: Racer, scene: Scene, member: int) -> list[tuple[str, str, str]]:
    told = []
    for title, part in (("held-out", scene.data.held), ("training", scene.data.train)):
        if part is not None:
            error = scene.member_error(member, part.X, part.y)
            text = f"{error:.4g}" if scene.numbers else f"{100 * error:.1f} %"
            told.append((f"{title.capitalize()} error", text, "Of this tree alone."))
    if isinstance(scene.forest, Forest):
        weights = scene.forest.weights
        share = weights[member] / weights.sum()
        vote = f"{weights[member]:.3g} ({100 * share:.1f} %)"
        told.append(("Vote", vote, FOREST_GLOSSARY["vote"]))
        tree = scene.forest.trees[member]
        told.append(("Splits", f"{tree.n_splits:,}", "Questions in this tree."))
    return told
