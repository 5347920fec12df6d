"""The tab *OC1*: one coefficient of one split, and the impurity at each of its values."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from treecore import RunConfig, Tree
from treecore.core.impurity import Criterion
from treecore.core.routing import apply
from treecore.core.tree import split_depths
from treecore.data.dataset import Dataset
from treecore.inspection.oc1_move import (
    Hyperplane,
    Move,
    NodeProjection,
    node_projection,
    plane_at,
    raw_split,
    split_coefficients,
    try_coefficient,
)
from treecore.inspection.tao_node import with_split
from treecore.learners.greedy.finders.oblique import raw_directions
from treecore.pruning.subtrees import leaves_below
from ui.drawing.map_figure import Map, add_turn, base_map, plane_of
from ui.drawing.target_style import Answers
from ui.drawing.theme import Paint, number, paint, show
from ui.jobs.chosen_data import ChosenData
from ui.jobs.session import remembered
from ui.language.translate import N_, _, written
from ui.shell.class_link import group
from ui.shell.glossary import STEP_GLOSSARY, STEP_NUMBERS
from ui.shell.page_style import picture_columns
from ui.step.charts import SIGNS, move_figure, picture_figure, weights_figure
from ui.step.settings import grown_tree, node_shown
from ui.widgets.owned import owned

STARTS = {"axis": N_("The greedy split"), "random": N_("A random one")}

MOST_TRIED = 20
"""Coefficients among which the first one worth showing is looked for."""


class Climb:
    """A hyperplane on its way down in impurity.

    - plane: the present hyperplane.
    - coefficient: the one to be tried now.
    - coin: what decides whether to move to a hyperplane that is only as good.
    - past: what has been applied, and the hyperplane before.
    """

    def __init__(self, plane: Hyperplane, n_features: int, seed: int):
        self.plane = plane
        self.coefficient = 0
        self.past: list[tuple[Hyperplane, Move]] = []
        self._n = n_features + 1
        self._coins = np.random.default_rng(seed)
        self.coin = float(self._coins.random())

    def apply(self, move: Move) -> None:
        """Take the move, if there is one, and go on to the next coefficient."""
        self.past.append((self.plane, move))
        self.plane = move.plane
        self.next()

    def next(self) -> None:
        """Go on to the next coefficient, with another coin."""
        self.coefficient = (self.coefficient + 1) % self._n
        self.coin = float(self._coins.random())
        st.session_state.step_coefficient = self.coefficient

    def undo(self) -> None:
        """Back to where the last move was applied, with the coin it had."""
        if self.past:
            self.plane, move = self.past.pop()
            self.coefficient, self.coin = move.coefficient, move.coin
            st.session_state.step_coefficient = self.coefficient


def oc1_tab(data: ChosenData, depth: int, seed: int, errors: dict[str, Any]) -> None:
    """Everything below the tab's name."""
    answers = Answers(data.train, paint())
    criterion, start = _settings(answers.numbers)
    st.markdown(
        _(
            "OC1 turns the line of one node by one coefficient at a time. For every example "
            "there is one value of the coefficient, U, at which it would lie exactly on the "
            "line. Between two neighbouring U nothing changes, so trying one value between "
            "each two tries them all."
        )
    )
    config = RunConfig("axis", seed=seed, depth=depth, criterion=criterion.name.lower(), **errors)
    with st.spinner(_("Growing a tree")):
        grown = grown_tree(data.key, config, data)
    tree, rows = grown.tree, grown.rows
    if not tree.n_splits:
        st.info(
            _(
                "No split lowers the impurity here, so the greedy tree is a single leaf and there "
                "is nothing to turn."
            ),
            icon=":material/info:",
        )
        return
    nodes = np.argsort(split_depths(tree), kind="stable").tolist()
    chosen = node_shown("step_oc1_node", nodes[0], nodes)
    bar = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    node = bar.selectbox(
        _("Node"),
        nodes,
        nodes.index(chosen.value),
        width=120,
        help=_("A node of the greedy tree, the root first. Only the examples that reach it count."),
        **chosen.widget(),
    )
    here = np.flatnonzero(np.isin(apply(tree, rows.X), leaves_below(tree, node)))
    ground = node_projection(rows.complete.X, rows.y, here, rows.n_outputs, criterion)

    def begin() -> Climb:
        weights = split_coefficients(tree, node, ground)
        if start == "random":
            weights = np.random.default_rng(seed).standard_normal(len(weights))
            weights[-1] = 0.0
        climb = Climb(plane_at(ground, weights), data.train.n_features, seed)
        requested = st.session_state.pop("step_asked_coefficient", None)
        if requested is not None and requested >= len(weights):
            st.warning(
                _(
                    "There is no coefficient {asked}: there are {n}, and the first one is shown.",
                    asked=requested,
                    n=len(weights),
                ),
                icon=":material/link_off:",
            )
            requested = 0
        usual = _first_to_move(climb.plane, ground) if requested is None else requested
        climb.coefficient = usual
        st.session_state.step_coefficient = climb.coefficient
        return climb

    climb = remembered("step_climb", (data.key, config, node, start), begin)
    names = [*data.train.feature_names, _("offset")]
    move = _choose(bar, climb, ground, names)
    words = STEP_GLOSSARY | (STEP_NUMBERS if answers.numbers else {})
    _show_move(move, names, len(here), words)
    colours = answers.colours
    left, right = picture_columns("oc1")
    with left:
        st.header(_("Along the coefficient"), help=_(STEP_GLOSSARY["U"]))
        show(
            move_figure(move, answers, names[move.coefficient], colours),
            "step_move",
            _("The impurity at every value of the coefficient, and the examples' U below."),
        )
        st.caption(
            _(
                "Above: the impurity of the node at every value. Below: the examples' U, "
                "by their number. Crossings far out are left out of the picture."
            )
            if answers.numbers
            else _(
                "Above: the impurity of the node at every value. Below: the examples' U, "
                "a row for each class. Crossings far out are left out of the picture."
            )
        )
    with right:
        st.header(_("The line"), help=_(words["impurity"]))
        tree = grown.units.inverse_transform(tree)
        _line(data.train, tree, node, here, climb.plane, move, ground, names, colours)


