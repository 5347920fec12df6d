"""The tab *One example*: one update of SGD or Stable SGD, number by number."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from treecore import Tree
from treecore.base.units import in_unit
from treecore.data.dataset import Dataset
from treecore.inspection.inference import BranchOutcome, VisitedNode
from treecore.inspection.sgd_debugger import SGDDebugger
from treecore.inspection.sgd_step import SGDStep
from treecore.pruning.subtrees import leaves_below
from treecore.viewer.glossary import GLOSSARY
from treecore.viewer.messages.planes import Plane
from ui.drawing.map_figure import Map, add_push, add_ring, add_turn, base_map, map_points, plane_of
from ui.drawing.target_style import Answers
from ui.drawing.theme import Paint, number, paint, picked, show
from ui.drawing.tree_figure import Mark, tree_figure
from ui.jobs.chosen_data import ChosenData
from ui.jobs.session import remembered
from ui.language.translate import _, ngettext
from ui.shell.glossary import STEP_GLOSSARY
from ui.shell.page_style import picture_columns
from ui.shell.safe_text import in_cell
from ui.step.charts import picture_figure
from ui.step.session import Walk, begin
from ui.step.settings import joint_run
from ui.step.step_formulas import the_way
from ui.step.tables import all_leaves, proposition, the_search, the_update
from ui.step.take_home import step_export


def sample_tab(data: ChosenData, depth: int, seed: int, errors: dict[str, Any]) -> None:
    """Everything below the tab's name."""
    key, held = joint_run(data, depth, seed, errors)
    if held is None:
        return
    walk = remembered(
        "step_walk",
        key,
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
    # One below another they were four screens, and what a step does lay on the third of them.
    change, dangers, search, longer = st.tabs(
        [_("What it changes"), _("Dangers"), _("Search"), _("Longer weights")]
    )
    with change:
        the_update(answers, bench, (tree, after), row, step, bound, loss)
    with dangers:
        all_leaves(bench, row, step, answers)
    with search:
        the_search(step.search)
    with longer:
        proposition(bench, row, answers)
    step_export(tree, data, "sgd", sum(visit >= 0 for visit in walk.visits))


def _as_the_link_says(walk: Walk, n: int) -> None:
    """Show the example that a link has asked for, once."""
    requested = st.session_state.pop("step_asked_example", None)
    if requested is None:
        return
    if requested >= n:
        st.warning(
            _(
                "There is no example {asked}: there are {n}, and the last one is shown.",
                asked=requested,
                n=n,
            ),
            icon=":material/link_off:",
        )
    walk.choose(min(requested, n - 1))


def _buttons(walk: Walk, row: int, bench: SGDDebugger, turning: np.ndarray) -> None:
    with st.container(horizontal=True, gap="small"):
        st.button(
            _("Previous"),
            on_click=walk.previous,
            icon=":material/chevron_left:",
            key="step_previous",
            disabled=walk.place == 0 and walk.chosen is None and not walk.hardest,
            help=_("The example before this one, in the order of the run."),
        )
        st.button(
            _("Next"),
            on_click=walk.next,
            icon=":material/chevron_right:",
            key="step_next",
            help=_("Look at the next example in the order of the run, without taking this step."),
        )
        st.button(
            _("Next that turns"),
            on_click=walk.next_turning,
            args=(bench.order, turning),
            icon=":material/rotate_right:",
            key="step_next_turning",
            help=_(
                "The next example in the order whose step turns a split. The steps of the others "
                "only teach their leaf."
            ),
        )
        st.button(
            _("Hardest"),
            on_click=walk.to_hardest,
            icon=":material/priority_high:",
            key="step_hardest",
            help=_("The example of the greatest bound."),
        )
        st.button(
            _("Apply this step"),
            on_click=walk.apply,
            args=(row,),
            type="primary",
            icon=":material/done:",
            key="step_apply",
            help=_("Really turn the splits and teach the leaf, then go on to the next example."),
        )
        st.button(
            _("Undo"),
            on_click=walk.undo,
            icon=":material/undo:",
            key="step_undo",
            disabled=not walk.visits,
            help=_("Take the last applied step back."),
        )
        if bench.assigned is not None:
            st.button(
                _("Assign anew"),
                on_click=walk.reassign,
                icon=":material/sync:",
                key="step_reassign",
                help=_(
                    "Give every example the leaf that it reaches now, as Stable SGD does once a "
                    "pass hardly lowers the bound."
                ),
            )


def introduction(answers: Answers, walk: Walk, row: int, bench: SGDDebugger, step: SGDStep) -> None:
    """One paragraph that tells the whole step."""
    if walk.hardest:
        why = _("the one of the greatest bound")
    elif walk.chosen is not None:
        why = _("picked by you")
    else:
        n = len(bench.order)
        why = _("number {n} in the order of the run", n=walk.place % n + 1)
    done = sum(visit >= 0 for visit in walk.visits)
    steps = (
        ngettext(" {n} step applied so far.", " {n} steps applied so far.", done) if done else ""
    )
    search = step.search
    text = [
        _(
            "**Example {row}**, {row2}, {why}.{steps} It reaches leaf {h_leaf}, "
            "which costs it a loss of {loss_before}.",
            row=row,
            row2=answers.target(row),
            why=why,
            steps=steps,
            h_leaf=search.h_leaf,
            loss_before=answers.loss(float(step.loss_before)),
        )
    ]
    if step.assigned is not None and step.assigned != search.h_leaf:
        text.append(
            _(
                "It is assigned to leaf {assigned}, so {lost} is added to its "
                "bound for the bits that have to be forced.",
                assigned=step.assigned,
                lost=number(step.lost),
            )
        )
    if search.g_leaf == search.h_leaf:
        text.append(
            _(
                "No other leaf has a greater v, so its bound is {bound_before}.",
                bound_before=number(step.bound_before),
            )
        )
    else:
        text.append(
            _(
                "Leaf {g_leaf} is its worst danger: with v = {bound} it makes "
                "the bound {bound_before}.",
                g_leaf=search.g_leaf,
                bound=number(search.bound),
                bound_before=number(step.bound_before),
            )
        )
    turned = [str(turn.split) for turn in step.turns]
    if turned:
        text.append(
            ngettext(
                "The step turns split {which} and teaches leaf {g_leaf}.",
                "The step turns splits {which} and teaches leaf {g_leaf}.",
                len(turned),
                which=", ".join(turned),
                g_leaf=search.g_leaf,
            )
        )
    else:
        text.append(
            _("The step turns no split; it only teaches leaf {g_leaf}.", g_leaf=search.g_leaf)
        )
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
    left, right = picture_columns("example")
    with left:
        plane = plane_of(data)
        if plane is None:
            st.header(_("The example"), help=_("Its features, as they are in the data."))
            _no_map(data, row, colours)
        else:
            st.header(_("On the map"), help=_(GLOSSARY["map"]))
            figure = _map_figure(data, plane, trees, row, step, colours)
            show(
                figure,
                "step_map",
                _(
                    "Map of the data; example {row} is ringed, turned splits are drawn before "
                    "(dashed) and after (solid) the step.",
                    row=row,
                ),
                on_select=_choose if choosing else "ignore",
                selection_mode="points",
            )
            click = _(" Click a point to take it apart.") if choosing else ""
            st.caption(
                _(
                    "Dashed: a split before the step; solid: after it; the arrow: where its "
                    "line gives way to.{click}",
                    click=click,
                )
            )
    with right:
        words = ["code", "rival"] + ["assigned"] * (step.assigned is not None)
        st.header(_("On the tree"), help="  \n".join(_(STEP_GLOSSARY[word]) for word in words))
        figure = tree_figure(trees[0], answers, _marks(bench, step, colours))
        show(
            figure,
            "step_tree",
            _("The tree; example {row} reaches leaf {h_leaf}.", row=row, h_leaf=step.search.h_leaf),
        )
        st.caption(
            _(
                "Thick: the way of the example. Thin solid: opened by the search. Dotted and "
                "pale: never looked into. Rings: ĥ on the leaf that it reaches (green), ĝ on "
                "the leaf it is pushed away from (purple)."
            )
        )
    the_way(step, data)


def _choose() -> None:
    """A point of the map was clicked."""
    row, held = picked("step_map"), st.session_state.get("step_walk")
    if row >= 0 and held is not None:
        held[1].choose(row)


def _no_map(data: Dataset, row: int, colours: Paint) -> None:
    if data.image_shape:
        st.caption(
            _(
                "{n_features} pixels have no map. This is the example; below, every split is a "
                "picture too.",
                n_features=data.n_features,
            )
        )
        picture = {_("example {row}", row=row): data.X[row].reshape(data.image_shape)}
        figure = picture_figure(picture, colours, signed=False, names=["example"])
        show(figure, "step_picture", _("Example {row} as a picture.", row=row))
        return
    st.caption(
        _(
            "There are {n_features} features, too many for a map: a step turns splits in all "
            "of them at once. These are the example's; the weights are below.",
            n_features=data.n_features,
        )
    )
    values = data.X[row].tolist()
    if any(data.units):
        values = [in_unit(x, unit, number) for x, unit in zip(values, data.units, strict=True)]
    spread = data.X.std(axis=0)
    away = (data.X[row] - data.X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    st.dataframe(
        {
            _("feature"): [*map(in_cell, data.feature_names)],
            _("value"): values,
            _("deviations from the mean"): away.round(2),
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
        add_turn(figure, old, new, colours, _("split"), i == 0, f"split{turn.split}")
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
            marks[node] = Mark(faint=True, dash=edge, says=_("never looked at"))
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
            marks[node] = Mark(faint=True, dash="dot", says=_("more than one decision away"))
    for leaf, ring, word in (
        (search.h_leaf, colours.plus, _("ĥ: the leaf it reaches")),
        (search.g_leaf, colours.minus, _("ĝ: the leaf of the greatest v")),
    ):
        old = marks[~leaf]
        marks[~leaf] = Mark(ring, old.edge, old.dash, False, f"{old.says}<br>{word}")
    if step.assigned is not None and ~step.assigned in marks:
        old = marks[~step.assigned]
        ring = old.ring or colours.accent
        marks[~step.assigned] = Mark(
            ring,
            old.edge,
            old.dash,
            old.faint,
            old.says + _("<br>a(x): the leaf it is assigned to"),
        )
    return marks


def _says(look: VisitedNode) -> str:
    reach = None if look.ceiling is None else look.ceiling - look.penalty
    match look.outcome:
        case BranchOutcome.PATH:
            side = _("right") if look.score is not None and look.score > 0 else _("left")
            return _("s = {score}: goes {side}", score=number(look.score), side=side)
        case BranchOutcome.PATH_LEAF:
            return _("loss {ceiling}, no penalty", ceiling=number(look.ceiling))
        case BranchOutcome.DROPPED:
            return _(
                "dropped: at most {reach}, the best is {best}",
                reach=number(reach),
                best=number(look.best),
            )
        case BranchOutcome.TAKEN:
            return _("v = {reach}, better than {best}", reach=number(reach), best=number(look.best))
    return _("opened: s = {score}", score=number(look.score))
