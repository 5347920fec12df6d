"""The tab *By hand*: turn and shift one split, and see at once what that is worth."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import streamlit as st

from treecore import Tree
from treecore.core.tree import split_depths
from treecore.data.dataset import Dataset
from treecore.inspection.manual_split import ManualSplitCost, manual_split_cost, with_manual_split
from treecore.inspection.sgd_debugger import SGDDebugger
from treecore.viewer.glossary import GLOSSARY
from treecore.viewer.messages.planes import Plane
from ui.drawing.map_figure import Map, add_turn, base_map, box_of, map_points, plane_of
from ui.drawing.target_style import Answers
from ui.drawing.theme import Paint, paint, picked, show
from ui.drawing.tree_figure import Mark, tree_figure
from ui.jobs.chosen_data import ChosenData
from ui.language.translate import _, written
from ui.shell.page_style import picture_columns
from ui.step.charts import weights_figure
from ui.step.settings import joint_run, node_shown
from ui.step.take_home import step_export
from ui.widgets.owned import owned

MOST_ANGLE, MOST_OFFSET = 90, 50
FACTORS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
TURNS = ("step_angle", "step_offset", "step_longer")
"""Keys of what turns the split."""
UNTURNED = (0, 0, 1.0)
"""What they are for a split as it was learnt."""


def hand_tab(data: ChosenData, depth: int, seed: int, errors: dict[str, Any]) -> None:
    """Everything below the tab's name."""
    _key, held = joint_run(data, depth, seed, errors)
    if held is None:
        return
    bench, rows = held.bench, held.rows
    st.markdown(
        _(
            "Can you do better than learning did? Turn and shift one split; all others stay. "
            "Nothing of the run is changed."
        )
    )
    train = data.train
    tree = bench.tree()
    nodes = np.argsort(split_depths(tree), kind="stable").tolist()
    split = _choose(nodes, train)
    plane = plane_of(train)
    weights, threshold, factor = _turned_split(train, tree, split, plane)
    by_hand = with_manual_split(bench, split, weights, threshold, factor) if _turned() else bench
    before, after = manual_split_cost(bench, rows, split), manual_split_cost(by_hand, rows, split)
    answers = Answers(train, paint())
    _show_cost(before, after, answers)
    back = held.units.inverse_transform
    trees = back(bench.tree()), back(by_hand.tree())
    left, right = picture_columns("hand")
    with left:
        if plane is None:
            _weights(train, bench, by_hand, split, answers.colours)
        else:
            st.header(_("On the map"), help=_(GLOSSARY["map"]))
            _map(train, trees, plane, split, answers.colours)
    with right:
        st.header(_("On the tree"), help=_("Click a split to turn that one."))
        moved = _moved_leaves(before, after)
        marks = {split: Mark(ring=answers.colours.accent)} | {
            ~leaf: Mark(ring=answers.colours.minus, says=_("{n} examples come or go", n=n))
            for leaf, n in moved.items()
        }
        show(
            tree_figure(trees[1], answers, marks),
            "step_hand_tree",
            _("The tree; split {split} is turned by hand.", split=split),
            on_select=_pick,
            selection_mode="points",
        )
        st.caption(
            _("The ring marks the chosen split; rings on leaves, where examples come or go.")
        )
    step_export(trees[1], data, "by-hand", int(_turned()))


def _choose(nodes: list[int], train: Dataset) -> int:
    """The split and the sliders that turn it; gives the split."""
    chosen = node_shown("step_hand_node", nodes[0], nodes)
    if train.n_features != 2:
        st.session_state[TURNS[0]] = UNTURNED[0]  # there is no line to turn
    angle, offset, longer = (owned(*turn) for turn in zip(TURNS, UNTURNED, strict=True))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        split = st.selectbox(
            _("Split"),
            nodes,
            nodes.index(chosen.value),
            width=90,
            help=_("The split to turn, the root first."),
            **chosen.widget(_put_back),
        )
        if train.n_features == 2:
            st.slider(
                _("Turned by"),
                -MOST_ANGLE,
                MOST_ANGLE,
                angle.value,
                format="%d °",
                width=190,
                help=_("Degrees, as seen on the map, about the middle of the split's line."),
                **angle.widget(),
            )
        st.select_slider(
            _("Weights times"),
            FACTORS,
            longer.value,
            format_func=lambda value: f"{value:g}",
            width=150,
            help=_(
                "How long the weights are. No example changes sides, but the bound does: short "
                "weights mean wide margins."
            ),
            **longer.widget(),
        )
        across = (
            _("of the map's side") if train.n_features <= 2 else _("of a deviation of its scores")
        )
        st.slider(
            _("Shifted by"),
            -MOST_OFFSET,
            MOST_OFFSET,
            offset.value,
            format="%d %%",
            width=190,
            help=_(
                "How far the split is moved towards its right side, in per cent {across}.",
                across=across,
            ),
            **offset.widget(),
        )
        st.button(
            _("Put it back"),
            on_click=_put_back,
            icon=":material/undo:",
            disabled=not _turned(),
            key="step_hand_back",
            help=_("The split as it was learnt."),
        )
    return split


def _turned() -> bool:
    return any(
        st.session_state.get(key, was) != was for key, was in zip(TURNS, UNTURNED, strict=True)
    )


def _put_back() -> None:
    for key, value in zip(TURNS, UNTURNED, strict=True):
        st.session_state[key] = value


def _pick() -> None:
    """A node of the drawing was clicked."""
    node = picked("step_hand_tree")
    if node >= 0:
        st.session_state.step_hand_node = node
        _put_back()