def _first_to_move(plane: Hyperplane, ground: NodeProjection) -> int:
    """The first coefficient that lowers the impurity, so that there is something to see; or 0."""
    for coefficient in range(min(len(plane.weights), MOST_TRIED)):
        move = try_coefficient(plane, ground, coefficient, 1.0)
        if move.impurity_best < move.impurity_before:
            return coefficient
    return 0


def _settings(numbers: bool) -> tuple[Criterion, str]:
    with st.sidebar, group("settings", "tab"):
        start = st.segmented_control(
            _("Start from"),
            list(STARTS),
            format_func=lambda name: _(STARTS[name]),
            default="axis",
            required=True,
            key="step_oc1_start",
            width="stretch",
            help=_(
                "The hyperplane that is turned. OC1 climbs from the best axis-aligned split "
                "first, then from random ones, and keeps the best."
            ),
        )
        if numbers:
            st.caption(_("**Impurity**  \n{impurity}", impurity=_(STEP_NUMBERS["impurity"])))
            return Criterion.ENTROPY, start
        name = st.segmented_control(
            _("Impurity"),
            ["entropy", "gini"],
            format_func=lambda name: _(name.capitalize()),
            default="entropy",
            required=True,
            key="step_criterion",
            width="stretch",
            help=_(STEP_GLOSSARY["impurity"]),
        )
    return Criterion[name.upper()], start


def _choose(bar, climb: Climb, ground: NodeProjection, names: list[str]) -> Move:
    """The coefficient and the buttons; gives the move that is looked at."""
    chosen = owned("step_coefficient", climb.coefficient, range(len(names)))
    climb.coefficient = bar.selectbox(
        _("Coefficient"),
        range(len(names)),
        chosen.value,
        format_func=names.__getitem__,
        width=200,
        help=_("One of the numbers that make the line: a weight of a feature, or the offset."),
        **chosen.widget(),
    )
    move = try_coefficient(climb.plane, ground, climb.coefficient, climb.coin)
    bar.button(
        _("Apply and go on"),
        on_click=climb.apply,
        args=(move,),
        type="primary",
        icon=":material/done:",
        key="step_oc1_apply",
        help=_("Move the coefficient to its best value, if that is a move, and go on to the next."),
    )
    bar.button(
        _("Next coefficient"),
        on_click=climb.next,
        icon=":material/chevron_right:",
        key="step_oc1_next",
        help=_("Look at the next coefficient and leave this one."),
    )
    bar.button(
        _("Undo"),
        on_click=climb.undo,
        icon=":material/undo:",
        key="step_oc1_undo",
        disabled=not climb.past,
        help=_("Take the last move back."),
    )
    return move


