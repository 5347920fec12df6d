"""The tab *One example*: one update of SGD or Stable SGD, number by number."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from treecore import Tree
from treecore.data.dataset import Dataset
from treecore.inspection.inference import BranchOutcome, VisitedNode
from treecore.inspection.sgd_debugger import SGDDebugger
from treecore.inspection.sgd_step import SGDStep
from treecore.inspection.tao_node import leaves_below
from treecore.viewer.glossary import GLOSSARY
from treecore.viewer.planes import Plane
from ui.drawing.map_figure import Map, add_push, add_ring, add_turn, base_map, map_points, plane_of
from ui.drawing.target_style import Answers
from ui.drawing.theme import Paint, number, paint, picked, show
from ui.drawing.tree_figure import Mark, tree_figure
from ui.jobs.chosen_data import ChosenData
from ui.jobs.session import remembered
from ui.shell.class_link import group
from ui.shell.glossary import STEP_GLOSSARY
from ui.shell.page_style import pictures_beside
from ui.shell.safe_text import in_cell
from ui.step.charts import picture_figure
from ui.step.session import Walk, begin
from ui.step.settings import joint_control, trained
from ui.step.step_formulas import the_way
from ui.step.tables import all_leaves, proposition, the_search, the_update


def sample_tab(data: ChosenData, depth: int, seed: int, errors: dict[str, Any]) -> None:
    """Everything below the tab's name."""
    with group("settings", "tab", border=True):
        st.markdown("**How the tree has learnt so far**")
        config, passes = joint_control(depth, seed, errors)
    held = trained(data.key, config, passes, data)
    if not len(held.bench.joint.left):
        st.info(
            "The tree that learning starts from is a single leaf: there is no split to turn. "
            "Start from random splits, or choose data with more examples.",
            icon=":material/info:",
        )
        return
    walk = remembered(
        "step_walk",
        (data.key, config, passes),
        lambda: begin(held.bench.order, held.bench.measure()[2]),
    )
    _as_the_link_says(walk, len(held.bench.order))
    bench = held.bench.after(walk.visits)
    bound, loss, turning = bench.measure()
    row = walk.row(bench.order, bound)
    st.session_state.step_example = None if walk.at_the_beginning else row
    step = bench.trace_update(row)
    _buttons(walk, row, bench, turning)
    colours = paint()
    answers, units = Answers(data.train, colours), held.units
    introduction(answers, walk, row, bench, step)
    tree, after = (
        units.inverse_transform(bench.tree()),
        units.inverse_transform(bench.tree(step.tree)),
    )
    where_it_goes(answers, bench, (tree, after), row, step)
    all_leaves(bench, row, step, answers)
    the_search(step.search)
    the_update(answers, bench, (tree, after), row, step, bound, loss)
    proposition(bench, row, answers)


def _as_the_link_says(walk: Walk, n: int) -> None:
    """Show the example that a link has asked for, once."""
    asked = st.session_state.pop("step_asked_example", None)
    if asked is None:
        return
    if asked >= n:
        st.warning(
            f"There is no example {asked}: there are {n}, and the last one is shown.",
            icon=":material/link_off:",
        )
    walk.choose(min(asked, n - 1))


def _buttons(walk: Walk, row: int, bench: SGDDebugger, turning: np.ndarray) -> None:
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Previous",
            on_click=walk.previous,
            icon=":material/chevron_left:",
            key="step_previous",
            disabled=walk.place == 0 and walk.chosen is None and not walk.hardest,
            help="The example before this one, in the order of the run.",
        )
        st.button(
            "Next",
            on_click=walk.next,
            icon=":material/chevron_right:",
            key="step_next",
            help="Look at the next example in the order of the run, without taking this step.",
        )
        st.button(
            "Next that turns",
            on_click=walk.next_turning,
            args=(bench.order, turning),
            icon=":material/rotate_right:",
            key="step_next_turning",
            help="The next example in the order whose step turns a split. The steps of the others "
            "only teach their leaf.",
        )
        st.button(
            "Hardest",
            on_click=walk.to_hardest,
            icon=":material/priority_high:",
            key="step_hardest",
            help="The example of the greatest bound.",
        )
        st.button(
            "Apply this step",
            on_click=walk.apply,
            args=(row,),
            type="primary",
            icon=":material/done:",
            key="step_apply",
            help="Really turn the splits and teach the leaf, then go on to the next example.",
        )
        st.button(
            "Undo",
            on_click=walk.undo,
            icon=":material/undo:",
            key="step_undo",
            disabled=not walk.visits,
            help="Take the last applied step back.",
        )
        if bench.assigned is not None:
            st.button(
                "Assign anew",
                on_click=walk.reassign,
                icon=":material/sync:",
                key="step_reassign",
                help="Give every example the leaf that it reaches now, as Stable SGD does once a "
                "pass hardly lowers the bound.",
            )


