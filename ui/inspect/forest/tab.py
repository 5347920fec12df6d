"""Inside one forest: its map, how clearly it tells rows apart, and what one of its trees adds."""

import dataclasses
import hashlib

import numpy as np
import streamlit as st
from plotly.graph_objects import Figure

from treecore import Forest, HingeForest
from treecore.inspection import smallest_margins
from treecore.viewer import LARGEST_SHOWN, Plane, evenly, standing_message
from ui.drawing.on_page import show
from ui.drawing.squares import box_on, grid
from ui.drawing.theme import PERCENT, Paint, add_line, dress, paint
from ui.inspect.forest.scene import Scene, alone, hinge_tree
from ui.inspect.forest.vote_map import margin_figure, vote_figure
from ui.inspect.opened import OpenedForest
from ui.inspect.overlay import SPLITS
from ui.jobs.chosen_data import ChosenData
from ui.jobs.session import remembered
from ui.language.translate import N_, _, language, within, written
from ui.live.component import browser_component
from ui.shell.glossary import FOREST_GLOSSARY
from ui.shell.page_style import picture_columns
from ui.shell.safe_text import plain
from ui.widgets.saved_tree import json_button

LENSES = {"votes": N_("Votes"), "margin": N_("Smallest margin"), "member": N_("One member")}


def forest_tab(opened: OpenedForest, data: ChosenData, plane: Plane) -> None:
    """All of it; the tree that is looked at is the one chosen in the sidebar."""
    scene = Scene(data, opened.forest, opened.weights if opened.learnt_from(data) else None)
    left, right = picture_columns("forest", gap="medium")
    with left:
        _map_of(opened, scene, plane)
    with right:
        _margins_of(opened, scene)
    n_trees, member = scene.forest.n_trees, opened.member
    of_one = _("Tree {member} of {n_trees}", member=member + 1, n_trees=n_trees)
    if n_trees > 1:
        _facts(opened, scene, None, _("All {n_trees} trees", n_trees=n_trees))
    _facts(opened, scene, member, of_one, _(FOREST_GLOSSARY["member"]))
    if isinstance(scene.forest, HingeForest):
        _hinge_drawing(scene.forest, opened, data)
    json_button(lambda: opened.document, opened.file_name, "forest_", forest=True)


def _hinge_drawing(forest: HingeForest, opened: OpenedForest, data: ChosenData) -> None:
    """The tree that is looked at, with the rows that come to its leaves."""
    tree, train = hinge_tree(forest, opened.member), data.train
    if tree.n_leaves > LARGEST_SHOWN:
        return
    leaf = smallest_margins(alone(forest, opened.member), train.X)[0][:, 0]
    counts = np.zeros((tree.n_leaves, max(1, train.n_classes)))
    labels = train.y.astype(int) * (train.n_classes > 0)  # numbers in one column
    np.add.at(counts, (leaf, labels), 1)
    learnt = [_("learnt feature {number}", number=number + 1) for number in range(tree.n_features)]
    message = standing_message(
        tree,
        hashlib.sha256(repr((opened.key, opened.member, data.key)).encode()).hexdigest()[:16],
        learnt if len(forest.layer.tap) else train.feature_names,
        train.class_names,
        target=train.target_name,
        counts=counts,
    )
    mount = browser_component("standing", "pages/standing.js")
    mount(data=message, key="forest_tree", height="content")


def _map_of(opened: OpenedForest, scene: Scene, plane: Plane) -> None:
    lens, title = _lens_control(scene)
    member = opened.member if lens == "member" else None
    if member is not None:  # what points weigh is for the tree after the last one
        scene = dataclasses.replace(scene, weights=None)
    key = opened.key, scene.data.key, lens, plane.labels, member, paint().dark, language()
    figure = remembered("forest_map", key, lambda: _map(opened, scene, plane, lens))
    show(figure, "forest_map", _("Map of the forest: {lower}", lower=within(title)))
    notes = [_(plane.note), _(plane.regions).replace(_("the tree"), _("the forest"))]
    if scene.weights is not None:
        notes.insert(0, _("The area of a point is its weight for the next tree."))
    st.caption(plain(" ".join(filter(None, notes)) or _("Points are the training examples.")))


def _map(opened: OpenedForest, scene: Scene, plane: Plane, lens: str) -> Figure:
    box = box_on(plane, scene.data.train.X)
    squares = grid(plane, box)
    if lens == "margin":
        return margin_figure(scene, plane, scene.smallest_margins(squares), box, paint())
    member = lens == "member"
    scores = scene.member_scores(opened.member, squares) if member else scene.scores(squares)
    return vote_figure(scene, plane, scores, box, paint())


