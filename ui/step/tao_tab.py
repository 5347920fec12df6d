"""The tab *TAO*: one node of the tree, its care points, the new split, taken or not."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from treecore import RunConfig, Tree
from treecore.core.tree import OBLIQUE
from treecore.data.dataset import Dataset
from treecore.inspection.tao_node import (
    NodeStep,
    improve_split,
    relabel,
    tao_order,
    tree_cost,
)
from treecore.pruning.subtrees import leaves_below
from treecore.rows.training_rows import TrainingRows
from ui.drawing.map_figure import Map, add_turn, base_map, map_points, plane_of
from ui.drawing.target_style import Answers
from ui.drawing.theme import Paint, number, paint, picked, show
from ui.drawing.tree_figure import Mark, tree_figure
from ui.jobs.chosen_data import ChosenData
from ui.jobs.session import remembered
from ui.language.translate import _, written
from ui.shell.class_link import group
from ui.shell.glossary import STEP_GLOSSARY, STEP_NUMBERS
from ui.shell.page_style import picture_columns
from ui.step.charts import SIGNS, picture_figure, weights_figure
from ui.step.settings import first_tree, node_shown
from ui.step.take_home import step_export

SMOOTHING = 1.0
NEWTON_STEPS = 5
LOOKED_AT = 8
"""Splits that are tried for one to begin with; each takes as long as a step."""

STRENGTHS = (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)


class Visits:
    """The nodes visited so far: the tree after them, and where TAO stands in its round."""

    def __init__(self, tree: Tree, first: int):
        self.tree = tree
        self.order = tao_order(tree)
        self.next = first
        self.past: list[tuple[Tree, int]] = []  # trees, and the split that was visited then

    def apply(self, tree: Tree, split: int, rows: TrainingRows) -> None:
        """Go on with this tree; behind the root, leaves take the classes of their rows."""
        if split == self.order[-1]:
            tree = relabel(tree, rows, SMOOTHING)
        self.past.append((self.tree, split))
        self.tree = tree
        self.next = self.order[(self.order.index(split) + 1) % len(self.order)]
        st.session_state.step_node = self.next

    def undo(self) -> None:
        """Back to where the last visit was."""
        if self.past:
            self.tree, self.next = self.past.pop()
            st.session_state.step_node = self.next


def tao_tab(data: ChosenData, depth: int, seed: int, errors: dict[str, Any]) -> None:
    """Everything below the tab's name."""
    with st.sidebar, group("settings", "tab"):
        start = st.selectbox(
            _("Start from"),
            ["axis", "random"],
            format_func={
                "axis": _("Greedy axis-aligned"),
                "random": _("Random splits"),
            }.__getitem__,
            key="step_tao_start",
            help=_("The tree that TAO improves, node by node."),
        )
        C = st.select_slider(
            _("C (weight of the loss)"),
            STRENGTHS,
            10.0,
            format_func=lambda value: f"{value:g}",
            key="step_C",
            help=_(STEP_GLOSSARY["C"]),
        )
    answers = Answers(data.train, paint())
    better = _("predicted more closely on one side")
    if not answers.numbers:
        better = _("classified rightly on one side only")
    st.markdown(
        _(
            "TAO visits one split after another, from the deepest up to the root. With the "
            "subtrees below as they are, each example that reaches the split either does not "
            "care where it goes, or is {better}. Learning to send those to their side is an "
            "ordinary two-class problem.",
            better=better,
        )
    )
    config = RunConfig("tao", seed=seed, depth=depth, start=start, smoothing=SMOOTHING, **errors)
    with st.spinner(_("Growing a tree")):
        first = first_tree(data.key, config, data)
    tree, rows, inverse_transform = first.tree, first.rows, first.units.inverse_transform
    if not tree.n_splits:
        st.info(
            _(
                "The greedy tree is a single leaf: there is no split to improve. Start from random "
                "splits."
            ),
            icon=":material/info:",
        )
        return

    def begin() -> Visits:
        first = _first_improved(tree, rows, C)
        st.session_state.step_node = first
        return Visits(tree, first)

    visits = remembered("step_visits", (data.key, config), begin)
    split = _choose_and_buttons(visits, rows, C)
    step = improve_split(visits.tree, rows, split, C=C, max_iter=NEWTON_STEPS)
    _show_step(step, visits.tree, rows, answers)
    colours, shown = answers.colours, inverse_transform(visits.tree)
    left, right = picture_columns("tao")
    with left:
        words = STEP_GLOSSARY | (STEP_NUMBERS if answers.numbers else {})
        st.header(_("Who cares"), help=_(words["care"]) + " " + _(words["pseudolabel"]))
        _map(data.train, (shown, inverse_transform(step.proposed)), step, colours)
    with right:
        st.header(_("On the tree"), help=_("Click a split to take it apart."))
        figure = tree_figure(shown, answers, _marks(shown, split, colours))
        show(
            figure,
            "step_tao_tree",
            _("The tree; split {split} is chosen.", split=split),
            on_select=_pick,
            selection_mode="points",
        )
        st.caption(_("The ring marks the chosen split. Click another one, or choose it above."))
    _weights(data.train, visits.tree, step, colours)
    step_export(shown, data, "tao", len(visits.past))


