"""The numbers of one step: every leaf's v, the search, the update, and Proposition 1."""

from __future__ import annotations

import numpy as np
import streamlit as st

from treecore.core.routing import leaf_probabilities
from treecore.data.dataset import Dataset
from treecore.inspection.bound_profile import bound_profile
from treecore.inspection.inference import Search, candidates
from treecore.inspection.sgd_debugger import SGDDebugger
from treecore.inspection.sgd_step import SGDStep, Turn
from treecore.viewer.glossary import GLOSSARY
from ui.drawing.target_style import Answers
from ui.drawing.theme import Paint, number, show
from ui.language.translate import N_, _, writing, written
from ui.shell.glossary import STEP_GLOSSARY
from ui.shell.safe_text import plain
from ui.step.charts import (
    SIGNS,
    candidates_figure,
    chances_figure,
    picture_figure,
    tightness_figure,
    value_figure,
    weights_figure,
)
from ui.step.step_formulas import DID, search_formula, update_formulas, value_formula

FACTORS = np.geomspace(0.1, 10, 41)
"""What ‖W‖ is multiplied by for the curve of Proposition 1."""


def all_leaves(bench: SGDDebugger, row: int, step: SGDStep, answers: Answers) -> None:
    """Loss, penalty and v of every leaf."""
    st.header(_("Every leaf as a danger"), help=_(STEP_GLOSSARY["value"]))
    table = candidates(bench.joint, bench.X[row], bench.y[row], bench.exact)
    value_formula(step.search, table)
    note = ""
    if not bench.exact:
        note = _(" Pale: more than one changed decision away, which fast inference may not choose.")
    st.caption(
        _(
            "The step asks: which leaf would be worst, if small turns of the splits sent the "
            "example there? Sorted by v; ĥ is where it is, ĝ is the answer. Long penalties "
            "run out of the picture."
        )
        + note
    )
    show(
        candidates_figure(table, step.search, answers.unit, answers.colours),
        "step_candidates",
        _("Loss, penalty and value of every leaf, the greatest value on top."),
    )
    with st.expander(_("The same as a table")):
        st.dataframe(
            {
                _("leaf"): [c.leaf for c in table],
                _("loss"): [float(c.loss) for c in table],
                _("penalty"): [float(c.penalty) for c in table],
                "v": [float(c.value) for c in table],
                _("splits it disagrees with"): [", ".join(map(str, c.against)) for c in table],
                _("may be chosen"): [c.allowed for c in table],
            },
            hide_index=True,
        )


def the_search(search: Search) -> None:
    """What branch and bound looked at, and what it left unseen."""
    st.header(_("How the worst leaf was found"), help=_(STEP_GLOSSARY["search"]))
    saved = search.textbook - search.n_products
    left, right = st.columns([1, 3])
    left.metric(
        _("Inner products"),
        search.n_products,
        delta=-saved,
        delta_color="inverse" if saved else "off",
        delta_arrow="auto" if saved else "off",
        help=_(STEP_GLOSSARY["products"]),
    )
    left.caption(_("The textbook's way takes {textbook}.", textbook=search.textbook))
    right.markdown(
        _(
            "The search goes down the example's own way first. Then it takes the turnings it has "
            "passed, the deepest first. A whole subtree is dropped when even its dearest leaf, "
            "U, less the penalty of getting there, does not exceed the best v so far:"
        )
    )
    looks = search.visited
    with right:
        search_formula(search)
    reach = [None if look.ceiling is None else float(look.ceiling - look.penalty) for look in looks]
    st.dataframe(
        {
            _("look"): list(range(1, len(looks) + 1)),
            _("node"): [
                _("split {node}", node=k.node) if k.node >= 0 else _("leaf {value}", value=~k.node)
                for k in looks
            ],
            _("what happened"): [_(DID[k.outcome]) for k in looks],
            _("score s"): [None if k.score is None else float(k.score) for k in looks],
            "U": [None if k.ceiling is None else float(k.ceiling) for k in looks],
            _("penalty"): [float(k.penalty) for k in looks],
            _("U − penalty"): reach,
            _("best so far"): [None if k.best is None else float(k.best) for k in looks],
        },
        hide_index=True,
        placeholder="–",
        column_config={
            "U": st.column_config.NumberColumn(help=_("The greatest loss of a leaf below.")),
            _("penalty"): st.column_config.NumberColumn(help=_(STEP_GLOSSARY["penalty"])),
            _("score s"): st.column_config.NumberColumn(help=_(STEP_GLOSSARY["score"])),
        },
    )