def _show_move(move: Move, names: list[str], n_here: int, words: dict[str, str]) -> None:
    name = names[move.coefficient]
    with st.container(horizontal=True):
        st.metric(_("Examples here"), n_here, help=_("Those that reach the node."))
        st.metric(
            _("Examples that move"),
            len(move.rows),
            help=_(
                "Those on which this coefficient has a say. An example at the centre of the "
                "feature stays on its side whatever the coefficient is."
            ),
        )
        st.metric(_("Impurity now"), number(move.impurity_before), help=_(words["impurity"]))
        change = move.impurity_best - move.impurity_before
        st.metric(
            _("Impurity at best"),
            number(move.impurity_best),
            delta=written(change, "+.4f") if np.isfinite(change) else None,
            delta_color="inverse" if change else "off",
            delta_arrow="auto" if change else "off",
            help=_(words["impurity"]),
        )
    st.markdown(_verdict(move, name), help=_(STEP_GLOSSARY["stagnant"]))


def _verdict(move: Move, name: str) -> str:
    if move.best is None:
        return _(
            "No value of the coefficient of **{name}** divides the examples of this node.",
            name=name,
        )
    if move.moves and move.impurity_best < move.impurity_before:
        return _(
            "**It moves**: the coefficient of **{name}** goes from {present} to "
            "{best}, and the impurity falls.",
            name=name,
            present=number(move.present),
            best=number(move.best),
        )
    if move.moves or move.impurity_best == move.impurity_before:
        chance = np.exp(-move.stagnant)
        what = _("so it moves") if move.moves else _("so it stays")
        return _(
            "The best value of **{name}** is only as good as the present one. It is moved to with "
            "probability e^(−{stagnant}) = {chance:.2f}; the coin shows {coin:.2f}, "
            "{what}.",
            name=name,
            stagnant=move.stagnant,
            chance=chance,
            coin=move.coin,
            what=what,
        )
    return _(
        "**It stays**: no value between two crossings beats the present coefficient of **{name}**.",
        name=name,
    )


def _line(data: Dataset, tree, node, here, plane: Hyperplane, move: Move, ground, names, colours):
    map_plane = plane_of(data)
    if map_plane is None:
        _coefficients(data, plane, move, names, colours)
        return
    now, then = (_tree_with(tree, node, part, ground) for part in (plane, move.plane))
    figure, drawn, box = base_map(data, now, colours, shown=here)
    after = Map(then, map_plane, box) if move.moves else None
    new = after.segments.get(node) if after else None
    add_turn(figure, drawn.segments.get(node), new, colours, _("line"))
    show(figure, "step_oc1_map", _("The line of node {node} before and after the move.", node=node))
    st.caption(
        _(
            "Dashed: the line as it is; solid: after the move. Grey: examples that do not "
            "reach this node. What lies below the node is still the greedy tree's."
        )
    )


def _tree_with(tree: Tree, node: int, plane: Hyperplane, ground: NodeProjection) -> Tree:
    """The tree in which the node asks what the hyperplane asks."""
    weights, threshold = raw_split(plane, ground)
    direction = raw_directions(plane.weights[None, :-1], ground.scales)[0]
    size, own_size = np.abs(direction).max(initial=0.0), np.abs(weights).max(initial=0.0)
    factor = float(size / own_size) if own_size > 0 else 1.0
    return with_split(tree, node, direction, np.float32(threshold * factor))


def _coefficients(data: Dataset, plane: Hyperplane, move: Move, names, colours: Paint) -> None:
    st.caption(
        _(
            "There are {n_features} features, too many for a map. These are the coefficients, "
            "for features divided by their deviations.",
            n_features=data.n_features,
        )
    )
    before, after = plane.weights, move.plane.weights
    if data.image_shape:
        pictures = {_("before"): before[:-1], _("after"): after[:-1]}
        shaped = {name: w.reshape(data.image_shape) for name, w in pictures.items()}
        show(picture_figure(shaped, colours), "step_oc1_weights", _("Coefficients as pictures."))
        st.caption(_(SIGNS))
        return
    figure, hidden = weights_figure(names, before, after, colours)
    show(figure, "step_oc1_weights", _("Coefficients before and after the move."))
    if hidden:
        st.caption(
            _("{hidden} coefficients that hardly count or move are not shown.", hidden=hidden)
        )
