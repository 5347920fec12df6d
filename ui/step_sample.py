"""The tab *One example*: one update of SGD or Stable SGD, number by number."""

from __future__ import annotations

import numpy as np
import streamlit as st

from treecore import Tree
from treecore.datasets import Dataset
from treecore.explain.bench import Bench
from treecore.explain.node import leaves_below
from treecore.explain.search import Look, Search, Verdict, candidates
from treecore.explain.step import Step, Turn
from treecore.explain.tightness import tightness
from treecore.routing import leaf_probabilities
from ui.data import ChosenData
from ui.glossary import GLOSSARY, STEP_GLOSSARY
from ui.step_charts import (
    SIGNS,
    candidates_figure,
    chances_figure,
    picture_figure,
    tightness_figure,
    weights_figure,
)
from ui.step_map import Map, add_push, add_ring, add_turn, base_map, plane_of
from ui.step_paint import Paint, number, paint, show
from ui.step_settings import joint_control, trained
from ui.step_tree import Mark, tree_figure
from ui.step_walk import Walk, begin, kept
from ui.text import plain

FACTORS = np.geomspace(0.1, 10, 41)
"""What ‖W‖ is multiplied by for the curve of Proposition 1."""


def sample_tab(data: ChosenData, depth: int, seed: int) -> None:
    """Everything below the tab's name."""
    with st.container(border=True):
        st.markdown("**How the tree has learnt so far**")
        config, passes = joint_control(depth, seed)
    held = trained(data.key, config, passes, data)
    if not len(held.bench.joint.left):
        st.info(
            "The tree that learning starts from is a single leaf: there is no split to turn. "
            "Start from random splits, or choose data with more examples.",
            icon=":material/info:",
        )
        return
    walk = kept(
        "step_walk",
        (data.key, config, passes),
        lambda: begin(held.bench.order, held.bench.measure()[2]),
    )
    bench = held.bench.after(walk.visits)
    bound, loss, turning = bench.measure()
    row = walk.row(bench.order, bound)
    step = bench.take_apart(row)
    _buttons(walk, row, bench, turning)
    _introduction(data.train, walk, row, bench, step)

    colours, tree = paint(), bench.tree()
    _where_it_goes(data.train, bench, tree, row, step, colours)
    _all_leaves(bench, row, step, colours)
    _the_search(step.search)
    _the_update(data.train, bench, tree, row, step, bound, loss, colours)
    _proposition(bench, row, colours)


def _buttons(walk: Walk, row: int, bench: Bench, turning: np.ndarray) -> None:
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


def _introduction(data: Dataset, walk: Walk, row: int, bench: Bench, step: Step) -> None:
    """One paragraph that tells the whole step."""
    name = plain(data.class_names[data.y[row]], 40)
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
        f"**Example {row}**, class **{name}**, {why}.{steps} It reaches leaf {search.h_leaf}, "
        f"which costs it a loss of {number(step.loss_before)}."
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


def _where_it_goes(data, bench, tree: Tree, row: int, step: Step, colours: Paint) -> None:
    left, right = st.columns(2)
    with left:
        if plane_of(data) is None:
            st.subheader("The example", help="Its features, as they are in the data.")
            _no_map(data, row, colours)
        else:
            st.subheader("On the map", help=GLOSSARY["map"])
            figure = _map_figure(data, bench, tree, row, step, colours)
            show(
                figure,
                "step_map",
                f"Map of the data; example {row} is ringed, turned splits are drawn before "
                "(dashed) and after (solid) the step.",
                on_select=_choose,
                selection_mode="points",
            )
            st.caption(
                "Dashed: a split before the step; solid: after it; the arrow: where its line gives "
                "way to. Click a point to take it apart."
            )
    with right:
        st.subheader("On the tree", help=STEP_GLOSSARY["code"])
        figure = tree_figure(tree, data.class_names, colours, _marks(bench, step, colours))
        show(figure, "step_tree", f"The tree; example {row} reaches leaf {step.search.h_leaf}.")
        st.caption(
            "Thick: the way of the example. Thin solid: opened by the search. Dotted and pale: "
            "never looked into. Rings: ĥ on the leaf that it reaches (green), ĝ on the leaf it is "
            "pushed away from (purple)."
        )