def the_update(answers: Answers, bench, trees, row, step: SGDStep, bound, loss) -> None:
    """Bound, loss, weights and leaf before and after the step; ``trees`` are those, outward."""
    st.header(_("What the step changes"), help=_(STEP_GLOSSARY["turn"]))
    update_formulas(step, answers.data)
    applied = bench.after([row])
    new_bound, new_loss, _rows = applied.measure()
    figures = (
        (_("Bound here"), step.bound_before, step.bound_after, "bound", _("of this example")),
        (_("Loss here"), step.loss_before, step.loss_after, "loss", _("of this example")),
        (_("Mean bound"), _mean(bound), _mean(new_bound), "bound", _("over all examples")),
        (_("Mean loss"), _mean(loss), _mean(new_loss), "loss", _("over all examples")),
    )
    st.caption(
        _(
            "What they are after the step, and below by how much it changed them. A step "
            "that helps one example may hurt others."
        )
    )
    with st.container(horizontal=True):
        for label, before, after, word, whose in figures:
            st.metric(
                label,
                written(after, ".4f"),
                delta=written(after - before, "+.4f"),
                delta_color="off" if after == before else "inverse",
                delta_arrow="off" if after == before else "auto",
                help=_(
                    "After the step, {whose}; below, what the step adds. {glossary}",
                    whose=whose,
                    glossary=_(GLOSSARY[word]),
                ),
            )
    if not step.turns:
        st.caption(_("No split is turned: the bound of this example is flat in W here."))
    for turn in step.turns:
        _turn_of(answers.data, turn, answers.colours)
    if step.turns:
        st.caption(
            _(
                "Weights are for features as deviations from their mean; the offset is the part of "
                "the score that no feature has a say in."
            )
        )
    learns = N_("**Leaf {g_leaf}** learns the example's class.")
    if answers.numbers:
        learns = N_("**Leaf {g_leaf}** learns the example's number.")
    st.markdown(
        _(learns, g_leaf=step.search.g_leaf),
        help=_(STEP_GLOSSARY["taught"]),
    )
    before, after = (tree.values[step.search.g_leaf] for tree in trees)
    if answers.numbers:
        _taught_a_number(answers, row, step, float(before[0]), float(after[0]))
    else:
        _taught_a_class(answers, row, step, trees)


def _taught_a_number(
    answers: Answers, row: int, step: SGDStep, before: float, after: float
) -> None:
    data, target = answers.data, float(answers.data.y[row])
    figure = value_figure(before, after, target, data.target_name, answers.colours)
    show(
        figure,
        "step_leaf",
        _("The number of leaf {g_leaf} before and after.", g_leaf=step.search.g_leaf),
    )
    st.caption(
        _(
            "The leaf says {before:.4g} before and {after:.4g} after; the example is {target:.4g}. "
            "The step goes down the slope of the loss, so the leaf moves towards the example.",
            before=before,
            after=after,
            target=target,
        )
    )


def _taught_a_class(answers: Answers, row: int, step: SGDStep, trees) -> None:
    data, leaf, label = answers.data, step.search.g_leaf, int(answers.data.y[row])
    before, after = (leaf_probabilities(tree)[leaf] for tree in trees)
    figure = chances_figure(data.class_names, before, after, label, answers.colours)
    show(figure, "step_leaf", _("Class probabilities of leaf {leaf}.", leaf=leaf))
    name = plain(data.class_names[label], 40)
    st.caption(
        _(
            "The arrow marks the example's class, {name}. The leaf's value θ for it goes from "
            "{theta_before:.3f} to {theta_after:.3f}; probabilities are the "
            "softmax of all θ.",
            name=name,
            theta_before=step.theta_before[label],
            theta_after=step.theta_after[label],
        )
    )


def _mean(values: np.ndarray) -> float:
    return float(values.mean(dtype=np.float64))