def _lens_control(scene: Scene) -> tuple[str, str]:
    hinge = isinstance(scene.forest, HingeForest)
    lenses = [name for name in LENSES if name != "margin" or hinge]
    if st.session_state.get("forest_lens") not in lenses:
        st.session_state["forest_lens"] = lenses[0]
    titles = LENSES | ({"votes": N_("Prediction")} if scene.numbers or scene.adds_up else {})
    said = FOREST_GLOSSARY["predicted" if scene.numbers else "votes"]
    parts = [f"**{_(titles['votes'])}**: {_(said)}"]
    if hinge:
        parts.append(_("**Smallest margin**: {smallest}", smallest=_(FOREST_GLOSSARY["smallest"])))
    parts.append(_("**One member**: the prediction of the chosen tree."))
    if scene.weights is not None:
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
    lens = lens or lenses[0]
    return lens, _(titles[lens])


def _margins_of(opened: OpenedForest, scene: Scene) -> None:
    st.markdown(
        _("Prediction errors") if scene.numbers else _("Margins"),
        help=_(FOREST_GLOSSARY["residuals" if scene.numbers else "margins"]),
    )
    values = remembered(
        "forest_margin_values", (opened.key, scene.data.key), lambda: margin_values(scene)
    )
    figure = margins_figure(values, scene.numbers, paint())
    show(figure, "forest_margin_chart", _("Distribution of the margins"))


def _facts(
    opened: OpenedForest, scene: Scene, member: int | None, of: str, help: str | None = None
) -> None:
    """A line on one tree, or on all together: what it gets right, and its vote."""
    learnt = _("Training R²") if scene.numbers else _("Training accuracy")
    tested = _("Test R²") if scene.numbers else _("Test accuracy")
    if not opened.learnt_from(scene.data):
        what = "R²" if scene.numbers else _("Accuracy")
        tested, learnt = (f"{what}, {_(SPLITS[part])}" for part in ("held", "training"))
    parts = {tested: scene.data.held, learnt: scene.data.train}
    found = remembered(
        f"forest_accuracy_{member is None}",
        (opened.key, scene.data.key, member),
        lambda: [part and scene.accuracy(part, member) for part in parts.values()],
    )
    facts: list[tuple[str, str, str | None]] = [
        (title, written(value, ".1%"), None)
        for title, value in zip(parts, found, strict=True)
        if value is not None
    ]
    if member is not None and isinstance(scene.forest, Forest) and not scene.adds_up:
        weights = scene.forest.weights
        share = weights[member] / weights.sum()
        vote = f"{written(weights[member], '.3g')} ({written(100 * share, '.1f')} %)"
        facts.append((_("Vote"), vote, _(FOREST_GLOSSARY["vote"])))
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown(of, help=help, width="content")
        for title, value, explained in facts:
            st.markdown(f"{title} **{value}**", help=explained, width="content")


def margin_values(scene: Scene) -> dict[str, np.ndarray]:
    """Margins by which rows they are of; for numbers, what is predicted less what is true."""
    values = {}
    for rows, part in (("test", scene.data.held), ("training", scene.data.train)):
        if part is None:
            continue
        if scene.numbers:
            values[rows] = scene.scores(part.given)[:, 0] - part.y
        else:
            values[rows] = scene.margins(part.given, part.y)
    return values


def margins_figure(values: dict[str, np.ndarray], numbers: bool, paint: Paint) -> Figure:
    """The share of rows with at most each margin. values: dict of float arrays."""
    figure = Figure()
    low, high = -1.0, 1.0
    if numbers:
        high = max(float(np.abs(v).max()) for v in values.values()) or 1.0
        low = -high
    looks = {"test": (paint.accent, "solid"), "training": (paint.muted, "dot")}
    for rows, margins in values.items():
        colour, dash = looks[rows]
        ordered = np.sort(margins)
        share = np.arange(1, len(ordered) + 1) / len(ordered)
        keep = evenly(len(ordered), 400)
        add_line(
            figure,
            np.concatenate([[low], ordered[keep], [high]]),
            np.concatenate([[0.0], share[keep], [1.0]]),
            colour,
            2.2,
            dash,
            shape="hv",
            name=_(rows),
            hovertemplate=_("%{y:.1%} have at most %{x:.3f}<extra>") + _(rows) + "</extra>",
        )
    dress(figure, paint, 330)
    figure.add_vline(x=0, line={"color": paint.muted, "width": 1, "dash": "dash"})
    quantity = _("predicted − true") if numbers else _("margin")
    figure.update_xaxes(title=quantity, range=[low * 1.02, high * 1.02], zeroline=False)
    what = _("share of examples up to this")
    figure.update_yaxes(title=what, tickformat=PERCENT, rangemode="tozero", zeroline=False)
    return figure