def _choose() -> None:
    """A point of the map was clicked."""
    picked = st.session_state["step_map"].selection.points
    held = st.session_state.get("step_walk")
    if picked and held is not None and "customdata" in picked[0]:
        row = picked[0]["customdata"]
        held[1].choose(int(row[0] if isinstance(row, list | tuple) else row))


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
            "feature": data.feature_names,
            "value": data.X[row],
            "deviations from the mean": away.round(2),
        },
        hide_index=True,
        height=330,
    )


def _map_figure(data, bench, tree, row, step, colours):
    figure, drawn, box = base_map(data, tree, colours)
    plane = plane_of(data)
    point = plane.points(data.X[row : row + 1])[0].astype(np.float64)
    after = Map(bench.tree(step.tree), plane, box)
    for i, turn in enumerate(step.turns):
        old, new = drawn.segments.get(turn.split), after.segments.get(turn.split)
        add_turn(figure, old, new, colours, "split", first=i == 0)
        if old is not None:
            line = drawn.lines[turn.split].astype(np.float64)
            add_push(figure, line, old, point, turn.towards_right, box, colours)
    add_ring(figure, point, colours)
    return figure


def _marks(bench: Bench, step: Step, colours: Paint) -> dict[int, Mark]:
    """How the nodes look: by what the search did with them."""
    search = step.search
    marks: dict[int, Mark] = {}
    seen = {look.node: look for look in search.looks}
    joint = bench.joint

    def unseen(node: int, edge: str = "dot") -> None:
        if node not in marks:
            marks[node] = Mark(faint=True, dash=edge, says="never looked at")
        if node >= 0:
            unseen(int(joint.left[node]))
            unseen(int(joint.right[node]))

    for look in search.looks:
        says = _says(look)
        if look.verdict in (Verdict.PATH, Verdict.OWN):
            marks[look.node] = Mark(edge=colours.accent, says=says)
        elif look.verdict is Verdict.DROPPED:
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


def _formulas(*formulas: str) -> None:
    """Formulas side by side, or below each other where a screen is narrow."""
    with st.container(horizontal=True, horizontal_alignment="center", gap="large"):
        for formula in formulas:
            st.latex(formula, width="content")


def _says(look: Look) -> str:
    match look.verdict:
        case Verdict.PATH:
            return f"s = {number(look.score)}: goes {'right' if look.score > 0 else 'left'}"
        case Verdict.OWN:
            return f"loss {number(look.ceiling)}, no penalty"
        case Verdict.DROPPED:
            reach = look.ceiling - look.penalty
            return f"dropped: at most {number(reach)}, the best is {number(look.best)}"
        case Verdict.TAKEN:
            return f"v = {number(look.ceiling - look.penalty)}, better than {number(look.best)}"
    return f"opened: s = {number(look.score)}"


def _all_leaves(bench: Bench, row: int, step: Step, colours: Paint) -> None:
    st.subheader("Every leaf as a danger", help=STEP_GLOSSARY["value"])
    _formulas(
        r"v_j = \underbrace{\ell(\theta_j, y)}_{\text{loss in leaf } j}"
        r"- \underbrace{\textstyle\sum 2\,|s_i|}_{\text{splits it disagrees with}}",
        r"\text{bound} = \max_j v_j",
    )
    table = candidates(bench.joint, bench.X[row], bench.y[row], bench.exact)
    note = ""
    if not bench.exact:
        note = " Pale: more than one changed decision away, which fast inference may not choose."
    st.caption(
        "The step asks: which leaf would be worst, if small turns of the splits sent the example "
        "there? Sorted by v; ĥ is where it is, ĝ is the answer. Long "
        "penalties run out of the picture." + note
    )
    show(
        candidates_figure(table, step.search, colours),
        "step_candidates",
        "Loss, penalty and value of every leaf, the greatest value on top.",
    )
    with st.expander("The same as a table"):
        st.dataframe(
            {
                "leaf": [c.leaf for c in table],
                "loss": [float(c.loss) for c in table],
                "penalty": [float(c.penalty) for c in table],
                "v": [float(c.value) for c in table],
                "splits it disagrees with": [", ".join(map(str, c.against)) for c in table],
                "may be chosen": [c.allowed for c in table],
            },
            hide_index=True,
        )