def _first_improved(tree: Tree, rows: TrainingRows, C: float) -> int:
    """The first split of a round that gets better; those before it would stay as they are."""
    order = tao_order(tree)
    for split in order[:LOOKED_AT]:
        step = improve_split(tree, rows, split, C=C, max_iter=NEWTON_STEPS)
        if step.accepted and step.wrong_after < step.wrong_before:
            return split
    return order[0]


def _choose_and_buttons(visits: Visits, rows: TrainingRows, C: float) -> int:
    chosen = node_shown("step_node", visits.next, visits.order)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        split = st.selectbox(
            _("Split"),
            visits.order,
            visits.order.index(chosen.value),
            width=140,
            help=_("The node to take apart, in the order in which TAO visits them."),
            **chosen.widget(),
        )
        st.button(
            _("Apply and go on"),
            on_click=_apply,
            args=(visits, rows, split, C),
            type="primary",
            icon=":material/done:",
            key="step_tao_apply",
            help=_(
                "Let the tree take this split, if it is accepted, and go on to the next one. "
                "Behind the root the leaves take the classes of their rows, and a new round begins."
            ),
        )
        st.button(
            _("Undo"),
            on_click=visits.undo,
            icon=":material/undo:",
            key="step_tao_undo",
            disabled=not visits.past,
            help=_("Take the last visit back."),
        )
    return split


def _apply(visits: Visits, rows: TrainingRows, split: int, C: float) -> None:
    step = improve_split(visits.tree, rows, split, C=C, max_iter=NEWTON_STEPS)
    visits.apply(step.tree, split, rows)


def _pick() -> None:
    """A node of the drawing was clicked."""
    node = picked("step_tao_tree")
    if node >= 0:
        st.session_state.step_node = node


def _show_step(step: NodeStep, tree: Tree, rows: TrainingRows, answers: Answers) -> None:
    n, n_care = len(step.rows), len(step.care)
    text = _(
        "**Split {split}**: {n} examples reach it, {n_care} of them are care points. ",
        split=step.split,
        n=n,
        n_care=n_care,
    )
    if n_care == 0:
        text += _("Wherever they go, nothing changes for any of them: the split stays as it is.")
    elif step.one_sided:
        side = _("right") if step.wants_right[0] else _("left")
        text += _(
            "All of them are better off on the {side}: the split sends everything there.", side=side
        )
    else:
        right = int(step.wants_right.sum())
        text += _("{right} want to go right, {right2} left. ", right=right, right2=n_care - right)
        text += _("Logistic regression with an L1 penalty learns to tell them apart.")
    st.markdown(text)
    change = step.wrong_after - step.wrong_before
    if n_care and step.accepted:
        st.success(_("Accepted: no more goes astray than before."), icon=":material/check:")
    elif n_care:
        st.warning(
            _(
                "Not accepted: the split that was learnt would send {change:g} more astray, so the "
                "old one stays.",
                change=change,
            ),
            icon=":material/block:",
        )
    cost, cost_after = (tree_cost(part, rows) for part in (tree, step.tree))
    words = STEP_GLOSSARY | (STEP_NUMBERS if answers.numbers else {})
    with st.container(horizontal=True):
        st.metric(
            _("Sent astray, old split"),
            number(step.wrong_before),
            help=_(words["weighted error"]),
        )
        st.metric(
            _("Sent astray, learnt split"),
            number(step.wrong_after),
            delta=f"{change:+g}" + ("" if step.accepted else _(", not taken")),
            delta_color="inverse" if change and step.accepted else "off",
            delta_arrow="auto" if change else "off",
            help=_(words["weighted error"]),
        )
        figures = (
            written(cost_after, ".1%"),
            _("{cost:+.1f} points", cost=100 * (cost_after - cost)),
        )
        what = _("The share of the training examples that the tree misclassifies")
        if answers.numbers:
            figures = written(cost_after, ".4f"), written(cost_after - cost, "+.4f")
            what = _("The mean loss of the training examples, in {unit},", unit=answers.unit)
        st.metric(
            _("Whole tree's error"),
            figures[0],
            delta=figures[1],
            delta_color="inverse" if cost_after != cost else "off",
            delta_arrow="auto" if cost_after != cost else "off",
            help=_("{what} after this visit. It can never rise: that is TAO's promise.", what=what),
        )


