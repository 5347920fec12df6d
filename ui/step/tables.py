"""The numbers of one step: every leaf's v, the search, the update."""

import numpy as np
import streamlit as st

from treecore.core import leaf_probabilities
from treecore.data import Dataset
from treecore.inspection import SGDDebugger, SGDStep, Turn, candidates
from treecore.viewer import GLOSSARY
from ui.drawing.target_style import Answers
from ui.drawing.theme import number, show
from ui.language.translate import N_, _, written
from ui.shell.glossary import STEP_GLOSSARY
from ui.step.charts import candidates_figure, show_weights
from ui.step.formula import update_formulas, value_formula


def all_leaves(bench: SGDDebugger, row: int, step: SGDStep, answers: Answers) -> None:
    st.header(_("Every leaf as a candidate"), help=_(STEP_GLOSSARY["value"]))
    table = candidates(bench.joint, bench.X[row], bench.y[row], bench.exact)
    value_formula(step.search, table)
    note = ""
    if not bench.exact:
        note = _(
            " Pale: more than one changed decision away. Fast inference may not choose "
            "these leaves."
        )
    st.caption(
        _(
            "Which leaf would be worst if small changes of the splits sent the example there? "
            "Sorted by v: ĥ is the example's own leaf, ĝ is the worst one. Long penalties leave "
            "the picture."
        )
        + note
    )
    show(
        candidates_figure(table, step.search, answers.unit, answers.colours),
        "step_candidates",
        _("Loss, penalty and v of every leaf, the largest v on top."),
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
            "The values after the step, and below each its change. A step that helps one example "
            "may hurt others."
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
                    "After the step, {whose}; below, the change. {glossary}",
                    whose=whose,
                    glossary=_(GLOSSARY[word]),
                ),
            )
    if not step.turns:
        st.caption(_("No split turns: the bound of this example is flat in W here."))
    for turn in step.turns:
        _turn_of(answers.data, turn)
    if step.turns:
        st.caption(
            _(
                "Weights are for features measured from their mean. The offset is the part of "
                "the score that depends on no feature."
            )
        )
    learns = N_("**Leaf {g_leaf}** learns the example's class.")
    if answers.numbers:
        learns = N_("**Leaf {g_leaf}** learns the example's number.")
    st.markdown(_(learns, g_leaf=step.search.g_leaf), help=_(STEP_GLOSSARY["taught"]))
    _taught(answers, row, step, trees)


def _taught(answers: Answers, row: int, step: SGDStep, trees) -> None:
    """What the leaf says before and after; ``trees`` are those."""
    leaf, target = step.search.g_leaf, answers.data.y[row]
    if answers.numbers:
        before, after = (float(tree.values[leaf][0]) for tree in trees)
        st.caption(
            _(
                "The leaf predicts {before:.4g} before and {after:.4g} after; the example is "
                "{target:.4g}.",
                before=before,
                after=after,
                target=float(target),
            )
        )
        return
    before, after = (float(leaf_probabilities(tree)[leaf][target]) for tree in trees)
    st.caption(
        _(
            "The probability of the example's class there goes from {before} to {after}, its value "
            "θ from {theta_before:.3f} to {theta_after:.3f}.",
            before=written(before, ".1%"),
            after=written(after, ".1%"),
            theta_before=step.theta_before[target],
            theta_after=step.theta_after[target],
        )
    )


def _mean(values: np.ndarray) -> float:
    return float(values.mean(dtype=np.float64))


_WHY_TURNED = {
    ("right", True): N_(
        "**Split {split}** turns the example to the right, back towards its assigned leaf."
    ),
    ("left", True): N_(
        "**Split {split}** turns the example to the left, back towards its assigned leaf."
    ),
    ("right", False): N_("**Split {split}** sends the example to the right, now more clearly."),
    ("left", False): N_("**Split {split}** sends the example to the left, now more clearly."),
}


def _turn_of(data: Dataset, turn: Turn) -> None:
    side = "right" if turn.towards_right else "left"
    why = _(_WHY_TURNED[side, bool(turn.forced)], split=turn.split)
    score = _(
        "Its score goes from {before} to {after}.",
        before=number(turn.score_before),
        after=number(turn.score_after),
    )
    short = _(" Its weights had grown beyond ν and were shortened.") if turn.shortened else ""
    st.markdown(f"{why} {score}{short}", help=_(STEP_GLOSSARY["turn"]))
    alt = _("Weights of split {split}.", split=turn.split)
    p, key = data.n_features, f"step_weights_{turn.split}"
    show_weights(data, turn.before[: p + 1], turn.after[: p + 1], key, alt, f"split{turn.split}")