def _turned_split(train: Dataset, tree: Tree, split: int, plane) -> tuple[np.ndarray, float, float]:
    """Weights and threshold of the turned split for raw features, and how long it is."""
    angle = math.radians(st.session_state.get("step_angle", 0) if train.n_features == 2 else 0)
    shift = st.session_state.get("step_offset", 0) / 100
    factor = st.session_state.get("step_longer", 1.0)
    w = tree.weights[tree.row[split]].astype(np.float64)
    b = float(tree.threshold[split])
    if plane is None or train.n_features == 1:
        reach = (train.X @ w).std() if plane is None else np.ptp(box_of(train.X)[:, 0]) * abs(w[0])
        return w, b + shift * reach, factor
    box = box_of(map_points(train, plane))
    pivot = _pivot(tree, split, plane, box)
    return *turned(w, b, pivot, box[1] - box[0], angle, shift), factor


def turned(
    w: np.ndarray, b: float, pivot: np.ndarray, size: np.ndarray, angle: float, shift: float
) -> tuple[np.ndarray, float]:
    """A line w.x = b turned about the point of it nearest to ``pivot``, then shifted.

    w: (2,); pivot: (2,); size: (2,), sides of the map: angles and lengths are those on a square
    picture of it; angle: radians, against the clock; shift: shares of the picture's side, towards
    the right side of the split.
    """
    u = w * size  # on the unit square
    length = float(np.linalg.norm(u))
    if length == 0:
        return w, b
    centre = pivot / size
    centre = centre + u * (b - u @ centre) / length**2  # onto the line
    cos, sin = math.cos(angle), math.sin(angle)
    new = np.array([cos * u[0] - sin * u[1], sin * u[0] + cos * u[1]])
    return new / size, float(new @ centre + shift * length)


def _pivot(tree: Tree, split: int, plane, box: np.ndarray) -> np.ndarray:
    """The middle of the split's line in its region; or of the map, where that is out of sight."""
    segment = Map(tree, plane, box).segments.get(split)
    return box.mean(axis=0) if segment is None else segment.mean(axis=0)


def _moved_leaves(before: ManualSplitCost, after: ManualSplitCost) -> dict[int, int]:
    moved = before.leaf != after.leaf
    leaves = np.concatenate([before.leaf[moved], after.leaf[moved]])
    return {
        int(leaf): int(n) for leaf, n in zip(*np.unique(leaves, return_counts=True), strict=True)
    }


def _show_cost(before: ManualSplitCost, after: ManualSplitCost, answers: Answers) -> None:
    good = "R²" if answers.numbers else _("Accuracy")
    word = "r2" if answers.numbers else "accuracy"
    sides = int((before.right != after.right)[before.here].sum())
    with st.container(horizontal=True):
        for name, was, now, key in (
            (_("Mean bound"), before.bound, after.bound, "bound"),
            (_("Mean loss"), before.loss, after.loss, "loss"),
            (good, 100 * before.good, 100 * after.good, word),
        ):
            unit = " %" if key == word else ""
            change = now - was
            st.metric(
                name,
                f"{written(now, '.2f')}{unit}" if unit else written(now, ".4f"),
                delta=_("{change:+.2f} points", change=change) if unit else written(change, "+.4f"),
                delta_color=("normal" if key == word else "inverse") if change else "off",
                delta_arrow="auto" if change else "off",
                help=_(
                    "With the split as it is now, over the training examples; below, how that "
                    "differs from the learnt split. {glossary}",
                    glossary=_(GLOSSARY[key]),
                ),
            )
        st.metric(
            _("Change sides"),
            sides,
            help=_(
                "Examples that reach the split and go to its other side than with the learnt one."
            ),
        )
    if not _turned():
        st.caption(
            _("{sum} examples reach the split. It is as it was learnt.", sum=int(before.here.sum()))
        )
        return
    verdict = (
        "better" if after.loss < before.loss else "worse" if after.loss > before.loss else "same"
    )
    said = {
        "better": _("Your split has the lower loss: learning has not found the best one here."),
        "worse": _("Your split has the higher loss than the learnt one."),
        "same": _("The loss is the same as with the learnt split."),
    }[verdict]
    st.caption(
        _(
            "{sides} of {sum} examples change sides. {said}",
            sides=sides,
            sum=int(before.here.sum()),
            said=said,
        )
    )


def _map(
    train: Dataset, trees: tuple[Tree, Tree], plane: Plane, split: int, colours: Paint
) -> None:
    figure, drawn, box = base_map(train, trees[1], colours)
    old = Map(trees[0], plane, box).segments.get(split)
    new = drawn.segments.get(split)
    if _turned():
        add_turn(figure, old, new, colours, _("split"))
    else:
        add_turn(figure, None, new, colours, _("split"))
    show(
        figure,
        "step_hand_map",
        _("Map of the data with split {split} as it is turned.", split=split),
    )
    st.caption(_("Dashed: the split as it was learnt; solid: as it is now, with the new regions."))


def _weights(
    train: Dataset, bench: SGDDebugger, by_hand: SGDDebugger, split: int, colours: Paint
) -> None:
    st.header(_("Its weights"), help=_("For features as deviations from their mean."))
    st.caption(
        _(
            "There are {n_features} features, too many for a map: here the split is shifted "
            "along its weights and made longer or shorter, and its direction stays.",
            n_features=train.n_features,
        )
    )
    p = train.n_features
    names = [*train.feature_names, "offset"]
    before, after = bench.joint.W[split][: p + 1], by_hand.joint.W[split][: p + 1]
    figure, hidden = weights_figure(names, before, after, colours)
    show(figure, "step_hand_weights", _("Weights of split {split} before and now.", split=split))
    if hidden:
        st.caption(_("{hidden} weights that hardly count or move are not shown.", hidden=hidden))