def _map(data: Dataset, trees: tuple[Tree, Tree], step: NodeStep, colours: Paint) -> None:
    plane = plane_of(data)
    if plane is None:
        st.caption(
            _(
                "There are {n_features} features, too many for a map. The weights of the split "
                "are below.",
                n_features=data.n_features,
            )
        )
        st.dataframe(
            {
                _("wants to go"): [_("left"), _("right")],
                _("care points"): [int((~step.wants_right).sum()), int(step.wants_right.sum())],
            },
            hide_index=True,
        )
        return
    figure, drawn, box = base_map(data, trees[0], colours, shown=np.empty(0, dtype=np.int64))
    points = map_points(data, plane)
    sides = (
        (_("wants right"), step.wants_right, colours.plus, "triangle-right"),
        (_("wants left"), ~step.wants_right, colours.minus, "triangle-left"),
    )
    for name, who, colour, marker in sides:
        rows = step.care[who]
        figure.add_scatter(
            x=points[rows, 0],
            y=points[rows, 1],
            mode="markers",
            name=name,
            customdata=rows,
            marker={"color": colour, "symbol": marker, "size": 9},
            hovertemplate=_("example %{customdata}<extra>") + name + "</extra>",
        )
    after = Map(trees[1], plane, box) if step.weights is not None else drawn
    new = after.segments.get(step.split) if step.weights is not None else None
    add_turn(figure, drawn.segments.get(step.split), new, colours, _("split"))
    show(
        figure,
        "step_tao_map",
        _(
            "Care points of split {split} by the side they want, and the split before and after.",
            split=step.split,
        ),
    )
    st.caption(
        _(
            "Coloured: care points by the side they want, their pseudolabel. Grey: everyone else. "
            "Dashed: the old split; solid: the learnt one. Regions have the colours of what their "
            "leaves say."
        )
    )


def _marks(tree: Tree, split: int, colours: Paint) -> dict[int, Mark]:
    marks = {split: Mark(ring=colours.accent)}
    below = {~leaf for leaf in leaves_below(tree, split)}
    for node in (*range(tree.n_splits), *(~leaf for leaf in range(tree.n_leaves))):
        inside = node in below or (node >= 0 and set(_below(tree, node)) <= below)
        if not inside and node not in marks:
            marks[node] = Mark(faint=node < 0)
    return marks


def _below(tree: Tree, split: int) -> list[int]:
    return [~leaf for leaf in leaves_below(tree, split)]


def _weights(data: Dataset, tree: Tree, step: NodeStep, colours: Paint) -> None:
    if step.weights is None:
        return
    st.header(_("The weights of the split"), help=_(STEP_GLOSSARY["C"]))
    old = np.zeros(data.n_features)
    if tree.feature[step.split] == OBLIQUE:
        old[:] = tree.weights[tree.row[step.split]]
    else:
        old[tree.feature[step.split]] = 1.0
    spread = data.X.std(axis=0)
    before, after = (_unit(w * spread) for w in (old, step.weights))
    used = int(np.count_nonzero(step.weights))
    st.caption(
        _(
            "Times the features' deviations, so that they compare, and scaled to the same length. "
            "The learnt split uses {used} of {n_features} features.",
            used=used,
            n_features=data.n_features,
        )
    )
    if data.image_shape:
        pictures = {_("before"): before, _("after"): after}
        shaped = {name: w.reshape(data.image_shape) for name, w in pictures.items()}
        show(picture_figure(shaped, colours), "step_tao_weights", _("Weights as pictures."))
        st.caption(_(SIGNS))
        return
    figure, hidden = weights_figure(data.feature_names, before, after, colours)
    show(
        figure,
        "step_tao_weights",
        _("Weights of split {split} before and after.", split=step.split),
    )
    if hidden:
        st.caption(_("{hidden} weights that hardly count or move are not shown.", hidden=hidden))


def _unit(w: np.ndarray) -> np.ndarray:
    size = np.linalg.norm(w)
    return w / size if size > 0 else w