_DID = {
    Verdict.PATH: "on its way: score computed",
    Verdict.OWN: "its own leaf: the first best v",
    Verdict.OPENED: "opened: something better may be below",
    Verdict.DROPPED: "dropped: nothing below can win",
    Verdict.TAKEN: "taken: the new best v",
}


def _the_search(search: Search) -> None:
    st.subheader("How the worst leaf was found", help=STEP_GLOSSARY["search"])
    saved = search.textbook - search.n_products
    left, right = st.columns([1, 3])
    left.metric(
        "Inner products",
        search.n_products,
        delta=-saved,
        delta_color="inverse" if saved else "off",
        delta_arrow="auto" if saved else "off",
        help=STEP_GLOSSARY["products"],
    )
    left.caption(f"The textbook's way takes {search.textbook}.")
    right.markdown(
        "The search goes down the example's own way first. Then it takes the turnings it has "
        "passed, the deepest first. A whole subtree is dropped when even its dearest leaf, "
        "U, less the penalty of getting there, does not exceed the best v so far:"
    )
    right.latex(r"U - \text{penalty} \;\le\; \text{best} \quad\Longrightarrow\quad \text{drop}")
    looks = search.looks
    reach = [None if look.ceiling is None else float(look.ceiling - look.penalty) for look in looks]
    st.dataframe(
        {
            "look": list(range(1, len(looks) + 1)),
            "node": [f"split {k.node}" if k.node >= 0 else f"leaf {~k.node}" for k in looks],
            "what happened": [_DID[k.verdict] for k in looks],
            "score s": [None if k.score is None else float(k.score) for k in looks],
            "U": [None if k.ceiling is None else float(k.ceiling) for k in looks],
            "penalty": [float(k.penalty) for k in looks],
            "U − penalty": reach,
            "best so far": [None if k.best is None else float(k.best) for k in looks],
        },
        hide_index=True,
        placeholder="–",
        column_config={
            "U": st.column_config.NumberColumn(help="The greatest loss of a leaf below."),
            "penalty": st.column_config.NumberColumn(help=STEP_GLOSSARY["penalty"]),
            "score s": st.column_config.NumberColumn(help=STEP_GLOSSARY["score"]),
        },
    )


def _the_update(data, bench, tree, row, step: Step, bound, loss, colours: Paint) -> None:
    st.subheader("What the step changes", help=STEP_GLOSSARY["turn"])
    _formulas(
        r"w_i \leftarrow w_i + \eta\,(\hat h_i - \hat g_i)\,x, \;\; \lVert w_i\rVert^2 \le \nu",
        r"\theta_{\hat g} \leftarrow \theta_{\hat g} - \eta\,\nabla\ell",
    )
    applied = bench.after([row])
    new_bound, new_loss, _ = applied.measure()
    figures = (
        ("Bound here", step.bound_before, step.bound_after, "bound", "of this example"),
        ("Loss here", step.loss_before, step.loss_after, "loss", "of this example"),
        ("Mean bound", _mean(bound), _mean(new_bound), "bound", "over all examples"),
        ("Mean loss", _mean(loss), _mean(new_loss), "loss", "over all examples"),
    )
    st.caption(
        "What they are after the step, and below by how much it changed them. A step that helps "
        "one example may hurt others."
    )
    with st.container(horizontal=True):
        for label, before, after, word, whose in figures:
            st.metric(
                label,
                f"{after:.4f}",
                delta=f"{after - before:+.4f}",
                delta_color="off" if after == before else "inverse",
                delta_arrow="off" if after == before else "auto",
                help=f"After the step, {whose}; below, what the step adds. {GLOSSARY[word]}",
            )
    if not step.turns:
        st.caption("No split is turned: the bound of this example is flat in W here.")
    for turn in step.turns:
        _turn_of(data, turn, colours)
    if step.turns:
        st.caption(
            "Weights are for features as deviations from their mean; the offset is the part of "
            "the score that no feature has a say in."
        )
    st.markdown(
        f"**Leaf {step.search.g_leaf}** learns the example's class.", help=STEP_GLOSSARY["taught"]
    )
    before, after = (
        leaf_probabilities(tree._replace(values=theta[None]))[0]
        for theta in (step.theta_before, step.theta_after)
    )
    figure = chances_figure(data.class_names, before, after, int(data.y[row]), colours)
    show(figure, "step_leaf", f"Class probabilities of leaf {step.search.g_leaf}.")
    own = int(data.y[row])
    name = plain(data.class_names[own], 40)
    st.caption(
        f"The arrow marks the example's class, {name}. The leaf's value θ for it goes from "
        f"{step.theta_before[own]:.3f} to {step.theta_after[own]:.3f}; probabilities are the "
        "softmax of all θ."
    )