_WHY_TURNED = {
    ("right", True): N_(
        "**Split {split}** is turned towards the right: it has to go back towards its assigned "
        "leaf."
    ),
    ("left", True): N_(
        "**Split {split}** is turned towards the left: it has to go back towards its assigned leaf."
    ),
    ("right", False): N_(
        "**Split {split}** is turned towards the right: it goes right here and is to go right more "
        "clearly."
    ),
    ("left", False): N_(
        "**Split {split}** is turned towards the left: it goes left here and is to go left more "
        "clearly."
    ),
}


def _turn_of(data: Dataset, turn: Turn, colours: Paint) -> None:
    side = "right" if turn.towards_right else "left"
    why = _(_WHY_TURNED[side, bool(turn.forced)], split=turn.split)
    score = _(
        "Its score goes from {before} to {after}.",
        before=number(turn.score_before),
        after=number(turn.score_after),
    )
    short = _(" The row had grown beyond ν and was shortened.") if turn.shortened else ""
    st.markdown(f"{why} {score}{short}", help=_(STEP_GLOSSARY["turn"]))
    p = data.n_features
    if data.image_shape:
        before, after = (row[:p].reshape(data.image_shape) for row in (turn.before, turn.after))
        pictures = {_("before"): before, _("change"): after - before, _("after"): after}
        show(
            picture_figure(
                pictures,
                colours,
                names=[f"split{turn.split}.{when}" for when in ("before", "change", "after")],
            ),
            f"step_weights_{turn.split}",
            _("Weights of split {split} as pictures: before, change, after.", split=turn.split),
        )
        st.caption(_(SIGNS))
        return
    features = [*data.feature_names, _("offset")]
    figure, hidden = weights_figure(features, turn.before[: p + 1], turn.after[: p + 1], colours)
    show(figure, f"step_weights_{turn.split}", _("Weights of split {split}.", split=turn.split))
    if hidden:
        st.caption(_("{hidden} weights that hardly count or move are not shown.", hidden=hidden))


def proposition(bench: SGDDebugger, row: int, answers: Answers) -> None:
    """Bound and loss while all weights grow together."""
    st.header(_("What if all weights were longer?"), help=_(STEP_GLOSSARY["scale"]))
    st.markdown(
        _(
            "Proposition 1 of the paper: multiply all weights by one factor. No example "
            "changes its leaf, so the loss stays. But every penalty grows, the other leaves "
            "fall behind, and the bound comes down to the loss. The price: it goes flat. "
            "Once no other leaf is a danger, an example turns no split, and learning stands "
            "still. That is why ν limits the length."
        )
    )
    if bench.assigned is not None:
        st.markdown(
            _(
                "That is said of SGD. Stable SGD holds every example to an assigned leaf, "
                "and the penalties of those that are elsewhere grow too: their bound rises "
                "with the factor, and they go on turning splits. It is why the leaves are "
                "assigned anew."
            )
        )
    factor = st.select_slider(
        _("‖W‖ multiplied by"),
        [float(f) for f in FACTORS],
        float(FACTORS[len(FACTORS) // 2]),
        format_func=writing(".3g"),
        key="step_factor",
        help=_(STEP_GLOSSARY["scale"]),
    )
    found = bound_profile(bench, FACTORS)
    at = int(np.abs(FACTORS - factor).argmin())
    measured = bench.measure(factor)
    with st.container(horizontal=True):
        st.metric(_("Mean bound"), written(found.bound[at], ".3f"), help=_(GLOSSARY["bound"]))
        st.metric(_("Mean loss"), written(found.loss[at], ".3f"), help=_(GLOSSARY["loss"]))
        st.metric(
            _("Turn a split"),
            written(found.turning[at], ".0%"),
            help=_("The share of the examples whose step would turn a split at all."),
        )
        st.metric(
            _("Bound of example {row}", row=row),
            written(measured[0][row], ".3f"),
            help=_("The bound of the example above, with the weights multiplied."),
        )
    show(
        tightness_figure(found, factor, answers.unit, answers.colours),
        "step_tightness",
        _("Mean bound and mean loss against the factor; the present factor is marked."),
    )