def introduction(answers: Answers, walk: Walk, row: int, bench: SGDDebugger, step: SGDStep) -> None:
    """One paragraph that tells the whole step."""
    if walk.hardest:
        why = "the one of the greatest bound"
    elif walk.chosen is not None:
        why = "picked by you"
    else:
        n = len(bench.order)
        why = f"number {walk.place % n + 1} in the order of the run"
    done = sum(visit >= 0 for visit in walk.visits)
    steps = f" {done} step{'s' * (done != 1)} applied so far." if done else ""
    search = step.search
    text = [
        f"**Example {row}**, {answers.target(row)}, {why}.{steps} It reaches leaf {search.h_leaf}, "
        f"which costs it a loss of {answers.loss(float(step.loss_before))}."
    ]
    if step.assigned is not None and step.assigned != search.h_leaf:
        text.append(
            f"It is assigned to leaf {step.assigned}, so {number(step.lost)} is added to its "
            "bound for the bits that have to be forced."
        )
    if search.g_leaf == search.h_leaf:
        text.append(f"No other leaf has a greater v, so its bound is {number(step.bound_before)}.")
    else:
        text.append(
            f"Leaf {search.g_leaf} is its worst danger: with v = {number(search.bound)} it makes "
            f"the bound {number(step.bound_before)}."
        )
    turned = [str(turn.split) for turn in step.turns]
    if turned:
        which = "split " + turned[0] if len(turned) == 1 else "splits " + ", ".join(turned)
        text.append(f"The step turns {which} and teaches leaf {search.g_leaf}.")
    else:
        text.append(f"The step turns no split; it only teaches leaf {search.g_leaf}.")
    st.markdown(" ".join(text))


def where_it_goes(
    answers: Answers,
    bench: SGDDebugger,
    trees: tuple[Tree, Tree],
    row: int,
    step: SGDStep,
    choosing: bool = True,
) -> None:
    """Map and tree with what the step does; ``choosing``: a click takes another example."""
    data, colours = answers.data, answers.colours
    left, right = pictures_beside("example")
    with left:
        plane = plane_of(data)
        if plane is None:
            st.header("The example", help="Its features, as they are in the data.")
            _no_map(data, row, colours)
        else:
            st.header("On the map", help=GLOSSARY["map"])
            figure = _map_figure(data, plane, trees, row, step, colours)
            show(
                figure,
                "step_map",
                f"Map of the data; example {row} is ringed, turned splits are drawn before "
                "(dashed) and after (solid) the step.",
                on_select=_choose if choosing else "ignore",
                selection_mode="points",
            )
            click = " Click a point to take it apart." if choosing else ""
            st.caption(
                "Dashed: a split before the step; solid: after it; the arrow: where its line gives "
                f"way to.{click}"
            )
    with right:
        words = ["code", "rival"] + ["assigned"] * (step.assigned is not None)
        st.header("On the tree", help="  \n".join(STEP_GLOSSARY[word] for word in words))
        figure = tree_figure(trees[0], answers, _marks(bench, step, colours))
        show(figure, "step_tree", f"The tree; example {row} reaches leaf {step.search.h_leaf}.")
        st.caption(
            "Thick: the way of the example. Thin solid: opened by the search. Dotted and pale: "
            "never looked into. Rings: ĥ on the leaf that it reaches (green), ĝ on the leaf it is "
            "pushed away from (purple)."
        )
    the_way(step)


def _choose() -> None:
    """A point of the map was clicked."""
    row, held = picked("step_map"), st.session_state.get("step_walk")
    if row >= 0 and held is not None:
        held[1].choose(row)


