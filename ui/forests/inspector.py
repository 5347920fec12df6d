"""Inside one forest of a race: its map, its margins, its members, at any moment of its growth."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import streamlit as st

from treecore.ensembles import Forest
from treecore.viewer.messages.planes import Plane
from ui.drawing.squares import box_on, grid
from ui.drawing.theme import paint, show
from ui.forests.controls import counted, units
from ui.forests.curves import Racer
from ui.forests.margins import margin_values, margins_figure
from ui.forests.member import member_figure, member_node
from ui.forests.presets import NUMERALS
from ui.forests.session import ForestRace
from ui.forests.snapshot import Scene, reached, scene_at
from ui.forests.vote_map import margin_figure, points_figure, vote_figure
from ui.jobs.chosen_data import ChosenData
from ui.language.translate import N_, _, within, written
from ui.shell.glossary import FOREST_GLOSSARY
from ui.shell.safe_text import plain

LENSES = {"votes": N_("Votes"), "margin": N_("Smallest margin"), "member": N_("One member")}
STYLES = {"cumulative": N_("Cumulative"), "histogram": N_("Histogram")}
KEPT_PICTURES = 30

MOMENT_SECONDS = 2.0
"""How long the map of a forest that learns stays as it is."""


@dataclass(frozen=True)
class View:
    """What is looked at: a forest at a moment, and one tree of it, counted from 0."""

    race: ForestRace
    racer: Racer
    scene: Scene
    member: int

    def kept(self, *more, make):
        """What ``make`` gives, remembered: at rest a tick has nothing to draw anew."""
        scene, look, memory = self.scene, self.racer.look, self.race.memory
        key = scene.data.key, self.racer.number, scene.plan, scene.at, look.chosen_at, paint().dark
        if (*key, *more) not in memory:
            while len(memory) >= KEPT_PICTURES:
                memory.pop(next(iter(memory)))
            memory[*key, *more] = make()
        return memory[*key, *more]


def forest_map(
    race: ForestRace, racers: list[Racer], data: ChosenData, plane: Plane
) -> View | None:
    """Choose a forest and a moment, and see its map; None while there is no tree yet."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        racer = _racer_control(racers)
        look = racer.look
        lens = _lens_control(racer, data.train.task == "regression") if look.forest else ""
    if look.forest is None:
        if not look.at_rest:
            st.caption(_("The first tree will be here as soon as it is grown."))
        else:
            st.caption(_("These rows are what the trees will learn from. Press Play."))
        show(points_figure(data, plane, paint()), "forest_points", _("The training rows"))
        return None
    at = _moment_control(race, racer)
    scene = scene_at(racer.plan, data, look, at)
    assert scene is not None, "there is a forest"
    view = View(race, racer, scene, _member(scene))
    alone = view.member if lens == "member" else None
    figure = view.kept("map", lens, plane.labels, alone, make=lambda: _map(view, plane, lens))
    show(figure, "forest_map", _("Map of the forest: {lower}", lower=within(_(LENSES[lens]))))
    notes = []
    if racer.plan.is_boosting:
        notes.append(_("The area of a point is what it weighs for the next tree."))
    if at is None and look.chosen_at is not None:
        notes.append(
            _(
                "What is kept is the forest after {chosen_at:,} mini-batches, which errs least "
                "on its validation rows.",
                chosen_at=look.chosen_at,
            )
        )
    notes += [_(plane.note), _(plane.regions).replace(_("the tree"), _("the forest"))]
    st.caption(plain(" ".join(filter(None, notes)) or _("Points are the training rows.")))
    return view


def forest_margins(view: View) -> None:
    """How clearly rows are told apart."""
    scene = view.scene
    style = _style_control(scene)
    figure = view.kept(
        "margins",
        style,
        make=lambda: margins_figure(margin_values(scene), style, scene.numbers, paint()),
    )
    show(figure, "forest_margin_chart", _("Distribution of the margins"))