def _mean(values: np.ndarray) -> float:
    return float(values.mean(dtype=np.float64))


def _turn_of(data: Dataset, turn: Turn, colours: Paint) -> None:
    side = "right" if turn.towards_right else "left"
    why = (
        "it has to go back towards its assigned leaf"
        if turn.forced
        else f"it goes {side} here and is to go {side} more clearly"
    )
    short = " The row had grown beyond ν and was shortened." if turn.shortened else ""
    st.markdown(
        f"**Split {turn.split}** is turned towards the {side}: {why}. Its score goes from "
        f"{number(turn.score_before)} to {number(turn.score_after)}.{short}",
        help=STEP_GLOSSARY["turn"],
    )
    p = data.n_features
    if data.image_shape:
        before, after = (row[:p].reshape(data.image_shape) for row in (turn.before, turn.after))
        pictures = {"before": before, "change": after - before, "after": after}
        show(
            picture_figure(pictures, colours),
            f"step_weights_{turn.split}",
            f"Weights of split {turn.split} as pictures: before, change, after.",
        )
        st.caption(SIGNS)
        return
    names = [*data.feature_names, "offset"]
    figure, hidden = weights_figure(names, turn.before[: p + 1], turn.after[: p + 1], colours)
    show(figure, f"step_weights_{turn.split}", f"Weights of split {turn.split}.")
    if hidden:
        st.caption(f"{hidden} weights that hardly count or move are not shown.")


def _proposition(bench: Bench, row: int, colours: Paint) -> None:
    st.subheader("What if all weights were longer?", help=STEP_GLOSSARY["scale"])
    st.markdown(
        "Proposition 1 of the paper: multiply all weights by one factor. No example changes its "
        "leaf, so the loss stays. But every penalty grows, the other leaves fall behind, and the "
        "bound comes down to the loss. The price: it goes flat. Once no other leaf is a danger, an "
        "example turns no split, and learning stands still. That is why ν limits the length."
    )
    factor = st.select_slider(
        "‖W‖ multiplied by",
        [float(f) for f in FACTORS],
        float(FACTORS[len(FACTORS) // 2]),
        format_func=lambda f: f"{f:.3g}",
        key="step_factor",
        help=STEP_GLOSSARY["scale"],
    )
    found = tightness(bench, FACTORS)
    at = int(np.abs(FACTORS - factor).argmin())
    own = bench.measure(factor)
    with st.container(horizontal=True):
        st.metric("Mean bound", f"{found.bound[at]:.3f}", help=GLOSSARY["bound"])
        st.metric("Mean loss", f"{found.loss[at]:.3f}", help=GLOSSARY["loss"])
        st.metric(
            "Turn a split",
            f"{found.turning[at]:.0%}",
            help="The share of the examples whose step would turn a split at all.",
        )
        st.metric(
            f"Bound of example {row}",
            f"{own[0][row]:.3f}",
            help="The bound of the example above, with the weights multiplied.",
        )
    show(
        tightness_figure(found, factor, colours),
        "step_tightness",
        "Mean bound and mean loss against the factor; the present factor is marked.",
    )