def _no_map(data: Dataset, row: int, colours: Paint) -> None:
    if data.image_shape:
        st.caption(
            f"{data.n_features} pixels have no map. This is the example; below, every split is a "
            "picture too."
        )
        picture = {f"example {row}": data.X[row].reshape(data.image_shape)}
        figure = picture_figure(picture, colours, signed=False)
        show(figure, "step_picture", f"Example {row} as a picture.")
        return
    st.caption(
        f"There are {data.n_features} features, too many for a map: a step turns splits in all "
        "of them at once. These are the example's; the weights are below."
    )
    spread = data.X.std(axis=0)
    away = (data.X[row] - data.X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    st.dataframe(
        {
            "feature": [*map(in_cell, data.feature_names)],
            "value": data.X[row],
            "deviations from the mean": away.round(2),
        },
        hide_index=True,
        height=330,
    )


def _map_figure(data, plane: Plane, trees, row, step, colours):
    figure, drawn, box = base_map(data, trees[0], colours)
    point = map_points(data, plane)[row].astype(np.float64)
    after = Map(trees[1], plane, box)
    for i, turn in enumerate(step.turns):
        old, new = drawn.segments.get(turn.split), after.segments.get(turn.split)
        add_turn(figure, old, new, colours, "split", i == 0, f"split{turn.split}")
        if old is not None:
            line = drawn.lines[turn.split].astype(np.float64)
            add_push(figure, line, old, point, turn.towards_right, box, colours)
    add_ring(figure, point, colours)
    return figure


def _marks(bench: SGDDebugger, step: SGDStep, colours: Paint) -> dict[int, Mark]:
    """How the nodes look: by what the search did with them."""
    search = step.search
    marks: dict[int, Mark] = {}
    seen = {look.node: look for look in search.visited}
    joint = bench.joint

    def unseen(node: int, edge: str = "dot") -> None:
        if node not in marks:
            marks[node] = Mark(faint=True, dash=edge, says="never looked at")
        if node >= 0:
            unseen(int(joint.left[node]))
            unseen(int(joint.right[node]))

    for look in search.visited:
        says = _says(look)
        if look.outcome in (BranchOutcome.PATH, BranchOutcome.PATH_LEAF):
            marks[look.node] = Mark(edge=colours.accent, says=says)
        elif look.outcome is BranchOutcome.DROPPED:
            marks[look.node] = Mark(faint=True, dash="dot", says=says)
            if look.node >= 0:
                unseen(int(joint.left[look.node]))
                unseen(int(joint.right[look.node]))
        else:
            marks[look.node] = Mark(edge=colours.muted, says=says)
    for node in (*range(len(joint.left)), *(~leaf for leaf in leaves_below(joint, 0))):
        if node not in seen and node not in marks:  # fast inference never turns here
            marks[node] = Mark(faint=True, dash="dot", says="more than one decision away")
    for leaf, ring, word in (
        (search.h_leaf, colours.plus, "ĥ: the leaf it reaches"),
        (search.g_leaf, colours.minus, "ĝ: the leaf of the greatest v"),
    ):
        old = marks[~leaf]
        marks[~leaf] = Mark(ring, old.edge, old.dash, False, f"{old.says}<br>{word}")
    if step.assigned is not None and ~step.assigned in marks:
        old = marks[~step.assigned]
        ring = old.ring or colours.accent
        marks[~step.assigned] = Mark(
            ring, old.edge, old.dash, old.faint, old.says + "<br>a(x): the leaf it is assigned to"
        )
    return marks


def _says(look: VisitedNode) -> str:
    reach = None if look.ceiling is None else look.ceiling - look.penalty
    match look.outcome:
        case BranchOutcome.PATH:
            side = "right" if look.score is not None and look.score > 0 else "left"
            return f"s = {number(look.score)}: goes {side}"
        case BranchOutcome.PATH_LEAF:
            return f"loss {number(look.ceiling)}, no penalty"
        case BranchOutcome.DROPPED:
            return f"dropped: at most {number(reach)}, the best is {number(look.best)}"
        case BranchOutcome.TAKEN:
            return f"v = {number(reach)}, better than {number(look.best)}"
    return f"opened: s = {number(look.score)}"