def _racer_control(racers: list[Racer]) -> Racer:
    labels = {racer.number + 1: racer.numeral for racer in racers}
    if st.session_state.get("forest_look") not in labels:
        st.session_state["forest_look"] = next(iter(labels))
    chosen = st.segmented_control(
        _("Look into"),
        list(labels),
        format_func=labels.__getitem__,
        required=True,
        key="forest_look",
        on_change=_look_anew,
        help=_("The forest whose map, margins and trees are shown."),
        persist_state="session",
    )
    return next(racer for racer in racers if racer.number + 1 == chosen)


def _moment_control(race: ForestRace, racer: Racer) -> int | None:
    """How many trees, or mini-batches, to look at; None: as many as there are.

    While a forest learns the newest is shown. A slider that moved by itself would be fought over:
    the browser's timer sends back where it was, as if somebody had pulled it.
    """
    look, plan = racer.look, racer.plan
    most = reached(plan, look)
    low = 0 if plan.hinge else 1
    if not look.at_rest:
        at = _paced(race, racer, most)
        st.caption(_("After {done}.", done=units(plan, at)))
        return at
    if most <= low:
        st.caption(_("After {done}.", done=units(plan, most)))
        return None
    wanted = st.session_state.get("forest_at")
    key = f"forest_slider_{racer.number}_{plan.kind}_{most}"
    value = most if wanted is None else min(max(wanted, low), most)
    st.slider(
        counted(plan),
        low,
        most,
        st.session_state.get(key, value),
        step=100 if plan.hinge and most % 100 == 0 else 1,
        key=key,
        on_change=_moved,
        args=(key, most),
        help=_(
            "Look back: map, margins, weights and members are those of the forest after so many."
        ),
    )
    return None if wanted is None or value >= most else value


def _paced(race: ForestRace, racer: Racer, most: int) -> int:
    """The newest moment, for a while: Streamlit makes a chart that has changed anew."""
    name, at, when = race.moment
    now = time.monotonic()
    if name != (racer.number, racer.plan) or at > most or now - when >= MOMENT_SECONDS:
        at = most
        race.moment = (racer.number, racer.plan), at, now
    return at


def _moved(key: str, most: int) -> None:
    at = st.session_state[key]
    st.session_state["forest_at"] = None if at >= most else at


def _look_anew() -> None:
    """Another forest is looked at as it is now."""
    st.session_state["forest_at"] = None


def _lens_control(racer: Racer, numbers: bool) -> str:
    lenses = [name for name in LENSES if name != "margin" or racer.plan.hinge]
    if st.session_state.get("forest_lens") not in lenses:
        st.session_state["forest_lens"] = lenses[0]
    titles = LENSES | ({"votes": N_("Prediction")} if numbers else {})
    parts = [f"**{_(titles['votes'])}**: {_(FOREST_GLOSSARY['predicted' if numbers else 'votes'])}"]
    if racer.plan.hinge:
        parts.append(_("**Smallest margin**: {smallest}", smallest=_(FOREST_GLOSSARY["smallest"])))
    parts.append(_("**One member**: what the tree chosen below says alone."))
    if racer.plan.is_boosting:
        parts.append(_("**Points**: {weights}", weights=_(FOREST_GLOSSARY["weights"])))
    lens = st.segmented_control(
        _("Map"),
        lenses,
        format_func=lambda name: _(titles[name]),
        required=True,
        key="forest_lens",
        help="\n\n".join(parts),
        persist_state="session",
    )
    assert lens is not None, "the choice is required, and has a value from the start"
    return lens


def _style_control(scene: Scene) -> str:
    st.session_state.setdefault("forest_margins", "cumulative")
    style = st.segmented_control(
        _("Errors of the numbers") if scene.numbers else _("Margins"),
        list(STYLES),
        format_func=lambda name: _(STYLES[name]),
        required=True,
        key="forest_margins",
        help=_(FOREST_GLOSSARY["residuals" if scene.numbers else "margins"]),
        persist_state="session",
    )
    assert style is not None, "the choice is required, and has a value from the start"
    return style


def _map(view: View, plane: Plane, lens: str):
    scene = view.scene
    box = box_on(plane, scene.data.train.X)
    squares = grid(plane, box)
    if lens == "margin":
        return margin_figure(scene, plane, scene.smallest_margins(squares), box, paint())
    if lens == "member":
        scores = scene.member_scores(view.member, squares)
    else:
        name = scene.data.key, view.racer.number, scene.plan, plane.labels
        scores = _grid_scores(view.race, scene, squares, name)
    return vote_figure(scene, plane, scores, box, paint())


def _grid_scores(race: ForestRace, scene: Scene, squares: np.ndarray, name: tuple) -> np.ndarray:
    """Scores of the squares; trees that come on top are added to what is known of the others."""
    forest = scene.forest
    if not isinstance(forest, Forest):
        return scene.scores(squares)
    known, first, sums = race.grid
    if known != name or first > forest.n_trees or sums is None:
        first, sums = 0, np.zeros((len(squares), forest.n_outputs))
    if first < forest.n_trees:
        new = Forest(forest.trees[first:], forest.weights[first:], forest.answer)
        sums = sums + new.scores(squares) * new.weights.sum()
        race.grid = name, forest.n_trees, sums
    return sums / forest.weights.sum()


def _member(scene: Scene) -> int:
    """The chosen member, from 0; the last one where it has not been grown yet."""
    return min(max(1, st.session_state.get("forest_member", 1)), scene.n_trees) - 1


def forest_member(view: View) -> None:
    """One tree of the forest: its figures and its drawing."""
    racer, scene, member = view.racer, view.scene, view.member
    n, most = scene.n_trees, racer.plan.n_trees
    which = _("a forest of one tree") if n == 1 else _("one of {n:,} trees", n=n)
    if not 1 <= st.session_state.get("forest_member", 1) <= most:
        st.session_state["forest_member"] = member + 1
    # Up to all trees there may be: a widget whose range grew would be made anew all the time.
    wanted = st.number_input(
        _("A tree of {numerals}", numerals=NUMERALS[racer.number]),
        1,
        most,
        key="forest_member",
        help=_(
            "{member} Boosted trees are in the order in which they came.",
            member=_(FOREST_GLOSSARY["member"]),
        ),
        persist_state="session",
    )
    missing = (
        _(" Tree {wanted:,} is not there; this is the last one.", wanted=wanted)
        if wanted > n
        else ""
    )
    st.caption(
        _("Tree {member:,}, {which}.{missing}", member=member + 1, which=which, missing=missing)
    )
    with st.container(horizontal=True, gap="medium"):
        for title, value, help in view.kept(
            "figures", member, make=lambda: _member_figures(scene, member)
        ):
            st.markdown(f"{title} **{value}**", help=help, width="content")
    figure = view.kept(
        "member",
        member,
        make=lambda: member_figure(member_node(scene, member), paint(), scene.numbers),
    )
    show(figure, "forest_tree", _("Tree {member} of the forest", member=member + 1))


def _member_figures(scene: Scene, member: int) -> list[tuple[str, str, str]]:
    facts = []
    for title, part in (
        (_("Held-out error"), scene.data.held),
        (_("Training error"), scene.data.train),
    ):
        if part is not None:
            error = scene.member_error(member, part.given, part.y)
            text = written(error, ".4g") if scene.numbers else written(error, ".1%")
            facts.append((title, text, _("Of this tree alone.")))
    if isinstance(scene.forest, Forest):
        weights = scene.forest.weights
        share = weights[member] / weights.sum()
        vote = f"{written(weights[member], '.3g')} ({written(100 * share, '.1f')} %)"
        facts.append((_("Vote"), vote, _(FOREST_GLOSSARY["vote"])))
        tree = scene.forest.trees[member]
        facts.append((_("Splits"), written(tree.n_splits, ","), _("Questions in this tree.")))
    return facts
